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

    @Test("A task sleeps in virtual time")
    func virtualClock() async throws {
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

    @Test("Timers follow the clock, in the order of their times")
    func manual() async {
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

    @Test("Operators and repeated timers on a clock")
    func operators() async {
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

    @Test("On real clocks, nothing comes early", arguments: [true, false])
    func real(continuous: Bool) async {
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
