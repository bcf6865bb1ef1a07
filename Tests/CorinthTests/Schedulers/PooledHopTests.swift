@testable import Corinth
import CorinthTesting
import Dispatch
import Testing

/// `observe(on:)` with a scheduler of a pool.
@Suite("Hops onto a scheduler of a pool")
struct PooledHopTests {
    /// A hop onto the only scheduler of a pool.
    private struct Hop {
        let pool: QueueSchedulerPool
        let recorder = EventRecorder<Int, TestError>()
        let statistics = BufferStatistics()
        let input: Signal<Int, TestError>.Observer
        let disposable: (any Disposable)?

        init(
            over scheduler: any DateScheduler, asProducer: Bool, _ policy: BufferingPolicy<TestError> = .unbounded,
            _ each: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            pool = QueueSchedulerPool(over: [scheduler])
            let (signal, input) = Signal<Int, TestError>.pipe()
            self.input = input
            if asProducer {
                disposable = SignalProducer(signal)
                    .observe(on: pool.next, bufferingPolicy: policy, statistics: statistics)
                    .on(value: each).start(recorder.observer)
            } else {
                disposable = signal.observe(on: pool.next, bufferingPolicy: policy, statistics: statistics)
                    .on(value: each).observe(recorder.observer)
            }
        }

        func send(_ values: some Sequence<Int>) {
            for value in values { input.send(value: value) }
        }
    }

    #if !NaiveLocks  // In the naive build, each value is scheduled on its own.
        @Test func `On a scheduler of the user's own each value is an action, which is counted`() {
            let scheduler = TestScheduler()
            let hop = Hop(over: scheduler, asProducer: false)
            for burst in 1...3 {
                hop.send(0..<100)
                #expect(hop.pool.statistics.queued == 100)
                scheduler.advance()
                #expect(hop.pool.statistics.executed == 100 * burst && hop.pool.statistics.queued == 0)
            }
            #expect(hop.recorder.values.count == 300)
            hop.input.sendCompleted()
            scheduler.run()
        }

        @Test func `The default capacity is that of other schedulers, unless the user runs the scheduler`() {
            func capacity(_ pool: QueueSchedulerPool) -> Int? {
                if case .blocking(let bound) = BufferingPolicy<Never>.usual(on: pool.next).kind {
                    bound.capacity
                } else {
                    nil
                }
            }
            #expect(capacity(QueueSchedulerPool(count: 2)) == 16_384)
            #expect(capacity(QueueSchedulerPool(over: [ThreadScheduler(waiting: .park)])) == 16_384)
            #expect(capacity(QueueSchedulerPool(over: [TestScheduler()])) == nil)
            #expect(capacity(QueueSchedulerPool(over: [QueueSchedulerPool(count: 1).next])) == nil)
        }

        @Test func `Only the first wake-up allocates: later ones reuse the same work item`() {
            let pool = QueueSchedulerPool(count: 1)
            let workItem = WorkItem { _ in }
            var attachments: Set<ObjectIdentifier> = []
            for _ in 0..<10 {
                pool.next.post(workItem)
                #expect(Stress.eventually { pool.statistics.queued == 0 })
                if let attachment = workItem.attachment { attachments.insert(ObjectIdentifier(attachment)) }
            }
            #expect(attachments.count == 1)
            #expect(pool.statistics.executed == 10)
        }
    #endif

    @Test(arguments: [0, 1, 2])
    func `C3: every value is delivered once, in FIFO order, on any base scheduler`(base: Int) {
        let schedulers: [any DateScheduler] = [
            QueueScheduler(name: "test"), ThreadScheduler(waiting: .park), QueueSchedulerPool(count: 1).next,
        ]
        let count = Stress.fewer(50_000)
        let isDone = DispatchSemaphore(value: 0)
        let ledger = Ledger(senders: 1)
        let pool = QueueSchedulerPool(over: [schedulers[base]])
        let (signal, input) = Signal<Letter, Never>.pipe()
        signal.observe(on: pool.next).observe { event in
            ledger.receive(event)
            if event.isTerminating { isDone.signal() }
        }
        for number in 0..<count { input.send(value: Letter(sender: 0, number: number)) }
        input.sendCompleted()
        isDone.wait()
        #expect(ledger.isInOrder && ledger.count == count)
    }

    @Test(arguments: [false, true])
    func `Draining delivers the queued values, then interrupts`(asProducer: Bool) async {
        let scheduler = TestScheduler()
        let hop = Hop(over: scheduler, asProducer: asProducer)
        hop.send(0..<1500)
        let ended = Flag()
        hop.pool.shutDown(.draining) { ended.raise() }
        #expect(hop.recorder.events.isEmpty && !ended.isRaised)
        await scheduler.advance()
        #expect(ended.isRaised)
        #expect(hop.recorder.values == Array(0..<1500))
        #expect(hop.recorder.termination == .interrupted)
        hop.send(0..<10)
        #expect(hop.statistics.sent == hop.statistics.delivered + hop.statistics.dropped)
    }

    @Test(arguments: [false, true])
    func `Cancelling interrupts at once, and drops every queued value`(asProducer: Bool) async {
        let scheduler = TestScheduler()
        let leaks = LeakCounter()
        let hop = Hop(over: scheduler, asProducer: asProducer)
        hop.send(0..<10)
        await scheduler.advance()
        hop.send(0..<1500)
        let ended = Flag()
        hop.pool.shutDown(.cancelling) { [token = leaks.token()] in
            token.touch()
            ended.raise()
        }
        #expect(hop.recorder.termination == .interrupted && hop.recorder.values.count == 10)
        await scheduler.advance()
        #expect(ended.isRaised && leaks.count == 0)
        #expect(hop.recorder.events.count == 11)
        #if !NaiveLocks  // In the naive build, the pool releases queued values one by one.
            #expect(hop.statistics.sent == 1510 && hop.statistics.dropped == 1500)
        #endif
    }

    @Test(arguments: [false, true])
    func `A pool that has ended interrupts streams that hop onto it`(asProducer: Bool) async {
        let pool = QueueSchedulerPool(count: 1)
        await pool.shutDown(.draining)
        let recorder = EventRecorder<Int, TestError>()
        let leaks = LeakCounter()
        let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
        let hopped = SignalProducer(signal).observe(on: pool.next).map { _ in 0 }
        let start = hopped.start(recorder.observer)
        #expect(recorder.events == [.interrupted])
        for _ in 0..<10 { input.send(value: leaks.token()) }
        #expect(leaks.count == 0)
        start.dispose()
    }

    @Test(arguments: [true, false])
    func `A delay on a pool that ends is interrupted, and cancels its source`(drains: Bool) async {
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler])
        let recorder = EventRecorder<Int, TestError>()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let isCancelled = Flag()
        SignalProducer(signal).on(disposed: { isCancelled.raise() }).delay(5, on: pool.next).start(recorder.observer)
        signal.debounce(5, on: pool.next).observe(recorder.observer)
        input.send(value: 1)
        pool.shutDown(drains ? .draining : .cancelling) {}
        await scheduler.advance(by: .seconds(10))
        #expect(recorder.events == [.interrupted, .interrupted])
        #expect(isCancelled.isRaised && scheduler.pendingCount == 0)
    }

    @Test func `A stream that has ended leaves no entry in the pool`() async {
        let leaks = LeakCounter()
        let pool = QueueSchedulerPool(count: 1)
        for end in [Signal<LeakCounter.Token, TestError>.Event.completed, .failed(.first), .interrupted] {
            let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
            let token = leaks.token()
            signal.observe(on: pool.next).on(value: { _ in token.touch() }).observe { _ in }
            SignalProducer(signal).observe(on: pool.next).on(value: { _ in token.touch() }).start()
            input.send(value: leaks.token())
            input.send(end)
        }
        let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
        let disposables = [
            signal.observe(on: pool.next).observe { [token = leaks.token()] _ in token.touch() },
            SignalProducer(signal).observe(on: pool.next).start { [token = leaks.token()] _ in token.touch() },
        ]
        input.send(value: leaks.token())
        for disposable in disposables { disposable?.dispose() }
        #expect(await Stress.eventually { leaks.count == 0 })
        await pool.shutDown()
    }

    #if !NaiveLocks  // In the naive build, senders hold mutexes while they wait.
        @Test func `A sender that waits for a permit is woken when the pool cancels`() async {
            let queue = QueueScheduler(name: "test")
            let hop = Hop(over: queue, asProducer: true, .blocking(capacity: 4, stallTimeout: .never))
            let isBlocked = Flag()
            let gate = DispatchSemaphore(value: 0)
            queue.schedule {
                isBlocked.raise()
                gate.wait()
            }
            #expect(await Stress.eventually { isBlocked.isRaised })
            let isThrough = Flag()
            DispatchQueue.global().async {
                hop.send(0..<1000)
                isThrough.raise()
            }
            #expect(await Stress.eventually { hop.statistics.sent >= 4 })
            let ended = Flag()
            hop.pool.shutDown(.cancelling) { ended.raise() }
            gate.signal()
            #expect(await Stress.eventually { isThrough.isRaised && ended.isRaised })
            #expect(hop.recorder.events == [.interrupted])
            #expect(await Stress.eventually { hop.statistics.waiting == 0 })
        }
    #endif

    @Test(arguments: [true, false])
    func `A pool that is shut down under load accounts for every value`(drains: Bool) async {
        for _ in 0..<20 {
            let pool = QueueSchedulerPool(count: 2)
            let statistics = BufferStatistics()
            let sent = Counter()
            let ends = Counter()
            do {
                let streams = (0..<2).map { _ in Signal<Int, Never>.pipe() }
                for (index, stream) in streams.enumerated() {
                    stream.output.observe(
                        on: pool.schedulers[index], bufferingPolicy: .unbounded, statistics: statistics
                    )
                    .observe { if $0.isTerminating { ends.increment() } }
                }
                let ended = Flag()
                ThreadGroup.run([
                    { for value in 0..<2000 { streams[0].input.send(value: value) } },
                    { for value in 0..<2000 { streams[1].input.send(value: value) } },
                    { pool.shutDown(drains ? .draining : .cancelling) { ended.raise() } },
                ])
                #expect(await Stress.eventually { ended.isRaised && ends.value == 2 })
                sent.increment()
            }
            #if !NaiveLocks  // In the naive build, refused values are released without being counted.
                #expect(await Stress.eventually { statistics.waiting == 0 })
            #endif
        }
    }
}
