@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `Duration`s, and schedulers that follow a clock.
struct DurationTests {
    /// `.seconds(1)` is a `DispatchTimeInterval` where it was one, and a `Duration` where there was none.
    @Test func overloads() {
        let scheduler = TestScheduler()
        let second = Duration.seconds(1)
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<[Int], Never>()
        Signal.merge(
            output.delay(second, on: scheduler).map { [$0] },
            output.debounce(.seconds(1), on: scheduler).map { [$0, 0] },
            output.collect(every: second, on: scheduler, skipEmpty: true).map { $0 + [0, 0] },
            output.collect(every: .seconds(1), on: scheduler, skipEmpty: true).map { $0 + [0, 0] },
            output.sample(every: .milliseconds(1000), on: scheduler).map { [$0, 0, 0, 0] },
            output.throttle(.milliseconds(500), on: scheduler).map { [$0, 0, 0, 0, 0] }
        ).observe(recorder.observer)
        input.send(value: 1)
        scheduler.advance(by: second)
        #expect(Set(recorder.values) == [[1], [1, 0], [1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0, 0]])
        #expect(recorder.values.count == 6)
        // What waits in a test scheduler keeps it alive.
        input.sendCompleted()
        scheduler.advance(by: second)
        #expect(recorder.events.last == .completed)
    }

    @Test func `By default, collect(every:) drops the values of an interval that hasn't ended at the completion`() {
        let scheduler = TestScheduler()
        let second: Duration = .seconds(1)
        let (output, input) = Signal<Int, Never>.pipe()
        let (ofSignal, ofProducer) = (EventRecorder<[Int], Never>(), EventRecorder<[Int], Never>())
        output.collect(every: second, on: scheduler).observe(ofSignal.observer)
        output.producer.collect(every: second, on: scheduler).start(ofProducer.observer)
        input.send(value: 1)
        scheduler.advance(by: second)
        input.send(value: 2)
        input.sendCompleted()
        scheduler.advance(by: second)
        #expect(ofSignal.events == [.value([1]), .completed])
        #expect(ofProducer.events == [.value([1]), .completed])
    }

    @Test func timers() {
        let scheduler = TestScheduler()
        let (ticks, numbers) = (Counter(), Counter())
        let starts = [
            SignalProducer.timer(interval: Duration.seconds(1), on: scheduler)
                .startWithValues { _ in ticks.increment() },
            SignalProducer.interval(Duration.milliseconds(500), on: scheduler)
                .startWithValues { _ in numbers.increment() },
        ]
        scheduler.advance(by: .seconds(3))
        #expect(ticks.value == 3 && numbers.value == 6)
        // What waits in a test scheduler keeps it alive.
        for start in starts { start.dispose() }
    }

    @Test func `Times of actions, of waits and of retries`() async throws {
        let scheduler = TestScheduler()
        let (half, second) = (Duration.milliseconds(500), Duration.seconds(1))
        let start = scheduler.currentDate
        let counts = (0..<3).map { _ in Counter() }
        let repeated = scheduler.schedule(after: start, interval: half) { counts[0].increment() }
        scheduler.schedule(after: start, interval: second, leeway: half) { counts[1].increment() }
        scheduler.schedule(after: half) { counts[2].increment() }
        await scheduler.advance(by: second)
        #expect(counts.map(\.value) == [3, 2, 1])
        repeated?.dispose()
        scheduler.rewind(by: half)
        #expect(scheduler.currentDate == start.addingTimeInterval(0.5))

        #expect(Backoff.constant(half) == Backoff.constant(0.5))
        #expect(Backoff.exponential(from: half) == Backoff.exponential(from: 0.5))
        #expect(
            Backoff.exponential(from: half, factor: 3, upTo: second, jitter: 0)
                == Backoff.exponential(from: 0.5, factor: 3, upTo: 1, jitter: 0))
        #expect(Backoff.exponential(from: .seconds(1)).initial == 1)

        let queue = QueueScheduler(lingering: Duration.microseconds(50))
        #expect(queue.lingerLimit == QueueScheduler(lingering: .microseconds(50)).lingerLimit)
        #expect(QueueScheduler(queue: queue.queue, lingering: Duration.zero).lingerLimit == 0)
        let runs = Counter()
        let timers = [
            queue.schedule(after: queue.currentDate, interval: Duration.milliseconds(1)) { runs.increment() },
            QueueSchedulerPool(count: 1).next.schedule(after: queue.currentDate, interval: Duration.milliseconds(1)) {
                runs.increment()
            },
        ]
        #expect(await Stress.eventually { runs.value >= 4 })
        for timer in timers { timer?.dispose() }
        try await queue.sleep(until: queue.currentDate.addingTimeInterval(0.001), leeway: Duration.milliseconds(1))
        for await _ in queue.timer(interval: Duration.milliseconds(1), bufferingPolicy: .bufferingNewest(1)) { break }
    }

    /// ``RefusedArgumentTests`` tries them.
    static let refused: [Refusal] = [
        Refusal("interval is -1.0 s") { _ = Backoff.constant(Duration.seconds(-1)) },
        Refusal("initial is -1.0 s") { _ = Backoff.exponential(from: Duration.seconds(-1)) },
        Refusal("maximum is -1.0 s") { _ = Backoff.exponential(from: Duration.seconds(1), upTo: .seconds(-1)) },
        Refusal("lingering is -1.0 seconds") { _ = QueueScheduler(lingering: Duration.seconds(-1)) },
        Refusal("lingering is 11.0 ms") { _ = QueueScheduler(lingering: Duration.milliseconds(11)) },
        Refusal("lingering is inf ms") { _ = QueueScheduler(lingering: Duration.seconds(Int64.max)) },
        Refusal("interval is -1.0 seconds") { TestScheduler().rewind(by: Duration.seconds(-1)) },
        Refusal("interval is .never") { TestScheduler().rewind(by: Duration.seconds(Int64.max)) },
        Refusal("interval is -1.0 seconds") {
            QueueScheduler.main.schedule(after: .distantFuture, interval: Duration.seconds(-1)) {}
        },
        Refusal("leeway is -1.0 seconds") {
            QueueScheduler.main.schedule(after: .distantFuture, interval: Duration.zero, leeway: .seconds(-1)) {}
        },
        Refusal("leeway is -1.0 seconds") {
            try await TestScheduler().sleep(until: .distantPast, leeway: Duration.seconds(-1))
        },
        Refusal("date is nan s") {
            ClockScheduler(ContinuousClock()).schedule(after: Date(timeIntervalSinceReferenceDate: .nan)) {}
        },
        Refusal("leeway is -1.0 s") {
            ClockScheduler(ContinuousClock())
                .schedule(after: .distantFuture, interval: .seconds(1), leeway: .seconds(-1)) {}
        },
    ]

    @Test func conversions() {
        #expect(Duration.milliseconds(1500).timeInterval == 1.5)
        #expect(Duration.nanoseconds(7).dispatchInterval() == .nanoseconds(7))
        #expect(Duration.seconds(Int64.max).dispatchInterval() == .never)
    }

    // MARK: Clocks

    /// A clock that a test advances.
    private final class ManualClock: Clock, @unchecked Sendable {  // Its scheduler is thread-safe.
        let scheduler = TestScheduler()

        typealias Instant = TestScheduler.VirtualClock.Instant

        var now: Instant { scheduler.clock.now }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try await scheduler.clock.sleep(until: deadline, tolerance: tolerance)
        }
    }

    @Test func `A task sleeps in virtual time`() async throws {
        let scheduler = TestScheduler()
        let clock = scheduler.clock
        let began = clock.now
        let task = Task {
            try await clock.sleep(for: .seconds(5))
            return began.duration(to: clock.now)
        }
        await scheduler.advance(by: .seconds(4))
        #expect(clock.now == began.advanced(by: .seconds(4)))
        await scheduler.advance(by: .seconds(1))
        #expect(try await task.value == .seconds(5))
        let cancelled = Task { try await clock.sleep(for: .seconds(5)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    /// A scheduler whose time has passed before an action is scheduled.
    private final class LateScheduler: DateScheduler, Sendable {
        private let scheduler = TestScheduler()

        var currentDate: Date { scheduler.currentDate }

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { scheduler.schedule(action) }

        func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
            scheduler.advance(to: date.addingTimeInterval(1))
            return scheduler.schedule(after: date, action: action)
        }

        func schedule(
            after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
            action: sending @escaping () -> Void
        ) -> (any Disposable)? {
            scheduler.advance(to: date.addingTimeInterval(1))
            return scheduler.schedule(after: date, interval: interval, leeway: leeway, action: action)
        }
    }

    @Test func `A task doesn't sleep until a date that passes while it falls asleep`() async {
        let ends = Counter()
        for leeway in [DispatchTimeInterval.nanoseconds(0), .milliseconds(1)] {
            Task.detached {
                try await LateScheduler().sleep(for: .seconds(1), leeway: leeway)
                ends.increment()
            }
        }
        #expect(await Stress.eventually { ends.value == 2 })
    }

    @Test func `Timers follow the clock, in the order of their times`() async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock, on: ImmediateScheduler())
        let order = Atomic<[Int]>([])
        for (number, seconds) in [3.0, 1, 2, 2, 0.5].enumerated() {
            scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(seconds)) {
                order.modify { $0.append(number) }
            }
        }
        let disposed = scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(1.5)) {
            order.modify { $0.append(-1) }
        }
        disposed?.dispose()
        await clock.scheduler.advance(by: .milliseconds(600))
        #expect(await Stress.eventually { order.value == [4] })
        await clock.scheduler.advance(by: .milliseconds(2400))
        #expect(await Stress.eventually { order.value == [4, 1, 2, 3, 0] }, "\(order.value)")
    }

    @Test func `Operators and repeated timers on a clock`() async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock, on: ImmediateScheduler())
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.debounce(.milliseconds(300), on: scheduler).observe(recorder.observer)
        let ticks = Counter()
        let timer = SignalProducer.timer(interval: .seconds(1), on: scheduler).startWithValues { _ in ticks.increment()
        }
        for value in 1...3 {
            input.send(value: value)
            await clock.scheduler.advance(by: .milliseconds(100))
        }
        #expect(recorder.values.isEmpty)
        await clock.scheduler.advance(by: .milliseconds(300))
        #expect(await Stress.eventually { recorder.values == [3] })
        for second in 1...3 {
            await clock.scheduler.advance(by: .seconds(1))
            #expect(await Stress.eventually { ticks.value >= second })
        }
        timer.dispose()
        await clock.scheduler.advance(by: .seconds(5))
        #expect(ticks.value == 3)
    }

    @Test func `When the last timer is disposed of, nothing waits for the clock any more`() async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock, on: ImmediateScheduler())
        let leaks = LeakCounter()
        let timers = (1...3).map { seconds in
            scheduler.schedule(after: .seconds(seconds)) { [token = leaks.token()] in token.touch() }
        }
        #expect(await Stress.eventually { clock.scheduler.pendingCount >= 1 })
        for timer in timers { timer?.dispose() }
        #expect(leaks.count == 0)
        #expect(await Stress.eventually { clock.scheduler.pendingCount == 0 })
        let runs = Counter()
        scheduler.schedule(after: .seconds(5)) { runs.increment() }
        #expect(await Stress.eventually { clock.scheduler.pendingCount == 1 })
        await clock.scheduler.advance(by: .seconds(5))
        #expect(await Stress.eventually { runs.value == 1 })
    }

    @Test
    func `A scheduler that was released goes on until its timers have run, and one without timers is deallocated`()
        async
    {
        let clock = ManualClock()
        let runs = Counter()
        weak var target: QueueScheduler?
        do {
            let queue = QueueScheduler()
            target = queue
            ClockScheduler(clock, on: queue).schedule(after: .seconds(1)) { runs.increment() }
        }
        #expect(await Stress.eventually { clock.scheduler.pendingCount == 1 })
        await clock.scheduler.advance(by: .seconds(1))
        #expect(await Stress.eventually { runs.value == 1 })
        #expect(await Stress.eventually { target == nil })
    }

    /// Dates near the reference date have digits below a nanosecond.
    @Test func `An action never sees a date before its own`() async {
        let clock = ManualClock()
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let scheduler = ClockScheduler(clock, on: ImmediateScheduler(), startDate: start)
        let (runs, early) = (Counter(), Counter())
        for number in 1...100 {
            // A number of a nanosecond's third, for example.
            let date = start.addingTimeInterval(0.1 * Double(number) + 1e-9 / Double(number % 7 + 1))
            scheduler.schedule(after: date) {
                if scheduler.currentDate < date { early.increment() }
                runs.increment()
            }
        }
        await clock.scheduler.advance(by: .seconds(11))
        #expect(await Stress.eventually { runs.value == 100 })
        #expect(early.value == 0)
    }

    @Test(arguments: [true, false])
    func `On real clocks, nothing comes early`(continuous: Bool) async {
        func check<C: Clock>(_ clock: C) async where C.Duration == Duration {
            let scheduler = ClockScheduler(clock)
            let began = clock.now
            let waited: Duration = await withCheckedContinuation { done in
                scheduler.schedule(after: .milliseconds(20)) { done.resume(returning: began.duration(to: clock.now)) }
            }
            // To the digits of a date.
            #expect(waited >= .milliseconds(19.9))
        }
        if continuous { await check(ContinuousClock()) } else { await check(SuspendingClock()) }
    }
}
