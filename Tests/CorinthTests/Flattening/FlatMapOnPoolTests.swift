@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `flatMap(_:on:_:)`: its differences from `flatMap(_:_:)`.
@Suite("flatMap on a pool")
struct FlatMapOnPoolTests {
    typealias Inner = SignalProducer<Int, TestError>

    @Test(arguments: [false, true])
    func `Inner streams start on the pool's schedulers with the least load`(asProducer: Bool) {
        let clocks = [TestScheduler(), TestScheduler()]
        let pool = QueueSchedulerPool(over: clocks)
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        if asProducer {
            signal.producer.flatMap(.merge, on: pool) { Inner(value: $0) }.start(recorder.observer)
        } else {
            signal.flatMap(.merge, on: pool) { Inner(value: $0) }.observe(recorder.observer)
        }
        for value in 1...4 { input.send(value: value) }
        input.sendCompleted()
        #expect(recorder.events.isEmpty)
        #expect(pool.schedulers.map(\.load) == [2, 2])
        clocks[1].advance()
        #expect(recorder.values.count == 2)
        clocks[0].advance()
        #expect(recorder.values.sorted() == [1, 2, 3, 4] && recorder.termination == .completed)
    }

    @Test func `The strategy limits the number of running streams; the next one starts when one has ended`() {
        let clock = TestScheduler()
        let pool = QueueSchedulerPool(over: [clock, clock, clock])
        let started = Atomic<[Int]>([])
        let inners = (0..<3).map { _ in Signal<Int, Never>.pipe() }
        let recorder = EventRecorder<Int, TestError>()
        SignalProducer<Int, TestError>(0..<3)
            .flatMap(.concurrent(limit: 2), on: pool) { index in
                inners[index].output.producer.on(starting: { started.modify { $0.append(index) } })
            }
            .start(recorder.observer)
        clock.advance()
        #expect(started.value == [0, 1])
        inners[1].input.send(value: 1)
        inners[1].input.sendCompleted()
        #expect(started.value == [0, 1])
        clock.advance()
        #expect(started.value == [0, 1, 2])
        for index in [0, 2] { inners[index].input.sendCompleted() }
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test func `An inner stream that is replaced before its scheduler runs isn't started`() {
        let clock = TestScheduler()
        let pool = QueueSchedulerPool(over: [clock])
        let started = Counter()
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>([1, 2, 3])
            .flatMap(.latest, on: pool) { value in
                SignalProducer<Int, Never> {
                    started.increment()
                    return value
                }
            }
            .start(recorder.observer)
        clock.advance()
        #expect(recorder.events == [.value(3), .completed] && started.value == 1)
        #expect(pool.statistics.cancelled == 2)
    }

    @Test(arguments: [true, false])
    func `A failure of the outer or an inner stream ends the result at once and cancels the others`(ofTheOuter: Bool) {
        let clock = TestScheduler()
        let pool = QueueSchedulerPool(over: [clock])
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        let disposed = Counter()
        signal
            .flatMap(.merge, on: pool) { value in
                value == 0 ? Inner(error: .first) : Inner.never.on(disposed: { disposed.increment() })
            }
            .observe(recorder.observer)
        input.send(value: 1)
        clock.advance()
        if ofTheOuter { input.send(error: .first) } else { input.send(value: 0) }
        clock.advance()
        #expect(recorder.events == [.failed(.first)] && disposed.value == 1)
    }

    @Test func `P2: disposing interrupts, and cancels queued and running inner streams`() {
        let clock = TestScheduler()
        let pool = QueueSchedulerPool(over: [clock])
        let started = Counter()
        let recorder = EventRecorder<Int, TestError>()
        let disposable = Inner([1, 2])
            .flatMap(.merge, on: pool) { _ in Inner.never.on(starting: { started.increment() }) }
            .start(recorder.observer)
        disposable.dispose()
        clock.advance()
        #expect(recorder.events == [.interrupted] && started.value == 0 && pool.statistics.cancelled == 2)
    }

    @Test func `There are overloads for outer and inner streams that can't fail`() {
        let clock = TestScheduler()
        let pool = QueueSchedulerPool(over: [clock])
        let numbers = SignalProducer<Int, Never>([1, 2])
        let failing = EventRecorder<Int, TestError>()
        let safe = EventRecorder<Int, Never>()
        let promoted = EventRecorder<Int, TestError>()
        numbers.flatMap(.concat, on: pool) { Inner(value: $0) }.start(failing.observer)
        numbers.flatMap(.concat, on: pool) { Property(value: $0) }.start(safe.observer)
        Inner([1, 2]).flatMap(.concat, on: pool) { SignalProducer<Int, Never>(value: $0) }.start(promoted.observer)
        for _ in 0..<3 { clock.advance() }
        for recorder in [failing, promoted] { #expect(recorder.events == [.value(1), .value(2), .completed]) }
        #expect(safe.events == [.value(1), .value(2), .completed])
    }

    @Test func `A draining pool runs the inner streams that it has accepted; a refused one interrupts the result`()
        async
    {
        let pool = QueueSchedulerPool(count: 2)
        let gates = (0..<2).map { _ in DispatchSemaphore(value: 0) }
        for index in 0..<2 { pool.schedulers[index].schedule { gates[index].wait() } }
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.flatMap(.concurrent(limit: 4), on: pool) { value in SignalProducer { value } }.observe(recorder.observer)
        for value in 0..<100 { input.send(value: value) }
        let ended = Flag()
        pool.shutDown(.draining) { ended.raise() }
        input.send(value: 100)
        for gate in gates { gate.signal() }
        #expect(await Stress.eventually { ended.isRaised && recorder.termination != nil })
        #expect(recorder.values.filter { $0 < 100 }.sorted() == Array(0..<100))
        #expect(recorder.termination == .interrupted)
    }
}
