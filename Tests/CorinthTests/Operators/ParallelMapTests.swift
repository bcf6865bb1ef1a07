@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `parallelMap(on:limit:ordered:_:)`.
struct ParallelMapTests {
    /// Applies one of the overloads and records the result.
    private static func start<U: Sendable>(
        _ pool: QueueSchedulerPool, asProducer: Bool, limit: Int = .max, ordered: Bool = true,
        _ transform: @escaping @Sendable (Int) -> U
    ) -> (
        input: Signal<Int, TestError>.Observer, recorder: EventRecorder<U, TestError>, disposable: (any Disposable)?
    ) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<U, TestError>()
        if asProducer {
            let producer = SignalProducer(signal).parallelMap(on: pool, limit: limit, ordered: ordered, transform)
            return (input, recorder, producer.start(recorder.observer))
        }
        let mapped = signal.parallelMap(on: pool, limit: limit, ordered: ordered, transform)
        return (input, recorder, mapped.observe(recorder.observer))
    }

    /// Blocks each value until the test lets it pass.
    private final class Gates: Sendable {
        private let gates: [DispatchSemaphore]
        let begun = Atomic<[Int]>([])

        init(_ count: Int) {
            gates = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        }

        func pass(_ value: Int) -> Int {
            begun.modify { $0.append(value) }
            gates[value].wait()
            return value * 10
        }

        func open(_ values: Int...) {
            for value in values { gates[value].signal() }
        }
    }

    @Test(
        arguments: [false, true],
        [false, true])
    func `Every value is mapped once; with ordered: true, the results are in order`(ordered: Bool, asProducer: Bool)
        async
    {
        let pool = QueueSchedulerPool(count: 3)
        let calls = Counter()
        let (input, recorder, _) = Self.start(pool, asProducer: asProducer, ordered: ordered) { value in
            calls.increment()
            Work.spin(value % 7 * 10)
            return value * 2
        }
        for value in 0..<5_000 { input.send(value: value) }
        input.sendCompleted()
        #expect(await Stress.eventually { recorder.termination != nil })
        let values = recorder.values
        #expect((ordered ? values : values.sorted()) == (0..<5_000).map { $0 * 2 })
        #expect(recorder.events.count == 5_001 && recorder.termination == .completed)
        #expect(calls.value == 5_000)
    }

    @Test(arguments: [1, 2, 3])
    func `At most limit values are mapped at the same time`(limit: Int) async {
        let pool = QueueSchedulerPool(count: 3)
        let gates = Gates(9)
        let (input, recorder, _) = Self.start(pool, asProducer: false, limit: limit, gates.pass)
        for value in 0..<9 { input.send(value: value) }
        #expect(await Stress.eventually { gates.begun.value.count == limit })
        for value in 0..<9 {
            #expect(gates.begun.value.count <= limit + value)
            gates.open(value)
            #expect(await Stress.eventually { recorder.values.count == value + 1 })
        }
        #expect(recorder.values == (0..<9).map { $0 * 10 })
    }

    @Test(arguments: [false, true])
    func `In order, a late result delays the others; out of order, it doesn't`(ordered: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let gates = Gates(3)
        let (input, recorder, _) = Self.start(pool, asProducer: false, ordered: ordered, gates.pass)
        input.send(value: 0)
        input.send(value: 1)
        #expect(await Stress.eventually { gates.begun.value.count == 2 })
        gates.open(1)
        if !ordered {
            #expect(await Stress.eventually { recorder.values == [10] })
        }
        gates.open(0)
        #expect(await Stress.eventually { recorder.values.count == 2 })
        #expect(recorder.values == (ordered ? [0, 10] : [10, 0]))
    }

    @Test func `With ordered: true, at most 32 values per worker are started behind a late one`() async {
        let pool = QueueSchedulerPool(count: 2)
        let gates = Gates(100)
        let (input, recorder, _) = Self.start(pool, asProducer: false, gates.pass)
        for value in 1..<100 { gates.open(value) }
        for value in 0..<100 { input.send(value: value) }
        // 0 is late, and its worker has at most one value behind it.
        #expect(await Stress.eventually { gates.begun.value.count >= 63 })
        #expect(recorder.values.isEmpty)
        #expect(gates.begun.value.count <= 64)
        gates.open(0)
        #expect(await Stress.eventually { recorder.values.count == 100 })
        #expect(recorder.values == (0..<100).map { $0 * 10 })
    }

    @Test(arguments: [false, true])
    func `E6: completion waits for the values in flight`(asProducer: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let gates = Gates(2)
        let (input, recorder, _) = Self.start(pool, asProducer: asProducer, gates.pass)
        input.send(value: 0)
        input.send(value: 1)
        input.sendCompleted()
        gates.open(1)
        #expect(recorder.events.isEmpty)
        gates.open(0)
        #expect(await Stress.eventually { recorder.events == [.value(0), .value(10), .completed] })
    }

    @Test(arguments: [false, true])
    func `A source that completes with no values in flight completes the result at once`(asProducer: Bool) {
        let (input, recorder, _) = Self.start(QueueSchedulerPool(count: 2), asProducer: asProducer) { $0 }
        input.sendCompleted()
        #expect(recorder.events == [.completed])
    }

    @Test(arguments: terminations)
    func `E6: a failure and an interruption come at once, and drop the values in flight`(
        end: Signal<Int, TestError>.Event
    ) async {
        if case .completed = end { return }
        for asProducer in [false, true] {
            let pool = QueueSchedulerPool(count: 2)
            let gates = Gates(5)
            let (input, recorder, _) = Self.start(pool, asProducer: asProducer, gates.pass)
            for value in 0..<5 { input.send(value: value) }
            #expect(await Stress.eventually { gates.begun.value.count == 2 })
            input.send(end)
            #expect(recorder.events == [end])
            gates.open(0, 1, 2, 3, 4)
            await pool.shutDown(.draining)
            #expect(recorder.events == [end])
            #expect(gates.begun.value.count == 2, "a queued value was mapped")
        }
    }

    @Test func `P2: disposing of a start interrupts at once and releases the source`() async {
        let pool = QueueSchedulerPool(count: 2)
        let gates = Gates(5)
        let cancelled = Counter()
        let source = SignalProducer<Int, TestError> { observer, lifetime in
            lifetime.observeEnded { cancelled.increment() }
            for value in 0..<5 { observer.send(value: value) }
            lifetime.observeEnded { observer.sendCompleted() }
        }
        let recorder = EventRecorder<Int, TestError>()
        let disposable = source.parallelMap(on: pool, gates.pass).start(recorder.observer)
        #expect(await Stress.eventually { gates.begun.value.count == 2 })
        disposable.dispose()
        #expect(recorder.events == [.interrupted] && cancelled.value == 1)
        gates.open(0, 1, 2, 3, 4)
        await pool.shutDown(.draining)
        #expect(recorder.events == [.interrupted] && gates.begun.value.count == 2)
    }

    @Test func `P1: starts share only the pool`() async {
        let pool = QueueSchedulerPool(count: 2)
        let producer = SignalProducer<Int, Never>(0..<100).parallelMap(on: pool) { $0 + 1 }
        let recorders = (0..<3).map { _ in EventRecorder<Int, Never>() }
        for recorder in recorders { producer.start(recorder.observer) }
        for recorder in recorders {
            #expect(await Stress.eventually { recorder.termination == .completed })
            #expect(recorder.values == Array(1...100))
        }
    }

    // MARK: Shutdown

    @Test(arguments: [false, true])
    func `A draining pool maps the queued values, accepts no more, and interrupts`(asProducer: Bool) async {
        let pool = QueueSchedulerPool(count: 2)
        let gate = DispatchSemaphore(value: 0)
        let (input, recorder, _) = Self.start(pool, asProducer: asProducer) { value in
            if value == 0 { gate.wait() }
            return value
        }
        for value in 0..<10_000 { input.send(value: value) }
        let ended = Flag()
        pool.shutDown(.draining) { ended.raise() }
        for value in 10_000..<10_010 { input.send(value: value) }
        gate.signal()
        #expect(await Stress.eventually { ended.isRaised && recorder.termination != nil })
        #expect(recorder.values == Array(0..<10_000))
        #expect(recorder.events.count == 10_001 && recorder.termination == .interrupted)
    }

    @Test(arguments: [false, true])
    func `A cancelling pool interrupts at once, and drops the queued values`(asProducer: Bool) async {
        let pool = QueueSchedulerPool(count: 1)
        let gates = Gates(3)
        let (input, recorder, _) = Self.start(pool, asProducer: asProducer, gates.pass)
        for value in 0..<3 { input.send(value: value) }
        #expect(await Stress.eventually { gates.begun.value == [0] })
        let ended = Flag()
        pool.shutDown(.cancelling) { ended.raise() }
        #expect(recorder.events == [.interrupted] && !ended.isRaised)
        gates.open(0, 1, 2)
        #expect(await Stress.eventually { ended.isRaised })
        #expect(recorder.events == [.interrupted] && gates.begun.value == [0])
    }

    @Test func `A pool is idle if its map has no values in flight`() async {
        let pool = QueueSchedulerPool(count: 2)
        let (input, recorder, _) = Self.start(pool, asProducer: false) { $0 }
        input.send(value: 1)
        #expect(await Stress.eventually { recorder.values == [1] })
        await pool.shutDown(.draining)
        #expect(recorder.events == [.value(1), .interrupted])
    }

    @Test(arguments: [0, 1, 2])
    func `S3: an unused result releases everything`(ending: Int) {
        let leaks = LeakCounter()
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler, scheduler])
        do {
            let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
            let token = leaks.token()
            let result = signal.parallelMap(on: pool) { value in
                token.touch()
                return value
            }
            let disposable = result.observe { _ in }
            for _ in 0..<10 { input.send(value: leaks.token()) }
            switch ending {
            case 0: disposable?.dispose()
            case 1: input.sendCompleted()
            default: input.sendInterrupted()
            }
        }
        scheduler.advance()
        #expect(leaks.count == 0)
    }

    /// The scheduler of either value runs first.
    @Test(arguments: 0..<4, [0, 1])
    func `By default, the results have the order of their values`(overload: Int, first: Int) {
        let schedulers = [TestScheduler(), TestScheduler()]
        let pool = QueueSchedulerPool(over: schedulers)
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        switch overload {
        case 0: signal.parallelMap(on: pool) { $0 }.observe(recorder.observer)
        case 1: signal.parallelMap(on: pool, bufferingPolicy: .unbounded) { $0 }.observe(recorder.observer)
        case 2: signal.producer.parallelMap(on: pool) { $0 }.start(recorder.observer)
        default: signal.producer.parallelMap(on: pool, bufferingPolicy: .unbounded) { $0 }.start(recorder.observer)
        }
        input.send(value: 0)
        input.send(value: 1)
        #expect(schedulers.map(\.pendingCount) == [1, 1])
        schedulers[first].advance()
        schedulers[1 - first].advance()
        #expect(recorder.values == [0, 1])
    }

    /// A value that is passed to a pool which no longer accepts values is released. Here, the observer sends a value and
    /// cancels.
    @Test(arguments: [true, false])
    func isCancelledByItsObserver(ordered: Bool) {
        let leaks = LeakCounter()
        let scheduler = TestScheduler()
        let ends = Counter()
        do {
            let pool = QueueSchedulerPool(over: [scheduler, scheduler])
            let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
            let isDone = Flag()
            signal.parallelMap(on: pool, ordered: ordered) { $0 }.observe { event in
                if event.isTerminating { ends.increment() }
                guard event.value != nil, !isDone.isRaised else { return }
                isDone.raise()
                input.send(value: leaks.token())
                pool.shutDown(.cancelling) {}
            }
            input.send(value: leaks.token())
            scheduler.advance()
        }
        scheduler.advance()
        #expect(ends.value == 1)
        #expect(leaks.count == 0)
    }
}
