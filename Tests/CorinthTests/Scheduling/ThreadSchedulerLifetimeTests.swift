import Dispatch
import Foundation
import Testing

@testable import Corinth

/// When the thread ends, and what it does before.
@Suite("Thread scheduler, its end", .serialized)
struct ThreadSchedulerLifetimeTests {
    @Test("It ends when nobody holds the scheduler, after what is queued", arguments: ThreadSchedulerTests.strategies)
    func release(waiting: WaitStrategy) {
        let (gate, runs, live) = (DispatchSemaphore(value: 0), Counter(), Live())
        var scheduler: ThreadScheduler? = ThreadScheduler(waiting: waiting)
        let loop = scheduler.sure.loop
        scheduler?.schedule { gate.wait() }
        for _ in 0..<10 {
            scheduler?.schedule { [token = live.token()] in
                token.touch()
                runs.increment()
            }
        }
        #expect(!loop.hasEnded)
        scheduler = nil
        #expect(!loop.hasEnded)
        gate.signal()
        #expect(Stress.eventually { loop.hasEnded })
        #expect(runs.value == 10)
        #expect(live.count == 0)
    }

    @Test("It ends when its own action gives the scheduler up")
    func releaseOnTheThread() {
        let holder = Holder<ThreadScheduler?>(ThreadScheduler())
        let loop = holder.held.sure.loop
        holder.held?.schedule { holder.release() }
        #expect(Stress.eventually { loop.hasEnded })
    }

    @Test("It waits for delayed actions")
    func delayed() {
        let runs = Counter()
        var scheduler: ThreadScheduler? = ThreadScheduler()
        let loop = scheduler.sure.loop
        scheduler?.schedule(after: .init(timeIntervalSinceNow: 0.02)) {
            #expect(!loop.hasEnded)
            runs.increment()
        }
        scheduler = nil
        #expect(Stress.eventually { loop.hasEnded })
        #expect(runs.value == 1)
    }

    @Test("It doesn't wait for delayed actions that are disposed of, before or after")
    func delayedAndDisposed() {
        let live = Live()
        for disposesBefore in [true, false] {
            var scheduler: ThreadScheduler? = ThreadScheduler()
            let loop = scheduler.sure.loop
            var timers: [any Disposable] = []
            for _ in 0..<20 {
                let once = scheduler?.schedule(after: .distantFuture) { [token = live.token()] in token.touch() }
                let repeated = scheduler?.schedule(after: .distantFuture, interval: .seconds(1), leeway: .seconds(0)) {
                    [token = live.token()] in token.touch()
                }
                timers += [once.sure, repeated.sure]
            }
            if disposesBefore { for timer in timers { timer.dispose() } }
            scheduler = nil
            if !disposesBefore { for timer in timers { timer.dispose() } }
            #expect(Stress.eventually { loop.hasEnded })
            #expect(live.count == 0)
        }
    }

    @Test("Stopped, it runs what is queued, and drops the rest", arguments: ThreadSchedulerTests.strategies)
    func stop(waiting: WaitStrategy) {
        let scheduler = ThreadScheduler(waiting: waiting)
        let (gate, runs, live) = (DispatchSemaphore(value: 0), Counter(), Live())
        scheduler.schedule { gate.wait() }
        for _ in 0..<10 { scheduler.schedule { runs.increment() } }
        let once = scheduler.schedule(after: .distantFuture) { [token = live.token()] in
            token.touch()
            runs.increment()
        }
        let repeated = scheduler.schedule(after: .distantFuture, interval: .seconds(1), leeway: .seconds(0)) {
            [token = live.token()] in
            token.touch()
            runs.increment()
        }
        scheduler.stop()
        scheduler.stop()
        let late = scheduler.schedule { [token = live.token()] in
            token.touch()
            runs.increment()
        }
        #expect(late?.isDisposed == true)
        #expect(live.count == 2)
        gate.signal()
        #expect(Stress.eventually { scheduler.loop.hasEnded && live.count == 0 })
        #expect(runs.value == 10)
        #expect(once?.isDisposed == true && repeated?.isDisposed == true)
        #expect(scheduler.schedule(after: .distantFuture) {}?.isDisposed == true)
    }

    @Test("Many come and go, and none is left")
    func many() {
        let live = Live()
        for _ in 0..<50 {
            let scheduler = ThreadScheduler(waiting: .park)
            scheduler.schedule { [token = live.token()] in token.touch() }
        }
        #expect(Stress.eventually { live.count == 0 })
    }
}
