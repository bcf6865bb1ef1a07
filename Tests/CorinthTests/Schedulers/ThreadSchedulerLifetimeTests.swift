@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// When the thread of a scheduler ends, and what it does before that.
@Suite("Thread scheduler, its end", .serialized)
struct ThreadSchedulerLifetimeTests {
    @Test(arguments: ThreadSchedulerTests.strategies)
    func `The thread ends after the queued actions when the scheduler is released`(waiting: WaitStrategy) {
        let (gate, runs, leaks) = (DispatchSemaphore(value: 0), Counter(), LeakCounter())
        var scheduler: ThreadScheduler? = ThreadScheduler(waiting: waiting)
        let loop = scheduler.sure.loop
        scheduler?.schedule { gate.wait() }
        for _ in 0..<10 {
            scheduler?.schedule { [token = leaks.token()] in
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
        #expect(leaks.count == 0)
    }

    @Test func `The thread ends when its own action releases the scheduler`() {
        let holder = Holder<ThreadScheduler?>(ThreadScheduler())
        let loop = holder.held.sure.loop
        holder.held?.schedule { holder.release() }
        #expect(Stress.eventually { loop.hasEnded })
    }

    @Test func `The thread waits for delayed actions`() {
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

    @Test func `The thread doesn't wait for delayed actions that are disposed of, before or after the release`() {
        let leaks = LeakCounter()
        for disposesBefore in [true, false] {
            var scheduler: ThreadScheduler? = ThreadScheduler()
            let loop = scheduler.sure.loop
            var timers: [any Disposable] = []
            for _ in 0..<20 {
                let once = scheduler?.schedule(after: .distantFuture) { [token = leaks.token()] in token.touch() }
                let repeated = scheduler?.schedule(after: .distantFuture, interval: .seconds(1), leeway: .seconds(0)) {
                    [token = leaks.token()] in token.touch()
                }
                timers += [once.sure, repeated.sure]
            }
            if disposesBefore { for timer in timers { timer.dispose() } }
            scheduler = nil
            if !disposesBefore { for timer in timers { timer.dispose() } }
            #expect(Stress.eventually { loop.hasEnded })
            #expect(leaks.count == 0)
        }
    }

    @Test(arguments: ThreadSchedulerTests.strategies)
    func `A stopped thread runs the queued actions and drops the rest`(waiting: WaitStrategy) {
        let scheduler = ThreadScheduler(waiting: waiting)
        let (gate, runs, leaks) = (DispatchSemaphore(value: 0), Counter(), LeakCounter())
        scheduler.schedule { gate.wait() }
        for _ in 0..<10 { scheduler.schedule { runs.increment() } }
        let once = scheduler.schedule(after: .distantFuture) { [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        let repeated = scheduler.schedule(after: .distantFuture, interval: .seconds(1), leeway: .seconds(0)) {
            [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        scheduler.stop()
        scheduler.stop()
        let late = scheduler.schedule { [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        #expect(late?.isDisposed == true)
        #expect(leaks.count == 2)
        gate.signal()
        #expect(Stress.eventually { scheduler.loop.hasEnded && leaks.count == 0 })
        #expect(runs.value == 10)
        #expect(once?.isDisposed == true && repeated?.isDisposed == true)
        #expect(scheduler.schedule(after: .distantFuture) {}?.isDisposed == true)
    }

    @Test func `A stopped thread releases the threads that wait for capacity`() {
        let (runs, leaks) = (Counter(), LeakCounter())
        for _ in 0..<20 {
            let scheduler = ThreadScheduler(waiting: .park, capacity: 2)
            let gate = DispatchSemaphore(value: 0)
            scheduler.schedule { gate.wait() }
            let begun = Counter()
            ThreadGroup.run(9) { index in
                if index == 8 {
                    #expect(Stress.eventually { begun.value == 8 })
                    scheduler.stop()
                    gate.signal()
                    return
                }
                begun.increment()
                for _ in 0..<3 {
                    scheduler.schedule { [token = leaks.token()] in
                        token.touch()
                        runs.increment()
                    }
                }
            }
        }
        #expect(Stress.eventually { leaks.count == 0 })
    }

    #if !NaiveLocks  // In the naive build, a sender doesn't know what it waits for.
        @Test func `A sender to a hop on a stopped thread no longer waits for capacity`() {
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

    @Test(arguments: [false, true])
    func `A stopped thread delivers the queued events of its streams, then interrupts them`(asProducers: Bool) {
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
        // These start too late.
        let late = EventRecorder<Int, TestError>()
        SignalProducer(signal).observe(on: scheduler).start(late.observer)
        signal.observe(on: scheduler).observe(late.observer)
        SignalProducer(signal).delay(1, on: scheduler).start(late.observer)
        signal.delay(1, on: scheduler).observe(late.observer)
        #expect(late.events == Array(repeating: .interrupted, count: 4))
    }

    @Test func `If a thread is stopped under load, every value is accounted for and every stream ends`() {
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
                ThreadGroup.run([
                    { for value in 0..<2000 { streams[0].input.send(value: value) } },
                    { for value in 0..<2000 { streams[1].input.send(value: value) } },
                    { scheduler.stop() },
                ])
                #expect(Stress.eventually { ends.value == 2 })
            }
            #if !NaiveLocks  // In the naive build, refused values are released without being counted.
                #expect(Stress.eventually { statistics.waiting == 0 })
            #endif
        }
    }

    @Test func `A stream that has ended leaves no entry in the scheduler`() {
        let scheduler = ThreadScheduler(waiting: .park)
        let leaks = LeakCounter()
        for end in [Signal<LeakCounter.Token, TestError>.Event.completed, .failed(.first), .interrupted] {
            let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
            let token = leaks.token()
            signal.observe(on: scheduler).on(value: { _ in token.touch() }).observe { _ in }
            SignalProducer(signal).debounce(0, on: scheduler).on(value: { _ in token.touch() }).start()
            input.send(value: leaks.token())
            input.send(end)
        }
        #expect(Stress.eventually { leaks.count == 0 })
        withExtendedLifetime(scheduler) {}
    }

    @Test func `After many schedulers were created and released, no thread is left`() {
        let leaks = LeakCounter()
        for _ in 0..<50 {
            let scheduler = ThreadScheduler(waiting: .park)
            scheduler.schedule { [token = leaks.token()] in token.touch() }
        }
        #expect(Stress.eventually { leaks.count == 0 })
    }
}
