import Corinth
import Dispatch
import Foundation
import Testing

/// These tests use real time, but don't depend on how much of it passes.
struct QueueSchedulerTimersTests {
    private let scheduler = QueueScheduler(name: "timers")

    @Test func notBeforeItsTime() async {
        let scheduler = scheduler
        let date = scheduler.currentDate.addingTimeInterval(0.02)
        await withCheckedContinuation { continuation in
            scheduler.schedule(after: date) {
                dispatchPrecondition(condition: .onQueue(scheduler.queue))
                #expect(scheduler.currentDate >= date)
                continuation.resume()
            }
        }
    }

    @Test func `C1: an action that is already due keeps its place in FIFO order`() {
        let order = Atomic<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        scheduler.schedule { order.modify { $0.append(0) } }
        scheduler.schedule(after: .distantPast) { order.modify { $0.append(1) } }
        scheduler.schedule(after: scheduler.currentDate) { order.modify { $0.append(2) } }
        scheduler.schedule { done.signal() }
        done.wait()
        #expect(order.value == [0, 1, 2])
    }

    /// An action that is disposed of is released at once, however late its time. An action that has run is released, too.
    @Test func disposal() {
        let leaks = LeakCounter()
        let runs = Counter()
        for date in [scheduler.currentDate.addingTimeInterval(3600), .distantFuture] {
            let disposable = scheduler.schedule(after: date) { [token = leaks.token()] in
                token.touch()
                runs.increment()
            }
            #expect(leaks.count == 1)
            disposable?.dispose()
            #expect(leaks.count == 0)
            #expect(disposable?.isDisposed == true)
        }
        #expect(runs.value == 0)
        let gate = DispatchSemaphore(value: 0)
        scheduler.schedule { gate.wait() }
        let queued = scheduler.schedule { [token = leaks.token()] in token.touch() }
        queued?.dispose()
        #expect(leaks.count == 0)
        gate.signal()
    }

    @Test func repetition() async {
        let scheduler = scheduler
        let runs = Counter()
        let leaks = LeakCounter()
        let handle = SerialDisposable()
        await withCheckedContinuation { continuation in
            handle.inner = scheduler.schedule(after: scheduler.currentDate, interval: .milliseconds(1)) {
                [token = leaks.token()] in
                token.touch()
                dispatchPrecondition(condition: .onQueue(scheduler.queue))
                if runs.increment() == 5 {
                    handle.dispose()
                    continuation.resume()
                }
            }
        }
        // The queue releases the action. After that, no run is possible.
        #expect(await Stress.eventually { leaks.count == 0 })
        #expect(runs.value == 5)
    }

    @Test func repetitionThatIsDisposedOf() {
        let leaks = LeakCounter()
        let runs = Counter()
        let timer = scheduler.schedule(after: .seconds(3600), interval: .seconds(1)) { [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        timer?.dispose()
        #expect(Stress.eventually { leaks.count == 0 })
        #expect(runs.value == 0)
    }

    @Test func operators() async {
        let scheduler = scheduler
        let values = Atomic<[Int]>([])
        await withCheckedContinuation { continuation in
            SignalProducer<Int, Never>.interval([1, 2, 3], interval: .milliseconds(1), on: scheduler)
                .delay(0.002, on: scheduler)
                .start { event in
                    dispatchPrecondition(condition: .onQueue(scheduler.queue))
                    if let value = event.value { values.modify { $0.append(value) } } else { continuation.resume() }
                }
        }
        #expect(values.value == [1, 2, 3])
    }
}
