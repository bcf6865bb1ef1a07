import Corinth
import CorinthTesting
import Dispatch
import Testing

/// An operator with a timer, for tests of what all such operators have in common.
struct TimedOperator: CustomTestStringConvertible, Sendable {
    typealias Producer = SignalProducer<String, MarbleError>
    typealias Source = Signal<String, MarbleError>

    let testDescription: String
    let produce: @Sendable (Producer, TestScheduler) -> Producer
    let derive: @Sendable (Source, TestScheduler) -> Source

    /// Operators that hold values and deliver them on their scheduler.
    static let delivering: [TimedOperator] = [
        TimedOperator(
            testDescription: "delay", produce: { $0.delay(3, on: $1) }, derive: { $0.delay(3, on: $1) }),
        TimedOperator(
            testDescription: "throttle", produce: { $0.throttle(3, on: $1) }, derive: { $0.throttle(3, on: $1) }),
        TimedOperator(
            testDescription: "throttle, waiting",
            produce: { $0.throttle(3, on: $1, edges: .trailing) },
            derive: { $0.throttle(3, on: $1, edges: .trailing) }),
        TimedOperator(
            testDescription: "debounce", produce: { $0.debounce(3, on: $1) }, derive: { $0.debounce(3, on: $1) }),
        TimedOperator(
            testDescription: "debounce, waiting",
            produce: { $0.debounce(3, on: $1, edges: .both) }, derive: { $0.debounce(3, on: $1, edges: .both) }),
        TimedOperator(
            testDescription: "collect every",
            produce: { $0.collect(every: .seconds(3), on: $1).map { $0.joined() } },
            derive: { $0.collect(every: .seconds(3), on: $1).map { $0.joined() } }),
        TimedOperator(
            testDescription: "collect every, waiting",
            produce: {
                $0.collect(every: .seconds(3), on: $1, skipEmpty: true, discardWhenCompleted: false).map { $0.joined() }
            },
            derive: {
                $0.collect(every: .seconds(3), on: $1, skipEmpty: true, discardWhenCompleted: false).map { $0.joined() }
            }),
        TimedOperator(
            testDescription: "collect within",
            produce: { $0.collect(count: 2, within: 3, on: $1).map { $0.joined() } },
            derive: { $0.collect(count: 2, within: 3, on: $1).map { $0.joined() } }),
        TimedOperator(
            testDescription: "sample",
            produce: { $0.sample(every: .seconds(3), on: $1) }, derive: { $0.sample(every: .seconds(3), on: $1) }),
    ]

    /// Operators that pass values on in the sender's context.
    static let passing: [TimedOperator] = [
        TimedOperator(
            testDescription: "timeout",
            produce: { $0.timeout(after: 9, raising: MarbleError(), on: $1) },
            derive: { $0.timeout(after: 9, raising: MarbleError(), on: $1) }),
        TimedOperator(
            testDescription: "timeout per value",
            produce: { $0.timeout(perValue: 9, raising: MarbleError(), on: $1) },
            derive: { $0.timeout(perValue: 9, raising: MarbleError(), on: $1) }),
        TimedOperator(
            testDescription: "window",
            produce: { $0.window(count: 2, within: 3, on: $1).map { _ in "w" } },
            derive: { $0.window(count: 2, within: 3, on: $1).map { _ in "w" } }),
        TimedOperator(
            testDescription: "window every",
            produce: { $0.window(every: .seconds(3), on: $1).map { _ in "w" } },
            derive: { $0.window(every: .seconds(3), on: $1).map { _ in "w" } }),
    ]
}
