import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

extension Date {
    /// A date that is NaN.
    fileprivate static var none: Date { Date(timeIntervalSinceReferenceDate: .nan) }
}

/// Arguments that schedulers and pools refuse, and their behaviour at the largest and smallest times.
struct SchedulerArgumentTests {
    private static var pastEverything: Date { Date(timeIntervalSinceReferenceDate: -.infinity) }

    // MARK: Refused

    /// ``RefusedArgumentTests`` tries them.
    static let refused: [Refusal] = [
        Refusal("date is nan s") { QueueScheduler().schedule(after: .none) {} },
        Refusal("date is nan s") { QueueScheduler().schedule(after: .none, interval: .seconds(1)) {} },
        Refusal("date is nan s") { ThreadScheduler().schedule(after: .none) {} },
        Refusal("date is nan s") {
            ThreadScheduler().schedule(after: .none, interval: .seconds(1), leeway: .seconds(0)) {}
        },
        Refusal("date is nan s") { QueueSchedulerPool(count: 1).next.schedule(after: .none) {} },
        Refusal("date is nan s") {
            QueueSchedulerPool(count: 1).next.schedule(after: .none, interval: .seconds(1)) {}
        },
        Refusal("date is nan s") { try await QueueScheduler().sleep(until: .none) },
        Refusal("interval is -1.0 s") { QueueScheduler().schedule(after: .distantFuture, interval: .seconds(-1)) {} },
        Refusal("interval is -1.0 s") {
            QueueScheduler.main.schedule(after: .distantFuture, interval: .seconds(-1)) {}
        },
        Refusal("leeway is -1.0 s") {
            QueueScheduler.main.schedule(after: .distantFuture, interval: .seconds(1), leeway: .seconds(-1)) {}
        },
        Refusal("interval is -1.0 s") {
            ThreadScheduler().schedule(after: .distantFuture, interval: .seconds(-1), leeway: .seconds(0)) {}
        },
        Refusal("leeway is -1.0 s") {
            ThreadScheduler().schedule(after: .distantFuture, interval: .seconds(1), leeway: .seconds(-1)) {}
        },
        Refusal("leeway is -9") {
            ThreadScheduler().schedule(after: .distantFuture, interval: .seconds(1), leeway: .nanoseconds(.min)) {}
        },
        Refusal("interval is -1.0 s") {
            QueueSchedulerPool(over: [TestScheduler()]).next
                .schedule(after: .distantFuture, interval: .seconds(-1)) {}
        },
        Refusal("leeway is -1.0 s") { try await QueueScheduler().sleep(for: .seconds(1), leeway: .seconds(-1)) },
        Refusal("interval is -1.0 s") { _ = QueueScheduler().timer(interval: .seconds(-1)) },
        Refusal("count is 0") { _ = QueueSchedulerPool(count: 0) },
        Refusal("count is 9223372036854775807") { _ = QueueSchedulerPool(count: .max) },
        Refusal("count is -9223372036854775808") { _ = QueueSchedulerPool(count: .min) },
        Refusal("there are 0 schedulers") { _ = QueueSchedulerPool(over: []) },
        Refusal("capacity is 0") { _ = ThreadScheduler(capacity: 0) },
        Refusal("capacity is 2147483648") { _ = ThreadScheduler(capacity: 1 << 31) },
        Refusal("capacity is 9223372036854775807") { _ = ThreadScheduler(capacity: .max) },
        Refusal("affinity is -1") { _ = ThreadScheduler(affinity: -1) },
        Refusal("affinity is 9223372036854775807") { _ = ThreadScheduler(affinity: .max) },
        Refusal("stackSize is 4096") { _ = try ThreadScheduler(options: .init(stackSize: 4096)) },
        Refusal("the niceness is 20") { _ = try ThreadScheduler(options: .init(scheduling: .nice(20))) },
        Refusal("the priority is 0") { _ = try ThreadScheduler(options: .init(scheduling: .fifo(priority: 0))) },
        Refusal("the priority is 100") {
            _ = try ThreadScheduler(options: .init(scheduling: .roundRobin(priority: 100)))
        },
        Refusal("processors is -1") { _ = try ThreadScheduler(options: .init(processors: [-1])) },
    ]

    // MARK: Accepted

    static let past: [Date] = [.distantPast, pastEverything, Date(timeIntervalSinceReferenceDate: -1e300)]
    static let future: [Date] = [
        .distantFuture, Date(timeIntervalSinceReferenceDate: .infinity), Date(timeIntervalSinceReferenceDate: 1e300),
    ]
    static let endless: [DispatchTimeInterval] = [
        .never, .seconds(.max), .milliseconds(.max), .microseconds(.max), .nanoseconds(.max),
    ]

    /// An action in the past runs at once. An action in the distant future doesn't run.
    @Test(arguments: SchedulerKind.dated)
    func datesFarAway(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let ran = Atomic(0)
        let late = Atomic(0)
        var timers: [(any Disposable)?] = []
        for date in Self.future {
            timers.append(scheduler.schedule(after: date) { late.modify { $0 += 1 } })
            for interval in Self.endless {
                timers.append(
                    scheduler.schedule(after: date, interval: interval, leeway: .seconds(0)) {
                        late.modify { $0 += 1 }
                    })
            }
        }
        for date in Self.past {
            timers.append(scheduler.schedule(after: date) { ran.modify { $0 += 1 } })
            for interval in Self.endless {
                timers.append(
                    scheduler.schedule(after: date, interval: interval, leeway: .seconds(0)) {
                        ran.modify { $0 += 1 }
                    })
            }
        }
        // Each action runs once, because the next time never comes.
        let expected = Self.past.count * (1 + Self.endless.count)
        #expect(await scheduler.eventually { ran.value == expected })
        await scheduler.finish()
        await scheduler.finish()
        #expect(ran.value == expected)
        #expect(late.value == 0)
        for timer in timers { timer?.dispose() }
    }

    /// A timer with unlimited leeway may be late, but doesn't have to be.
    @Test(arguments: SchedulerKind.dated)
    func endlessLeeway(kind: SchedulerKind) async {
        let scheduler = kind.makeDated()
        let ran = Atomic(0)
        var timers: [(any Disposable)?] = []
        for leeway in [DispatchTimeInterval.never, .seconds(.max)] {
            timers.append(
                scheduler.schedule(after: scheduler.currentDate, interval: .never, leeway: leeway) {
                    ran.modify { $0 += 1 }
                })
        }
        timers.append(
            scheduler.schedule(after: .seconds(-1), interval: .never, leeway: .never) { ran.modify { $0 += 1 } })
        #expect(await scheduler.eventually { ran.value == 3 })
        for timer in timers { timer?.dispose() }
    }

    /// The default leeway is a tenth of the interval. An interval that never ends has no leeway.
    @Test func defaultLeewayOfNever() async {
        let ran = Flag()
        let queue = QueueScheduler()
        let first = queue.schedule(after: queue.currentDate, interval: .never) { ran.raise() }
        #expect(await Stress.eventually { ran.isRaised })
        let pooled = QueueSchedulerPool(count: 1).next
        let ranToo = Flag()
        let second = pooled.schedule(after: pooled.currentDate, interval: .never) { ranToo.raise() }
        #expect(await Stress.eventually { ranToo.isRaised })
        first?.dispose()
        second?.dispose()
    }

    @Test(arguments: SchedulerKind.timed, endless.indices)
    func sleepingForever(kind: SchedulerKind, index: Int) async {
        let scheduler = kind.makeDated()
        for leeway in [DispatchTimeInterval.nanoseconds(0), .never] {
            let task = Task { try await scheduler.sleep(for: Self.endless[index], leeway: leeway) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(arguments: SchedulerKind.dated)
    func sleepingUntilThePast(kind: SchedulerKind) async throws {
        let scheduler = kind.makeDated()
        for date in Self.past { try await scheduler.sleep(until: date, leeway: .never) }
        for interval in [DispatchTimeInterval.seconds(.min), .nanoseconds(.min), .nanoseconds(0)] {
            try await scheduler.sleep(for: interval)
        }
    }

    @Test func timerThatNeverFires() async {
        let scheduler = TestScheduler()
        let task = Task {
            for await _ in scheduler.timer(interval: .never, leeway: .never) { Issue.record("it fired") }
        }
        #expect(await Stress.eventually { scheduler.pendingCount == 1 })
        await scheduler.run()
        task.cancel()
        await task.value
        #expect(scheduler.pendingCount == 0)
    }

    // MARK: Conversions

    @Test(arguments: [
        (DispatchTimeInterval.never, UInt64.max, 0 as UInt64), (.seconds(.max), .max, 0),
        (.milliseconds(.max), .max, 0), (.nanoseconds(.max), UInt64(Int.max), UInt64(Int.max)),
        (.nanoseconds(0), 0, 0), (.seconds(1), 1_000_000_000, 1_000_000_000),
    ])
    func nanoseconds(interval: DispatchTimeInterval, whole: UInt64, leeway: UInt64) {
        #expect(interval.wholeNanoseconds == whole)
        #expect(interval.leewayNanoseconds == leeway)
    }
}
