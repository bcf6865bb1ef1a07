import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

struct DateSchedulerTests {
    private let scheduler = TestScheduler()

    @Test(arguments: [0, 100])
    func sleeping(leeway: Int) async throws {
        let (scheduler, woke) = (scheduler, Flag())
        let task = Task {
            try await scheduler.sleep(for: .seconds(2), leeway: .milliseconds(leeway))
            woke.raise()
        }
        #expect(await Stress.eventually { scheduler.pendingCount == 1 })
        await scheduler.advance(by: .seconds(1))
        #expect(!woke.isRaised)
        await scheduler.advance(by: .seconds(1))
        try await task.value
        #expect(woke.isRaised)
        #expect(scheduler.pendingCount == 0)
    }

    /// A sleep until a past time returns at once.
    @Test func sleepingUntilThePast() async throws {
        try await scheduler.sleep(until: scheduler.currentDate)
        try await scheduler.sleep(until: .distantPast)
        try await scheduler.sleep(for: .seconds(0))
        #expect(scheduler.pendingCount == 0)
    }

    /// Cancellation wakes the task at once, and removes the timer from the scheduler.
    @Test func cancellation() async {
        let scheduler = scheduler
        let task = Task { try await scheduler.sleep(until: .distantFuture) }
        #expect(await Stress.eventually { scheduler.pendingCount == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(scheduler.pendingCount == 0)
    }

    @Test func cancellationBefore() async {
        let scheduler = scheduler
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await scheduler.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(scheduler.pendingCount == 0)
    }

    @Test func timer() async {
        let stream = scheduler.timer(interval: .seconds(2))
        await scheduler.advance(by: .seconds(7))
        var dates: [TimeInterval] = []
        for await date in stream {
            dates.append(date.timeIntervalSinceReferenceDate)
            if dates.count == 3 { break }
        }
        #expect(dates == [2, 4, 6])
    }

    @Test func datesThatWaitAreBounded() async {
        let stream = scheduler.timer(interval: .seconds(1), bufferingPolicy: .bufferingNewest(2))
        await scheduler.advance(by: .seconds(10))
        var dates: [TimeInterval] = []
        for await date in stream {
            dates.append(date.timeIntervalSinceReferenceDate)
            if dates.count == 2 { break }
        }
        #expect(dates == [9, 10])
    }

    /// The timer ends with the task that iterates.
    @Test func timerWhoseTaskIsCancelled() async {
        let scheduler = scheduler
        let task = Task { for await _ in scheduler.timer(interval: .seconds(1)) {} }
        #expect(await Stress.eventually { scheduler.pendingCount == 1 })
        task.cancel()
        await task.value
        #expect(scheduler.pendingCount == 0)
    }

    /// A scheduler that has ended leaves no task asleep, whether the task began to sleep before or after.
    @Test(arguments: [0, 100])
    func onAThreadThatIsStopped(leeway: Int) async {
        let thread = ThreadScheduler(waiting: .park)
        let tasks = (0..<2).map { index in
            Task {
                if index == 0 {
                    try await thread.sleep(for: .seconds(100), leeway: .milliseconds(leeway))
                } else {
                    for await _ in thread.timer(interval: .seconds(100)) {}
                    throw CancellationError()
                }
            }
        }
        try? await thread.sleep(for: .milliseconds(1))
        thread.stop()
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        await #expect(throws: CancellationError.self) { try await thread.sleep(for: .seconds(100)) }
        for await _ in thread.timer(interval: .milliseconds(1)) {}
    }

    @Test(arguments: [QueueSchedulerPool.Shutdown.draining, .cancelling])
    func onAPoolThatIsShutDown(mode: QueueSchedulerPool.Shutdown) async {
        let pool = QueueSchedulerPool(count: 1)
        let task = Task { try await pool.next.sleep(for: .seconds(100)) }
        await pool.shutDown(mode)
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await pool.next.sleep(for: .seconds(100)) }
        for await _ in pool.next.timer(interval: .milliseconds(1)) {}
    }

    @Test func onAQueue() async throws {
        let queue = QueueScheduler(name: "sleeping")
        let date = queue.currentDate.addingTimeInterval(0.01)
        try await queue.sleep(until: date)
        #expect(queue.currentDate >= date)
        for await _ in queue.timer(interval: .milliseconds(1), leeway: .milliseconds(1)) { break }
    }
}
