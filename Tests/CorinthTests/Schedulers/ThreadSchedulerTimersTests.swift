import Dispatch
import Foundation
import Testing

@testable import Corinth

/// These tests use real time, but don't depend on how much of it passes.
@Suite("Thread scheduler, timers", .serialized)
struct ThreadSchedulerTimersTests {
    @Test(arguments: ThreadSchedulerTests.strategies)
    func `C2: no action runs before its time`(waiting: WaitStrategy) {
        let scheduler = ThreadScheduler(waiting: waiting)
        let date = scheduler.currentDate.addingTimeInterval(0.02)
        let done = DispatchSemaphore(value: 0)
        scheduler.schedule(after: date) {
            #expect(scheduler.loop.isCurrent)
            #expect(scheduler.currentDate >= date)
            done.signal()
        }
        done.wait()
    }

    @Test(arguments: ThreadSchedulerTests.strategies)
    func `A timer fires on a thread that always has work`(waiting: WaitStrategy) {
        let scheduler = ThreadScheduler(waiting: waiting)
        let (isOver, done) = (Flag(), DispatchSemaphore(value: 0))
        @Sendable func work() {
            if !isOver.isRaised { scheduler.schedule(work) }
        }
        // More than a batch.
        for _ in 0..<100 { scheduler.schedule(work) }
        scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(0.005)) {
            isOver.raise()
            done.signal()
        }
        done.wait(orElse: "the timer has not fired")
    }

    @Test func `C1: an action that is already due keeps its place in FIFO order`() {
        let scheduler = ThreadScheduler()
        let order = Atomic<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        scheduler.schedule { order.modify { $0.append(0) } }
        scheduler.schedule(after: .distantPast) { order.modify { $0.append(1) } }
        scheduler.schedule(after: scheduler.currentDate) { order.modify { $0.append(2) } }
        scheduler.schedule { done.signal() }
        done.wait()
        #expect(order.value == [0, 1, 2])
    }

    @Test func `Actions run in the order of their times; actions with equal times run in the order of scheduling`() {
        let scheduler = ThreadScheduler()
        let order = Atomic<[Int]>([])
        let (scheduled, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Nothing runs before everything is scheduled, however long that takes.
        scheduler.schedule { scheduled.wait() }
        let start = scheduler.currentDate.addingTimeInterval(0.05)
        var generator = SystemRandomNumberGenerator()
        var expected: [(step: Int, index: Int)] = []
        for index in 0..<200 {
            let step = Int.random(in: 0..<20, using: &generator)
            expected.append((step, index))
            scheduler.schedule(after: start.addingTimeInterval(Double(step) / 10_000)) {
                order.modify { $0.append(index) }
            }
        }
        scheduler.schedule(after: start.addingTimeInterval(0.003)) { done.signal() }
        scheduled.signal()
        done.wait()
        expected.sort { ($0.step, $0.index) < ($1.step, $1.index) }
        #expect(order.value == expected.map(\.index))
    }

    @Test func `An action that is disposed of is released at once, however late its time`() {
        let scheduler = ThreadScheduler()
        let (runs, leaks) = (Counter(), LeakCounter())
        var timers: [any Disposable] = []
        for index in 0..<1_000 {
            let date = index % 2 == 0 ? Date.distantFuture : scheduler.currentDate.addingTimeInterval(3600)
            timers.append(
                scheduler.schedule(after: date) { [token = leaks.token()] in
                    token.touch()
                    runs.increment()
                }.sure)
        }
        #expect(leaks.count == 1_000)
        for timer in timers { timer.dispose() }
        #expect(leaks.count == 0)
        #expect(timers.allSatisfy { $0.isDisposed })
        // The thread continues with the other actions.
        let done = DispatchSemaphore(value: 0)
        scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(0.001)) { done.signal() }
        done.wait()
        #expect(runs.value == 0)
    }

    @Test func `A thread that waits only for a time that never comes still runs newly scheduled actions`() {
        let scheduler = ThreadScheduler()
        let distant = scheduler.schedule(after: .distantFuture) {
            Issue.record("the action for the distant future ran")
        }
        for _ in 0..<3 {
            // Enough time for the thread to begin to wait.
            Thread.sleep(forTimeInterval: 0.02)
            let done = DispatchSemaphore(value: 0)
            scheduler.schedule { done.signal() }
            done.wait()
        }
        distant?.dispose()
    }

    @Test func `A repetition continues until its own action or another thread disposes of it`() {
        let scheduler = ThreadScheduler()
        let (runs, leaks) = (Counter(), LeakCounter())
        let handle = SerialDisposable()
        let done = DispatchSemaphore(value: 0)
        handle.inner = scheduler.schedule(after: scheduler.currentDate, interval: .milliseconds(1), leeway: .seconds(0))
        {
            [token = leaks.token()] in
            token.touch()
            if runs.increment() == 5 {
                handle.dispose()
                done.signal()
            }
        }
        done.wait()
        #expect(Stress.eventually { leaks.count == 0 })
        #expect(runs.value == 5)

        let endless = scheduler.schedule(after: .distantPast, interval: .seconds(0), leeway: .seconds(0)) {
            [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        // A repetition that is always due lets other actions run.
        #expect(Stress.eventually { runs.value > 1_000 })
        scheduler.schedule { done.signal() }
        done.wait()
        endless?.dispose()
        #expect(Stress.eventually { leaks.count == 0 })
    }

    @Test func operators() {
        let scheduler = ThreadScheduler()
        let values = Atomic<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        SignalProducer<Int, Never>.interval([1, 2, 3], interval: .milliseconds(1), on: scheduler)
            .delay(0.002, on: scheduler)
            .start { event in
                #expect(scheduler.loop.isCurrent)
                if let value = event.value { values.modify { $0.append(value) } } else { done.signal() }
            }
        done.wait()
        #expect(values.value == [1, 2, 3])
    }

    @Test func sleeping() async throws {
        let scheduler = ThreadScheduler()
        let date = scheduler.currentDate.addingTimeInterval(0.01)
        try await scheduler.sleep(until: date)
        #expect(scheduler.currentDate >= date)
    }
}
