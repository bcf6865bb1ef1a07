import Corinth
import CorinthTesting
import Testing

struct WithLatestTests {
    private func paired(_ steps: [Step<Int, String>]) -> [Signal<String, TestError>.Event] {
        outcome(of: steps) { source, samplee in source.withLatest(from: samplee).map { "\($0)\($1)" } }
    }

    @Test func sendsWhenTheSourceSends() {
        let events = paired([
            .source(.value(1)), .other(.value("a")), .source(.value(2)), .source(.value(3)), .other(.value("b")),
            .other(.value("c")), .source(.value(4)),
        ])
        #expect(events == [.value("2a"), .value("3a"), .value("4c")])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .interrupted, .failed(.first)])
    func endsAsTheSource(termination: Signal<Int, TestError>.Event) {
        #expect(
            paired([.source(termination), .other(.value("a")), .source(.value(1))])
                == [termination.map(String.init)])
    }

    /// The samplee's kind of end makes no difference; its latest value stays.
    @Test(arguments: [Signal<String, Never>.Event.completed, .interrupted])
    func theEndOfTheSamplee(termination: Signal<String, Never>.Event) {
        #expect(paired([.other(termination), .source(.value(1)), .source(.completed)]) == [.completed])
        #expect(
            paired([.other(.value("a")), .other(termination), .source(.value(1)), .source(.completed)])
                == [.value("1a"), .completed])
    }

    @Test func aSignalWithAProducer() {
        let starts = Atomic(0)
        let ended = Atomic(0)
        let (source, input) = Signal<Int, Never>.pipe()
        let (values, sample) = Signal<Int, Never>.pipe()
        let samplee = SignalProducer<Int, Never> { observer, lifetime in
            starts.modify { $0 += 1 }
            lifetime += values.observe(observer)
            lifetime.observeEnded {
                _ = observer
                ended.modify { $0 += 1 }
            }
        }
        let recorder = EventRecorder<Int, Never>()
        let result = source.withLatest(from: samplee)
        #expect(starts.value == 1)
        result.map { $0 * 10 + $1 }.observe(recorder.observer)
        sample.send(value: 1)
        input.send(value: 2)
        #expect(ended.value == 0)
        input.sendCompleted()
        #expect(ended.value == 1)
        #expect(recorder.events == [.value(21), .completed])
    }

    @Test func convertibles() {
        let (source, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        source.withLatest(from: Result<Int, Never>.success(1)).map { $0 * 10 + $1 }.observe(recorder.observer)
        SignalProducer(source).withLatest(from: Result<Int, Never>.success(2)).map { $0 * 10 + $1 }
            .start(recorder.observer)
        input.send(value: 3)
        #expect(recorder.values == [31, 32])
    }

    @Test func `S3: the result has no observers and no references, so the samplee's producer is cancelled`() {
        let ended = Atomic(0)
        let (source, input) = Signal<Int, Never>.pipe()
        let observation = source.withLatest(from: SignalProducer<Int, Never>.endless(ended: ended)).observeValues { _ in
        }
        #expect(ended.value == 0)
        observation?.dispose()
        #expect(ended.value == 1)
        _ = input
    }

    /// The samplee starts first. P1: each start has its own samplee.
    @Test func producers() {
        let numbers = SignalProducer<Int, Never>([1, 2])
        let producer = numbers.withLatest(from: SignalProducer<Int, Never>([7, 8])).map { $0 * 10 + $1 }
        for _ in 0..<2 {
            let recorder = EventRecorder<Int, Never>()
            producer.start(recorder.observer)
            #expect(recorder.events == [.value(18), .value(28), .completed])
        }
        let dropped = EventRecorder<Int, Never>()
        numbers.withLatest(from: SignalProducer<Int, Never>.empty).map { $0 * 10 + $1 }.start(dropped.observer)
        #expect(dropped.events == [.completed])
    }

    @Test func disposalCancelsBoth() {
        let ended = Atomic(0)
        let producer = SignalProducer<Int, Never>.endless(ended: ended)
            .withLatest(from: SignalProducer<Int, Never>.endless(ended: ended))
        let interrupted = Atomic(0)
        producer.startWithInterrupted { interrupted.modify { $0 += 1 } }.dispose()
        #expect(interrupted.value == 1)
        #expect(ended.value == 2)
    }

    @Test func severalSources() {
        let (source, input) = Signal<Int, Never>.pipe()
        let (second, b) = Signal<Int, Never>.pipe()
        let (third, c) = Signal<String, Never>.pipe()
        let two = EventRecorder<String, Never>()
        let three = EventRecorder<String, Never>()
        let four = EventRecorder<String, Never>()
        let last = SignalProducer<Bool, Never>(value: true)
        source.withLatest(from: second, third).map { "\($0)\($1)\($2)" }.observe(two.observer)
        source.withLatest(from: second, third, last).map { "\($0)\($1)\($2)\($3)" }.observe(three.observer)
        source.withLatest(from: second, third, last, third).map { "\($0)\($1)\($2)\($3)\($4)" }.observe(four.observer)
        input.send(value: 0)
        b.send(value: 1)
        input.send(value: 1)
        c.send(value: "x")
        input.send(value: 2)
        b.sendInterrupted()
        c.send(value: "y")
        c.sendCompleted()
        input.send(value: 3)
        input.sendCompleted()
        #expect(two.events == [.value("21x"), .value("31y"), .completed])
        #expect(three.events == [.value("21xtrue"), .value("31ytrue"), .completed])
        #expect(four.events == [.value("21xtruex"), .value("31ytruey"), .completed])
    }

    @Test func severalProducers() {
        let (third, c) = Signal<String, Never>.pipe()
        let (source, input) = Signal<Int, Never>.pipe()
        let one = SignalProducer<Int, Never>(value: 1)
        let producer = SignalProducer(source)
        let two = EventRecorder<String, Never>()
        let three = EventRecorder<String, Never>()
        let four = EventRecorder<String, Never>()
        producer.withLatest(from: one, third).map { "\($0)\($1)\($2)" }.start(two.observer)
        producer.withLatest(from: one, third, one).map { "\($0)\($1)\($2)\($3)" }.start(three.observer)
        producer.withLatest(from: one, third, one, one).map { "\($0)\($1)\($2)\($3)\($4)" }.start(four.observer)
        input.send(value: 0)
        c.send(value: "x")
        input.send(value: 2)
        #expect(two.values == ["21x"])
        #expect(three.values == ["21x1"])
        #expect(four.values == ["21x11"])
    }

    @Test func `E5: a samplee's value that is sent inside the callback is used for the source's next value`() {
        let (source, input) = Signal<Int, Never>.pipe()
        let (samplee, sample) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let result = source.withLatest(from: samplee).map { $0 * 10 + $1 }
        result.observeValues {
            if $0 < 30 {
                sample.send(value: $0 % 10 + 1)
                input.send(value: $0 / 10 + 1)
            }
        }
        result.observe(recorder.observer)
        sample.send(value: 0)
        input.send(value: 0)
        #expect(recorder.values == [0, 11, 22, 33])
        input.sendCompleted()
        sample.sendCompleted()
    }
}
