import Corinth
import CorinthTesting
import Testing

struct BooleanAggregateTests {
    private func events(
        _ steps: [Step<Bool, Bool>],
        _ combine: (Signal<Bool, TestError>, Signal<Bool, TestError>) -> Signal<Bool, TestError>
    ) -> [Signal<Bool, TestError>.Event] {
        outcome(of: steps) { first, second in
            // The second signal can't fail. A failure of the first is a failure of the aggregate.
            let (widened, input) = Signal<Bool, TestError>.pipe()
            second.observe { event in
                switch event {
                case .value(let value): input.send(value: value)
                case .completed: input.sendCompleted()
                case .interrupted: input.sendInterrupted()
                }
            }
            return combine(first, widened)
        }
    }

    @Test func and() {
        let steps: [Step<Bool, Bool>] = [
            .source(.value(true)), .other(.value(true)), .other(.value(false)), .source(.value(false)),
            .other(.value(true)), .source(.value(true)), .source(.value(true)), .source(.completed),
            .other(.value(false)),
            .other(.completed),
        ]
        let expected: [Signal<Bool, TestError>.Event] = [
            .value(true), .value(false), .value(false), .value(false), .value(true), .value(true), .value(false),
            .completed,
        ]
        #expect(events(steps) { $0.and($1) } == expected)
        #expect(events(steps) { Signal.all([$0, $1]) } == expected)
        #expect(events(steps) { Signal.all($0, $1) } == expected)
    }

    @Test func or() {
        let steps: [Step<Bool, Bool>] = [
            .source(.value(false)), .other(.value(true)), .other(.value(false)), .source(.value(false)),
            .source(.value(true)), .other(.completed), .source(.value(false)), .source(.completed),
        ]
        let expected: [Signal<Bool, TestError>.Event] = [
            .value(true), .value(false), .value(false), .value(true), .value(false), .completed,
        ]
        #expect(events(steps) { $0.or($1) } == expected)
        #expect(events(steps) { Signal.any([$0, $1]) } == expected)
        #expect(events(steps) { Signal.any($0, $1) } == expected)
    }

    @Test(arguments: [Signal<Bool, TestError>.Event.interrupted, .failed(.first)])
    func endsAtOnce(termination: Signal<Bool, TestError>.Event) {
        let steps: [Step<Bool, Bool>] = [.other(.value(true)), .source(termination), .other(.value(true))]
        #expect(events(steps) { $0.and($1) } == [termination])
        #expect(events(steps) { $0.or($1) } == [termination])
    }

    /// Compares every combination of three values with the standard library.
    @Test func threeProducers() {
        for bits in 0..<8 {
            let values = (0..<3).map { bits >> $0 & 1 == 1 }
            let producers = values.map { SignalProducer<Bool, Never>(value: $0) }
            let results = values.map { Result<Bool, Never>.success($0) }
            func check(_ expected: Bool, _ producer: SignalProducer<Bool, Never>) {
                let recorder = EventRecorder<Bool, Never>()
                producer.start(recorder.observer)
                #expect(recorder.events == [.value(expected), .completed])
            }
            let all = values.allSatisfy { $0 }
            check(all, .all(producers))
            check(all, .all(producers[0], producers[1], producers[2]))
            check(all, .all(results))
            check(all, producers[0].and(producers[1]).and(results[2]))
            let any = values.contains(true)
            check(any, .any(producers))
            check(any, .any(producers[0], producers[1], producers[2]))
            check(any, .any(results))
            check(any, producers[0].or(producers[1]).or(results[2]))
        }
    }

    @Test func ofNothing() {
        let recorder = EventRecorder<Bool, Never>()
        SignalProducer<Bool, Never>.all([SignalProducer<Bool, Never>]()).start(recorder.observer)
        SignalProducer<Bool, Never>.any([SignalProducer<Bool, Never>]()).start(recorder.observer)
        SignalProducer<Bool, Never>.any([Result<Bool, Never>]()).start(recorder.observer)
        #expect(recorder.events == [.value(true), .completed, .value(false), .completed, .value(false), .completed])
        let signals = EventRecorder<Bool, Never>()
        Signal<Bool, Never>.all([Signal<Bool, Never>]()).observe(signals.observer)
        #expect(signals.events == [.interrupted])
    }

    @Test func disposalCancelsAll() {
        let ended = Atomic(0)
        let endless = SignalProducer<Bool, Never>.endless(ended: ended)
        let recorder = EventRecorder<Bool, Never>()
        SignalProducer.all(endless, endless, endless).start(recorder.observer).dispose()
        endless.or(endless).start(recorder.observer).dispose()
        #expect(recorder.events == [.interrupted, .interrupted])
        #expect(ended.value == 5)
    }
}
