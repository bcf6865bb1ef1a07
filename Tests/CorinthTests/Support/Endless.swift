import Corinth
import CorinthTesting

extension SignalProducer {
    /// Emits the events of `signal`, and doesn't end by itself. `ended` counts the starts that were cancelled or have ended.
    static func endless(
        ended: Atomic<Int>, _ signal: Signal<Value, Error> = .never
    ) -> SignalProducer<Value, Error> {
        SignalProducer { observer, lifetime in
            lifetime += signal.observe(observer)
            lifetime.observeEnded { ended.modify { $0 += 1 } }
        }
    }
}

/// An event of one of two sources with different types.
enum Step<Value, Other> {
    case source(Signal<Value, TestError>.Event)
    case other(Signal<Other, Never>.Event)
}

extension Step: Sendable where Value: Sendable, Other: Sendable {}

/// Returns what an operator on two signals emits when the signals send these steps in order.
func outcome<Value, Other, Result>(
    of steps: [Step<Value, Other>],
    _ combine: (Signal<Value, TestError>, Signal<Other, Never>) -> Signal<Result, TestError>
) -> [Signal<Result, TestError>.Event] {
    let (source, sourceInput) = Signal<Value, TestError>.pipe()
    let (other, otherInput) = Signal<Other, Never>.pipe()
    let recorder = EventRecorder<Result, TestError>()
    combine(source, other).observe(recorder.observer)
    for step in steps {
        switch step {
        case .source(let event): sourceInput.send(event)
        case .other(let event): otherInput.send(event)
        }
    }
    return recorder.events
}
