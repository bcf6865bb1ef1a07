import Dispatch
import Testing

@testable import Corinth

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

    /// Lets each of 300 schedulers compute for a while, and returns on how many threads they did.
    private func threads(_ callbacks: QueueScheduler.Callbacks) -> Int {
        let schedulers = (0..<300).map { QueueScheduler(name: "client \($0)", callbacks: callbacks) }
        let (threads, done) = (Atomic<Set<UInt64>>([]), DispatchGroup())
        for scheduler in schedulers {
            scheduler.schedule {
                let me = ThreadState.current.token
                threads.modify { _ = $0.insert(me) }
            }
            done.enter()
            scheduler.schedule {
                Work.spin(2_000)
                done.leave()
            }
        }
        done.wait()
        return threads.value.count
    }

    @Test func `Schedulers with short callbacks share few threads`() {
        #expect(threads(.short) < 64)
    }

    @Test func `Short callbacks keep the order of each scheduler, and linger only if asked to`() {
        let scheduler = QueueScheduler(callbacks: .short)
        #expect(scheduler.lingerLimit == 0)
        let usual = QueueScheduler().lingerLimit
        #expect(QueueScheduler(callbacks: .short, lingering: .microseconds(20)).lingerLimit == usual)
        let (order, done) = (Atomic<[Int]>([]), DispatchSemaphore(value: 0))
        for number in 0..<1000 { scheduler.schedule { order.modify { $0.append(number) } } }
        scheduler.schedule { done.signal() }
        done.wait(orElse: "the actions haven't run")
        #expect(order.value == Array(0..<1000))
        // A target of one's own decides.
        let target = DispatchQueue(label: "target")
        #expect(QueueScheduler(targeting: target, callbacks: .short).lingerLimit == usual)
    }
}
