import Corinth
import CorinthTesting
import Foundation
import Testing

/// Every operator with a timer continues if the clock is set by an hour while it waits, forwards or backwards.
struct ClockJumpTests {
    typealias Source = SignalProducer<Int, TestError>
    typealias Result = SignalProducer<String, TestError>

    /// A delivered value and its time.
    struct Delivery: Equatable {
        let time: TimeInterval
        let what: String
    }

    /// An operator, and the times of the source's values.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let times: [TimeInterval]
        /// How much later than without a jump a value may come, in seconds.
        let slack: TimeInterval
        let apply: @Sendable (Source, JumpingClock) -> Result

        init(
            _ name: String, _ times: [TimeInterval], slack: TimeInterval = 0,
            _ apply: @escaping @Sendable (Source, JumpingClock) -> Result
        ) {
            testDescription = name
            self.times = times
            self.slack = slack
            self.apply = apply
        }

        /// Returns what the operator delivers. The source completes at 40, or never if it has no times.
        func run(_ jumps: [(time: TimeInterval, distance: TimeInterval)]) -> [Delivery] {
            let clock = JumpingClock()
            let (signal, input) = Signal<Int, TestError>.pipe()
            let log = Atomic<[Delivery]>([])
            func note(_ what: String) { log.modify { $0.append(Delivery(time: clock.time, what: what)) } }
            let start = apply(SignalProducer(signal), clock).start { event in
                switch event {
                case .value(let value): note(value)
                case .failed: note("failed")
                case .completed: note("completed")
                case .interrupted: note("interrupted")
                }
            }
            var steps: [(time: TimeInterval, action: () -> Void)] = []
            for (value, time) in times.enumerated() { steps.append((time, { input.send(value: value) })) }
            if !times.isEmpty { steps.append((40, { input.sendCompleted() })) }
            for jump in jumps { steps.append((jump.time, { clock.jump(by: jump.distance) })) }
            for step in steps.sorted(by: { $0.time < $1.time }) {
                clock.scheduler.advance(to: Date(timeIntervalSinceReferenceDate: step.time))
                step.action()
            }
            clock.scheduler.advance(to: Date(timeIntervalSinceReferenceDate: 60))
            let deliveries = log.value
            start.dispose()
            clock.scheduler.run()
            return deliveries
        }
    }

    private static let eachSecond = (1...20).map { Double($0) }
    private static let bursts: [TimeInterval] = [1, 1.5, 2, 8, 8.5, 9.5, 15, 15.5, 22]

    /// Operators that deliver the same values with and without a jump. Some may deliver them later.
    static let cases = [
        Case("delay", eachSecond, slack: 3) { $0.map { "\($0)" }.delay(3, on: $1) },
        Case("delay, rarely", bursts, slack: 3) { $0.map { "\($0)" }.delay(3, on: $1) },
        Case("pace", bursts, slack: 3) { $0.map { "\($0)" }.pace(1, per: 3, on: $1) },
        Case("debounce", bursts, slack: 3) { $0.map { "\($0)" }.debounce(3, on: $1) },
        Case("debounce, waiting", bursts, slack: 3) {
            $0.map { "\($0)" }.debounce(3, on: $1, edges: .trailing, discardWhenCompleted: false)
        },
        Case("collect within", bursts, slack: 3) { $0.collect(count: 3, within: 3, on: $1).map { "\($0)" } },
        Case("collect every", eachSecond) { $0.collect(every: .seconds(3), on: $1).map { "\($0)" } },
        Case("sample every", eachSecond) { $0.sample(every: .seconds(3), on: $1).map { "\($0)" } },
        Case("timeout", eachSecond) { $0.map { "\($0)" }.timeout(after: 15, raising: .first, on: $1) },
        Case("timeout per value", eachSecond, slack: 3) {
            $0.map { "\($0)" }.timeout(perValue: 3, raising: .first, on: $1)
        },
        Case("window every", eachSecond) {
            $0.window(every: .seconds(3), on: $1).flatMap(.concat) { $0.collect().map { "\($0)" } }
        },
        Case("window within", eachSecond) {
            $0.window(count: 9, within: 3, on: $1).flatMap(.concat) { $0.collect().map { "\($0)" } }
        },
        Case("group", [1, 1.5, 2, 12, 12.5, 13, 23, 23.5, 24, 35], slack: 2) {
            $0.group(limit: 9, idle: 2, on: $1) { $0 / 3 }.flatMap(.merge) { group in
                group.producer.map { "\($0)" }.concat(SignalProducer(value: "end of \(group.key)"))
            }
        },
        Case("retry", []) { _, clock in
            SignalProducer(error: TestError.first).retry(upTo: 3, backoff: .constant(5), on: clock)
        },
        Case("retry for some time", []) { _, clock in
            SignalProducer(error: TestError.first).retry(.constant(.seconds(5)).limited(to: .seconds(12)), on: clock)
        },
        Case("delay of the subscription", []) { _, clock in
            SignalProducer(value: "value").delaySubscription(12, on: clock)
        },
        Case("interval", []) { _, clock in
            SignalProducer.interval(["a", "b", "c", "d"], interval: .seconds(4), on: clock).promoteError()
        },
        Case("timer", []) { _, clock in
            SignalProducer.timer(interval: .seconds(4), on: clock).map { _ in "tick" }.promoteError()
        },
    ]

    static let jumps: [(time: TimeInterval, distance: TimeInterval)] =
        [1.7, 2.2, 9.9, 10.5, 16.25].flatMap { time in [(time, -3600), (time, 3600)] }

    private func expectSame(_ jumped: [Delivery], as expected: [Delivery], slack: TimeInterval) {
        #expect(jumped.map(\.what) == expected.map(\.what))
        for (late, usual) in zip(jumped, expected) {
            #expect(late.time >= usual.time - 0.001, "\(late), early")
            #expect(late.time <= usual.time + slack + 0.001, "\(late), late")
        }
    }

    @Test(
        arguments: cases,
        jumps)
    func `After a jump, the same values are delivered, never early and at most one interval late`(
        operation: Case, jump: (time: TimeInterval, distance: TimeInterval)
    ) {
        let expected = operation.run([])
        #expect(!expected.isEmpty)
        expectSame(operation.run([jump]), as: expected, slack: operation.slack)
    }

    @Test(arguments: cases)
    func `After two jumps, the same values are delivered`(operation: Case) {
        for distances in [[3600.0, -3600], [-3600, 3600], [-3600, -3600], [3600, 3600]] {
            let jumped = operation.run([(4.3, distances[0]), (15.2, distances[1])])
            expectSame(jumped, as: operation.run([]), slack: 2 * operation.slack)
        }
    }

    /// The operator can't know how much of its interval is left. It may start a new interval, but it continues.
    @Test(arguments: jumps)
    func `Throttle continues after a jump, at its rate for all values but one`(
        jump: (time: TimeInterval, distance: TimeInterval)
    ) {
        for edges in [IntervalEdges.both, .leading, .trailing] {
            let operation = Case("throttle", ClockJumpTests.eachSecond) {
                $0.map { "\($0)" }.throttle(3, on: $1, edges: edges)
            }
            let (jumped, expected) = (operation.run([jump]), operation.run([]))
            #expect(abs(jumped.count - expected.count) <= 1)
            #expect(jumped.last == expected.last)
            let gaps = zip(jumped, jumped.dropFirst()).map { $1.time - $0.time }.dropLast()
            #expect(gaps.allSatisfy { $0 <= 7 }, "\(jumped)")
            #expect(gaps.filter { $0 < 2.999 }.count <= 1, "\(jumped)")
        }
    }
}
