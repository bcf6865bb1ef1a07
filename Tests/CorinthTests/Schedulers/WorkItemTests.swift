@testable import Corinth
import Dispatch
import Testing

/// Work items of schedulers on dispatch queues.
struct WorkItemTests {
    /// A work item that counts its runs and calls a closure.
    private final class Counting: WorkItem, @unchecked Sendable {  // Inherited from its superclass.
        let runs = Counter()
        let body: () -> Void
        let token: LeakCounter.Token?

        init(_ token: LeakCounter.Token? = nil, _ body: @escaping () -> Void = {}) {
            self.body = body
            self.token = token
            super.init { workItem in
                guard let workItem = workItem as? Counting else { return }
                workItem.runs.increment()
                workItem.body()
            }
        }
    }

    @Test func runsOnceForEachPost() {
        let scheduler = QueueScheduler(name: "test")
        let workItem = Counting { dispatchPrecondition(condition: .onQueue(scheduler.queue)) }
        for posts in 1...1000 {
            scheduler.post(workItem)
            scheduler.queue.sync {}
            #expect(workItem.runs.value == posts)
        }
    }

    /// A scheduler's work items and actions run in FIFO order, also if a work item is posted again at the moment its last run
    /// ends.
    @Test func `C1: keeps order with actions`() {
        let scheduler = QueueScheduler(name: "test")
        let workItem = Counting()
        let overtaken = Counter()
        for posts in 1...Stress.fewer(100_000) {
            scheduler.post(workItem)
            scheduler.schedule { if workItem.runs.value < posts { overtaken.increment() } }
            while workItem.runs.value < posts {}
        }
        scheduler.queue.sync {}
        #expect(overtaken.value == 0)
    }

    @Test func mayBePostedByItsOwnRun() async {
        let scheduler = QueueScheduler(name: "test")
        await withCheckedContinuation { continuation in
            let holder = Holder<Counting?>(nil)
            holder.held = Counting {
                guard let workItem = holder.held else { return }
                if workItem.runs.value < 100 {
                    scheduler.post(workItem)
                } else {
                    holder.held = nil
                    continuation.resume()
                }
            }
            holder.held.map { scheduler.post($0) }
        }
    }

    /// A work item stays alive until it has run, and is then released.
    @Test(arguments: [1, 2, 3, 10])
    func lifetime(posts: Int) async {
        let leaks = LeakCounter()
        let scheduler = QueueScheduler(name: "test")
        do {
            let workItem = Counting(leaks.token())
            for _ in 1..<posts {
                scheduler.post(workItem)
                scheduler.queue.sync {}
            }
            scheduler.queue.suspend()
            scheduler.post(workItem)
        }
        #expect(leaks.count == 1)
        scheduler.queue.resume()
        #expect(await Stress.eventually { leaks.count == 0 })
    }

    /// On the main queue, it runs at once if nothing is queued (law C2), and otherwise behind the queued actions.
    @Test @MainActor func onTheUIScheduler() async {
        let scheduler = UIScheduler()
        let workItem = Counting { dispatchPrecondition(condition: .onQueue(.main)) }
        scheduler.post(workItem)
        #expect(workItem.runs.value == 1)
        for round in 0..<3 {
            let before = workItem.runs.value
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    scheduler.post(workItem)
                    scheduler.schedule {
                        #expect(workItem.runs.value == before + 1, "round \(round)")
                        continuation.resume()
                    }
                }
            }
        }
        // The queue is empty again, so it runs at once.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        scheduler.post(workItem)
        #expect(workItem.runs.value == 5)
    }
}
