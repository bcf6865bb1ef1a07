import Corinth
import CorinthTesting
import Dispatch
import Testing

struct StartOnTests {
    @Test func startsWhenTheSchedulerRuns() {
        let scheduler = TestScheduler()
        let starts = Counter()
        let producer = SignalProducer<Int, Never> { () -> Int in starts.increment() }.start(on: scheduler)
        let recorder = scheduler.record(producer)
        #expect(starts.value == 0)
        scheduler.advance()
        #expect(recorder.events == [.value(1), .completed])
        scheduler.record(producer)
        scheduler.advance()
        #expect(starts.value == 2)
    }

    /// A disposal before the start interrupts at once, and the source doesn't start.
    @Test func disposalBefore() {
        let scheduler = TestScheduler()
        let starts = Counter()
        let recorder = scheduler.record(
            SignalProducer<Int, Never> { () -> Int in starts.increment() }.start(on: scheduler))
        recorder.disposable?.dispose()
        #expect(recorder.events == [.interrupted])
        #expect(scheduler.pendingCount == 0)
        scheduler.advance()
        #expect(starts.value == 0)
    }

    @Test func disposalAfter() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold("a-b-c").delaySubscription(2, on: scheduler))
        scheduler.advance(by: .seconds(2))
        recorder.disposable?.dispose()
        #expect(recorder.marbles == "--(a!)")
        #expect(scheduler.pendingCount == 0)
    }

    @Test(arguments: ["a-b-|", "a-#", "a-!"])
    func later(line: String) {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold(Marbles(line)).delaySubscription(3, on: scheduler))
        scheduler.advance(by: .seconds(30))
        #expect(recorder.marbles == Marbles("---" + line))
    }

    /// Schedulers that no longer run actions.
    private static func endedSchedulers() -> [any DateScheduler] {
        let pool = QueueSchedulerPool(count: 1)
        pool.shutDown(.draining) {}
        let thread = ThreadScheduler(name: "ended")
        thread.stop()
        return [pool.schedulers[0], thread]
    }

    @Test func `On a scheduler that has ended, a start is interrupted and released`() {
        for index in 0..<2 {
            let leaks = LeakCounter()
            let ends = Atomic<[String]>([])
            let scheduler = Self.endedSchedulers()[index]
            func start(_ wrap: (SignalProducer<Int, Never>) -> SignalProducer<Int, Never>) {
                let token = leaks.token()
                wrap(
                    SignalProducer {
                        token.touch(); return 1
                    }
                )
                .start { event in ends.modify { $0.append(event.description) } }
            }
            start { $0.start(on: scheduler) }
            start { $0.delaySubscription(0, on: scheduler) }
            start { $0.delaySubscription(0.01, on: scheduler) }
            #expect(
                Stress.eventually { ends.value == ["INTERRUPTED", "INTERRUPTED", "INTERRUPTED"] }, "not interrupted")
            #expect(Stress.eventually { leaks.count == 0 }, "not released")
        }
    }

    @Test(arguments: [true, false])
    func `If its scheduler ends concurrently, a start runs or is interrupted`(isPool: Bool) {
        for _ in 0..<300 {
            let leaks = LeakCounter()
            let ends = Counter()
            let pool = QueueSchedulerPool(count: 1)
            let thread = isPool ? nil : ThreadScheduler(name: "beside")
            let scheduler: any DateScheduler = thread ?? pool.schedulers[0]
            ThreadGroup.run(2) { index in
                if index == 0 {
                    if let thread { thread.stop() } else { pool.shutDown(.cancelling) {} }
                } else {
                    for _ in 1...3 {
                        let token = leaks.token()
                        SignalProducer<Int, Never> {
                            token.touch(); return 1
                        }.start(on: scheduler)
                            .start { if $0.isTerminating { ends.increment() } }
                    }
                }
            }
            #expect(Stress.eventually { ends.value == 3 }, "\(ends.value) of 3 starts have ended")
            #expect(Stress.eventually { leaks.count == 0 }, "not released")
        }
    }
}
