@testable import Corinth
import Dispatch
import Testing

/// Errands of the schedulers that run on dispatch queues.
struct ErrandTests {
    /// An errand that counts its runs, and does something.
    private final class Counting: Errand, @unchecked Sendable {  // As its superclass.
        let runs = Counter()
        let body: () -> Void
        let token: Live.Token?

        init(_ token: Live.Token? = nil, _ body: @escaping () -> Void = {}) {
            self.body = body
            self.token = token
            super.init { errand in
                guard let errand = errand as? Counting else { return }
                errand.runs.increment()
                errand.body()
            }
        }
    }

    @Test func runsOnceForEachPost() {
        let scheduler = QueueScheduler(name: "test")
        let errand = Counting { dispatchPrecondition(condition: .onQueue(scheduler.queue)) }
        for posts in 1...1000 {
            scheduler.post(errand)
            scheduler.queue.sync {}
            #expect(errand.runs.value == posts)
        }
    }

    /// C1: errands and actions of a scheduler run in the order in which they were queued, also if an errand is posted again
    /// in the moment in which its last run ends.
    @Test func keepsOrderWithActions() {
        let scheduler = QueueScheduler(name: "test")
        let errand = Counting()
        let overtaken = Counter()
        for posts in 1...100_000 {
            scheduler.post(errand)
            scheduler.schedule { if errand.runs.value < posts { overtaken.increment() } }
            while errand.runs.value < posts {}
        }
        scheduler.queue.sync {}
        #expect(overtaken.value == 0)
    }

    @Test func mayBePostedByItsOwnRun() async {
        let scheduler = QueueScheduler(name: "test")
        await withCheckedContinuation { continuation in
            let holder = Holder<Counting?>(nil)
            holder.held = Counting {
                guard let errand = holder.held else { return }
                if errand.runs.value < 100 {
                    scheduler.post(errand)
                } else {
                    holder.held = nil
                    continuation.resume()
                }
            }
            holder.held.map { scheduler.post($0) }
        }
    }

    /// It is alive until it has run, and no longer.
    @Test(arguments: [1, 2, 3, 10])
    func lifetime(posts: Int) async {
        let live = Live()
        let scheduler = QueueScheduler(name: "test")
        do {
            let errand = Counting(live.token())
            for _ in 1..<posts {
                scheduler.post(errand)
                scheduler.queue.sync {}
            }
            scheduler.queue.suspend()
            scheduler.post(errand)
        }
        #expect(live.count == 1)
        scheduler.queue.resume()
        #expect(await Stress.eventually { live.count == 0 })
    }

    /// On the main queue, at once if nothing is queued (law C2), and never before what is.
    @Test @MainActor func onTheUIScheduler() async {
        let scheduler = UIScheduler()
        let errand = Counting { dispatchPrecondition(condition: .onQueue(.main)) }
        scheduler.post(errand)
        #expect(errand.runs.value == 1)
        for round in 0..<3 {
            let before = errand.runs.value
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    scheduler.post(errand)
                    scheduler.schedule {
                        #expect(errand.runs.value == before + 1, "round \(round)")
                        continuation.resume()
                    }
                }
            }
        }
        // What was queued has gone: again at once.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        scheduler.post(errand)
        #expect(errand.runs.value == 5)
    }
}
