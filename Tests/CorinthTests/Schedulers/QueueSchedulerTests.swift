import Corinth
import Dispatch
import Testing

/// Laws C1 and C2.
@Suite("Schedulers")
struct QueueSchedulerTests {
    @Test func `C2: the immediate scheduler runs an action before it returns, and returns no disposable`() {
        let runs = Counter()
        #expect(ImmediateScheduler().schedule { runs.increment() } == nil)
        #expect(runs.value == 1)
    }

    @Test func `C1: actions run one at a time, in FIFO order, on the queue`() {
        let scheduler = QueueScheduler(name: "order")
        let ledger = Ledger(senders: 1)
        let done = DispatchSemaphore(value: 0)
        for number in 0..<1_000 {
            scheduler.schedule {
                dispatchPrecondition(condition: .onQueue(scheduler.queue))
                ledger.receive(.value(Letter(sender: 0, number: number)))
            }
        }
        scheduler.schedule { done.signal() }
        done.wait()
        #expect(ledger.count == 1_000)
        #expect(ledger.isInOrder)
    }

    @Test func `C1: on a concurrent target queue, actions are still serial`() {
        let scheduler = QueueScheduler(queue: DispatchQueue(label: "concurrent", attributes: .concurrent))
        let ledger = Ledger(senders: 1)
        let done = DispatchSemaphore(value: 0)
        for number in 0..<1_000 {
            scheduler.schedule { ledger.receive(.value(Letter(sender: 0, number: number))) }
        }
        scheduler.schedule { done.signal() }
        done.wait()
        #expect(ledger.isInOrder)
    }

    @Test func `C1, C2: an action that is disposed of before it starts doesn't run`() {
        let scheduler = QueueScheduler(name: "disposing")
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let runs = Counter()
        // The queue is busy, so the scheduled action can't have begun.
        scheduler.schedule { gate.wait() }
        let disposed = scheduler.schedule { runs.increment() }
        scheduler.schedule { runs.increment() }
        disposed?.dispose()
        #expect(runs.value == 0)
        gate.signal()
        scheduler.schedule { done.signal() }
        done.wait()
        #expect(runs.value == 1)
        #expect(disposed?.isDisposed == true)
    }
}
