@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `observe(on:by:_:)`, in virtual time where possible, so that the test decides when each scheduler runs.
struct ObserveOnPoolTests {
    /// A pool of two schedulers with separate clocks. The keys "a" and "b" have one scheduler each.
    struct TwoClocks {
        let clocks = [TestScheduler(), TestScheduler()]
        let pool: QueueSchedulerPool
        let a: TestScheduler
        let b: TestScheduler

        init() {
            var pool = QueueSchedulerPool(over: clocks)
            while pool.scheduler(for: "a") === pool.scheduler(for: "b") { pool = QueueSchedulerPool(over: clocks) }
            self.pool = pool
            let isFirst = pool.scheduler(for: "a") === pool.schedulers[0]
            a = clocks[isFirst ? 0 : 1]
            b = clocks[isFirst ? 1 : 0]
        }

        func run() { for clock in clocks { clock.advance() } }

        /// Partitions a stream of words by their first letters and sends it through the pool.
        func spread(_ source: Signal<String, TestError>) -> Signal<String, TestError> {
            source.observe(on: pool, by: { String($0.prefix(1)) }) { partition in partition.map { $0.uppercased() } }
        }

        func spread(_ source: SignalProducer<String, TestError>) -> SignalProducer<String, TestError> {
            source.observe(on: pool, by: { String($0.prefix(1)) }) { partition in partition.map { $0.uppercased() } }
        }
    }

    /// Applies one of the overloads and records the result, together with the objects that keep it alive.
    private static func start(
        _ clocks: TwoClocks, asProducer: Bool
    ) -> (
        input: Signal<String, TestError>.Observer, recorder: EventRecorder<String, TestError>,
        disposable: (any Disposable)?
    ) {
        let (signal, input) = Signal<String, TestError>.pipe()
        let recorder = EventRecorder<String, TestError>()
        if asProducer {
            return (input, recorder, clocks.spread(SignalProducer(signal)).start(recorder.observer))
        }
        return (input, recorder, clocks.spread(signal).observe(recorder.observer))
    }

    @Test func `A partition whose result has ended counts its values as dropped`() {
        let clocks = TwoClocks()
        let (signal, input) = Signal<String, TestError>.pipe()
        let (recorder, statistics) = (EventRecorder<String, TestError>(), BufferStatistics())
        signal.observe(
            on: clocks.pool, by: { String($0.prefix(1)) }, bufferingPolicy: .unbounded, statistics: statistics
        ) { partition in
            partition.take(first: 1)
        }.observe(recorder.observer)
        input.send(value: "a1")
        clocks.run()
        for word in ["a2", "a3", "b1"] { input.send(value: word) }
        clocks.run()
        #expect(recorder.values == ["a1", "b1"])
        statistics.expect(sent: 4, delivered: 2, dropped: 2)
    }

    @Test(arguments: [false, true])
    func `Values wait for their key's scheduler, and values of one key stay in FIFO order`(asProducer: Bool) {
        let clocks = TwoClocks()
        let (input, recorder, _) = Self.start(clocks, asProducer: asProducer)
        for word in ["a1", "b1", "a2", "b2"] { input.send(value: word) }
        #expect(recorder.events.isEmpty)
        clocks.b.advance()
        #expect(recorder.values == ["B1", "B2"])
        clocks.a.advance()
        #expect(recorder.values == ["B1", "B2", "A1", "A2"])
        input.send(value: "a3")
        input.sendCompleted()
        clocks.b.advance()
        #expect(recorder.termination == nil)
        clocks.a.advance()
        #expect(recorder.events.suffix(2) == [.value("A3"), .completed])
    }

    @Test(
        arguments: terminations,
        [false, true])
    func `E6: a failure and an interruption drop the queued values on all schedulers`(
        end: Signal<Int, TestError>.Event, asProducer: Bool
    ) {
        if case .completed = end { return }
        let clocks = TwoClocks()
        let (input, recorder, _) = Self.start(clocks, asProducer: asProducer)
        for word in ["a1", "b1", "a2"] { input.send(value: word) }
        let termination = end.map { _ in "" }
        input.send(termination)
        clocks.b.advance()
        #expect(recorder.events == [termination])
        clocks.a.advance()
        #expect(recorder.events == [termination])
    }

    @Test func `P2: disposing of a start interrupts at once, releases the source, and drops the queued values`() {
        let clocks = TwoClocks()
        let cancelled = Counter()
        let source = SignalProducer<String, TestError> { observer, lifetime in
            lifetime.observeEnded { cancelled.increment() }
            observer.send(value: "a1")
            observer.send(value: "b1")
            lifetime.observeEnded { observer.sendCompleted() }
        }
        let recorder = EventRecorder<String, TestError>()
        let disposable = clocks.spread(source).start(recorder.observer)
        clocks.a.advance()
        disposable.dispose()
        #expect(cancelled.value == 1)
        #expect(recorder.events == [.value("A1"), .interrupted])
        clocks.run()
        #expect(recorder.events == [.value("A1"), .interrupted])
    }

    @Test func `P1: starts share only the pool`() {
        let clocks = TwoClocks()
        let producer = clocks.spread(SignalProducer(values: "a1", "b1", "a2"))
        let recorders = (0..<2).map { _ in EventRecorder<String, TestError>() }
        for recorder in recorders { producer.start(recorder.observer) }
        clocks.a.advance()
        clocks.b.advance()
        for recorder in recorders {
            #expect(recorder.events == [.value("A1"), .value("A2"), .value("B1"), .completed])
        }
    }

    @Test func `The transform runs once for each scheduler, and a partition may keep its own state`() {
        let clocks = TwoClocks()
        let made = Counter()
        let (signal, input) = Signal<String, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal
            .observe(on: clocks.pool, by: { $0 }) { partition in
                made.increment()
                return partition.scan(0) { count, _ in count + 1 }
            }
            .observe(recorder.observer)
        #expect(made.value == 2)
        for word in ["a", "b", "a", "a"] { input.send(value: word) }
        clocks.a.advance()
        clocks.b.advance()
        #expect(recorder.values == [1, 2, 3, 1])
        input.sendCompleted()
        for _ in 0..<2 {
            clocks.a.run()
            clocks.b.run()
        }
    }

    @Test
    func `It fails as soon as one partition's result fails, and completes when all have, whatever the source does`() {
        let clocks = TwoClocks()
        let failing = EventRecorder<String, TestError>()
        let completing = EventRecorder<String, Never>()
        let (signal, input) = Signal<String, Never>.pipe()
        let cancelled = Counter()
        let source = signal.on(disposed: { cancelled.increment() })
        source
            .observe(on: clocks.pool, by: { $0 }) { partition in
                partition.promoteError(TestError.self).attemptMap { $0 == "b" ? .failure(.first) : .success($0) }
            }
            .observe(failing.observer)
        source.observe(on: clocks.pool, by: { $0 }) { $0.take(first: 1) }.observe(completing.observer)
        for word in ["a", "b", "a"] { input.send(value: word) }
        clocks.b.advance()
        #expect(failing.events == [.failed(.first)])
        #expect(completing.events == [.value("b")])
        clocks.a.advance()
        #expect(failing.events == [.failed(.first)])
        #expect(completing.events == [.value("b"), .value("a"), .completed])
    }

    @Test func `C1, E2: two partitions work in parallel, and the result's callbacks don't overlap`() async {
        let pool = QueueSchedulerPool(count: 2)
        let meeting = Barrier(2)
        let ledger = Ledger(senders: 2)
        let (signal, input) = Signal<Letter, Never>.pipe()
        signal
            .observe(on: pool, by: \.sender) { partition in
                partition.on(value: { letter in
                    // If one partition waited for the other, this would never return.
                    if letter.number == 0 { meeting.arrive() }
                })
            }
            .observe { ledger.receive($0) }
        // With two slots of 4,096, two keys rarely share a scheduler. If they do, the barrier would never be reached.
        let isApart = pool.scheduler(for: 0) !== pool.scheduler(for: 1)
        for number in (isApart ? 0 : 1)..<1_000 {
            for sender in 0..<2 { input.send(value: Letter(sender: sender, number: number)) }
        }
        input.sendCompleted()
        #expect(await Stress.eventually { ledger.count == (isApart ? 2_000 : 1_998) })
        if isApart { #expect(ledger.isInOrder) }
    }

    // MARK: Shutdown

    @Test(arguments: [false, true])
    func `A draining pool delivers the queued values, accepts no more, and interrupts`(asProducer: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let gates = (0..<2).map { _ in DispatchSemaphore(value: 0) }
        for index in 0..<2 { pool.schedulers[index].schedule { gates[index].wait() } }
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        if asProducer {
            signal.producer.observe(on: pool, by: { $0 % 8 }) { $0.map { $0 } }.start(recorder.observer)
        } else {
            signal.observe(on: pool, by: { $0 % 8 }) { $0.map { $0 } }.observe(recorder.observer)
        }
        // More values than one drain of a hop delivers, so that the hop schedules itself again.
        for value in 0..<10_000 { input.send(value: value) }
        let ended = Flag()
        pool.shutDown(.draining) { ended.raise() }
        for value in 10_000..<10_010 { input.send(value: value) }
        for gate in gates { gate.signal() }
        #expect(await Stress.eventually { ended.isRaised && recorder.termination != nil })
        #expect(recorder.values.sorted() == Array(0..<10_000))
        #expect(recorder.termination == .interrupted)
        for key in 0..<8 {
            let values = recorder.values.filter { $0 % 8 == key }
            #expect(values == values.sorted())
        }
    }

    @Test func `A cancelling pool interrupts at once, and drops the queued values`() async {
        let pool = QueueSchedulerPool(count: 1)
        let gate = DispatchSemaphore(value: 0)
        let inAction = Flag()
        pool.next.schedule {
            inAction.raise()
            gate.wait()
        }
        #expect(await Stress.eventually { inAction.isRaised })
        let leaks = LeakCounter()
        let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.observe(on: pool, by: { _ in 0 }) { $0.map { _ in 1 } }.observe(recorder.observer)
        for _ in 0..<10 { input.send(value: leaks.token()) }
        let ended = Flag()
        pool.shutDown(.cancelling) { ended.raise() }
        #expect(recorder.events == [.interrupted] && !ended.isRaised)
        gate.signal()
        #expect(await Stress.eventually { ended.isRaised && leaks.count == 0 })
        #expect(recorder.events == [.interrupted])
    }

    @Test func `On a pool that has ended, the result is interrupted at once`() async {
        let pool = QueueSchedulerPool(count: 1)
        await pool.shutDown(.cancelling)
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>([1]).observe(on: pool, by: { $0 }) { $0 }.start(recorder.observer)
        #expect(recorder.events == [.interrupted])
    }

    @Test(arguments: [0, 1, 2])
    func `S3: an unused result releases everything, including its entry in the pool's list`(ending: Int) {
        let leaks = LeakCounter()
        let clocks = TwoClocks()
        do {
            let (signal, input) = Signal<Int, Never>.pipe()
            let token = leaks.token()
            let result = signal.observe(on: clocks.pool, by: { $0 }) { partition in
                partition.map { value in
                    token.touch()
                    return value
                }
            }
            let disposable = result.observe { _ in }
            input.send(value: 1)
            switch ending {
            case 0: disposable?.dispose()
            case 1: input.sendCompleted()
            default: input.sendInterrupted()
            }
        }
        clocks.run()
        #expect(leaks.count == 0)
    }
}
