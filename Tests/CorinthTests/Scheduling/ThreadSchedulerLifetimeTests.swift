@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

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

    @Test("Stopped, it lets those go on that wait for room")
    func stopWhileOthersWait() {
        let (runs, live) = (Counter(), Live())
        for _ in 0..<20 {
            let scheduler = ThreadScheduler(waiting: .park, capacity: 2)
            let gate = DispatchSemaphore(value: 0)
            scheduler.schedule { gate.wait() }
            let begun = Counter()
            Crew.run(9) { index in
                if index == 8 {
                    #expect(Stress.eventually { begun.value == 8 })
                    scheduler.stop()
                    gate.signal()
                    return
                }
                begun.increment()
                for _ in 0..<3 {
                    scheduler.schedule { [token = live.token()] in
                        token.touch()
                        runs.increment()
                    }
                }
            }
        }
        #expect(Stress.eventually { live.count == 0 })
    }

    #if !NaiveLocks  // There, a sender doesn't know what it waits for.
        @Test("Who sends to a hop there waits for room no more")
        func hopOfOneThatHasEnded() {
            let scheduler = ThreadScheduler(waiting: .park)
            let (signal, input) = Signal<Int, Never>.pipe()
            let statistics = BufferStatistics()
            signal.observe(
                on: scheduler, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .seconds(3600)),
                statistics: statistics
            ).observeValues { _ in }
            scheduler.stop()
            #expect(Stress.eventually { scheduler.loop.hasEnded })
            for value in 0..<10 { input.send(value: value) }
            #expect(statistics.delivered == 0)
        }
    #endif

    @Test("Stopped, it interrupts what delivers on it, when it has delivered what is queued", arguments: [false, true])
    func stopWithStreams(asProducers: Bool) {
        let scheduler = ThreadScheduler(waiting: .park)
        let recorder = EventRecorder<Int, TestError>()
        let statistics = BufferStatistics()
        let gate = DispatchSemaphore(value: 0)
        let ends = Counter()
        let (signal, input) = Signal<Int, TestError>.pipe()
        func observe(_ operation: (SignalProducer<Int, TestError>) -> SignalProducer<Int, TestError>) {
            operation(SignalProducer(signal)).start { event in
                guard event.isTerminating else { return }
                #expect(event == .interrupted && scheduler.loop.isCurrent)
                ends.increment()
            }
        }
        if asProducers {
            SignalProducer(signal).observe(on: scheduler, bufferingPolicy: .unbounded, statistics: statistics)
                .start(recorder.observer)
        } else {
            signal.observe(on: scheduler, bufferingPolicy: .unbounded, statistics: statistics)
                .observe(recorder.observer)
        }
        observe { $0.observe(on: scheduler) }
        observe { $0.delay(3600, on: scheduler) }
        observe { $0.throttle(3600, on: scheduler) }
        observe { $0.debounce(3600, on: scheduler) }
        observe { $0.collect(every: .seconds(3600), on: scheduler).map(\.count) }
        signal.delay(3600, on: scheduler).observeInterrupted { ends.increment() }
        scheduler.schedule { gate.wait() }
        for value in 0..<100 { input.send(value: value) }
        scheduler.stop()
        #expect(recorder.events.isEmpty)
        gate.signal()
        #expect(Stress.eventually { ends.value == 6 && recorder.termination != nil })
        #expect(recorder.values == Array(0..<100) && recorder.termination == .interrupted)
        for value in 0..<10 { input.send(value: value) }
        #expect(statistics.delivered == 100 && statistics.waiting == 0)
        // What comes too late.
        let late = EventRecorder<Int, TestError>()
        SignalProducer(signal).observe(on: scheduler).start(late.observer)
        signal.observe(on: scheduler).observe(late.observer)
        SignalProducer(signal).delay(1, on: scheduler).start(late.observer)
        signal.delay(1, on: scheduler).observe(late.observer)
        #expect(late.events == Array(repeating: .interrupted, count: 4))
    }

    @Test("Stopped under fire, every value is accounted for, and every stream ends")
    func stopUnderFire() {
        for _ in 0..<20 {
            let scheduler = ThreadScheduler(waiting: .park, capacity: 16)
            let statistics = BufferStatistics()
            let ends = Counter()
            do {
                let streams = (0..<2).map { _ in Signal<Int, Never>.pipe() }
                for stream in streams {
                    stream.output.observe(on: scheduler, bufferingPolicy: .unbounded, statistics: statistics)
                        .observe { if $0.isTerminating { ends.increment() } }
                }
                Crew.run([
                    { for value in 0..<2000 { streams[0].input.send(value: value) } },
                    { for value in 0..<2000 { streams[1].input.send(value: value) } },
                    { scheduler.stop() },
                ])
                #expect(Stress.eventually { ends.value == 2 })
            }
            #if !NaiveLocks  // There, what is refused is let go of uncounted.
                #expect(Stress.eventually { statistics.waiting == 0 })
            #endif
        }
    }

    @Test("A stream that has ended leaves nothing with the scheduler")
    func leavesNothing() {
        let scheduler = ThreadScheduler(waiting: .park)
        let live = Live()
        for end in [Signal<Live.Token, TestError>.Event.completed, .failed(.first), .interrupted] {
            let (signal, input) = Signal<Live.Token, TestError>.pipe()
            let token = live.token()
            signal.observe(on: scheduler).on(value: { _ in token.touch() }).observe { _ in }
            SignalProducer(signal).debounce(0, on: scheduler).on(value: { _ in token.touch() }).start()
            input.send(value: live.token())
            input.send(end)
        }
        #expect(Stress.eventually { live.count == 0 })
        withExtendedLifetime(scheduler) {}
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
