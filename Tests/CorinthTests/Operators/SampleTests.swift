import Corinth
import CorinthTesting
import Testing

struct SampleTests {
    private func sampled(_ steps: [Step<Int, String>]) -> [Signal<String, TestError>.Event] {
        outcome(of: steps) { source, sampler in source.sample(with: sampler).map { "\($0)\($1)" } }
    }

    @Test func sendsTheLatestValueWhenTheSamplerSends() {
        let events = sampled([
            .other(.value("a")), .source(.value(1)), .source(.value(2)), .other(.value("b")), .other(.value("c")),
            .source(.value(3)), .other(.value("d")),
        ])
        #expect(events == [.value("2b"), .value("2c"), .value("3d")])
    }

    @Test func completesWhenBothHaveCompleted() {
        #expect(sampled([.source(.value(1)), .source(.completed), .other(.value("a"))]) == [.value("1a")])
        #expect(
            sampled([.source(.value(1)), .source(.completed), .other(.value("a")), .other(.completed)])
                == [.value("1a"), .completed])
        #expect(sampled([.source(.value(1)), .other(.completed), .source(.value(2))]) == [])
        #expect(sampled([.other(.completed), .source(.value(2)), .source(.completed)]) == [.completed])
    }

    @Test func failsAtOnce() {
        #expect(sampled([.source(.value(1)), .source(.failed(.second)), .other(.value("a"))]) == [.failed(.second)])
        #expect(sampled([.other(.completed), .source(.failed(.second))]) == [.failed(.second)])
    }

    @Test func isInterruptedWhenEitherIs() {
        #expect(sampled([.source(.interrupted), .other(.value("a"))]) == [.interrupted])
        #expect(sampled([.source(.value(1)), .other(.interrupted), .other(.value("a"))]) == [.interrupted])
        #expect(sampled([.source(.completed), .other(.interrupted)]) == [.interrupted])
    }

    @Test func sampleOn() {
        let events = outcome(of: [
            Step<Int, ()>.other(.value(())), .source(.value(1)), .source(.value(2)), .other(.value(())),
            .source(.completed),
            .other(.value(())), .other(.completed),
        ]) { source, sampler in source.sample(on: sampler) }
        #expect(events == [.value(2), .value(2), .completed])
    }

    /// The source starts first, then the sampler. P1: each start samples independently.
    @Test func producers() {
        let numbers = SignalProducer<Int, Never>([1, 2, 3])
        let with = numbers.sample(with: SignalProducer<String, Never>(["a", "b"])).map { "\($0)\($1)" }
        let on = numbers.sample(on: SignalProducer<(), Never>([(), ()]))
        for _ in 0..<2 {
            let withRecorder = EventRecorder<String, Never>()
            with.start(withRecorder.observer)
            #expect(withRecorder.events == [.value("3a"), .value("3b"), .completed])
            let onRecorder = EventRecorder<Int, Never>()
            on.start(onRecorder.observer)
            #expect(onRecorder.events == [.value(3), .value(3), .completed])
        }
    }

    @Test func convertibleSamplers() {
        let (sampler, sample) = Signal<(), Never>.pipe()
        let with = EventRecorder<Int, Never>()
        let on = EventRecorder<Int, Never>()
        let source = SignalProducer<Int, Never>(value: 7)
        source.sample(with: sampler).map { $0.0 }.start(with.observer)
        source.sample(on: sampler).start(on.observer)
        sample.send(value: ())
        sample.sendCompleted()
        #expect(with.events == [.value(7), .completed])
        #expect(on.events == [.value(7), .completed])
    }

    @Test func disposalAndEndsCancelBoth() {
        let ended = Atomic(0)
        let (sampler, sample) = Signal<(), Never>.pipe()
        let producer = SignalProducer<Int, Never>.endless(ended: ended)
            .sample(on: SignalProducer.endless(ended: ended, sampler))
        let recorder = EventRecorder<Int, Never>()
        producer.start(recorder.observer).dispose()
        #expect(recorder.events == [.interrupted])
        #expect(ended.value == 2)
        producer.start(recorder.observer)
        sample.sendInterrupted()
        #expect(ended.value == 4)
    }

    @Test func `E5: an event that is sent from inside the callback is queued`() {
        let (source, input) = Signal<Int, Never>.pipe()
        let (sampler, sample) = Signal<Int, Never>.pipe()
        let result = source.sample(with: sampler)
        let recorder = EventRecorder<Int, Never>()
        result.observeValues { value, number in
            if number < 3 {
                input.send(value: value + 1)
                sample.send(value: number + 1)
            }
        }
        result.map { $0 * 10 + $1 }.observe(recorder.observer)
        input.send(value: 0)
        sample.send(value: 0)
        #expect(recorder.values == [0, 11, 22, 33])
        input.sendCompleted()
        sample.sendCompleted()
    }

    @Test func nothingIsKept() {
        let leaks = LeakCounter()
        let (source, input) = Signal<LeakCounter.Token, Never>.pipe()
        let (sampler, sample) = Signal<(), Never>.pipe()
        source.sample(on: sampler).observeValues { $0.touch() }
        input.send(value: leaks.token())
        input.send(value: leaks.token())
        #expect(leaks.count == 1)
        sample.send(value: ())
        sample.sendInterrupted()
        #expect(leaks.count == 0)
        _ = input
    }
}
