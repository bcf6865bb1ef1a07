import Corinth
import CorinthTesting
import Dispatch
import Testing

/// Law C5: what is sent through hops and what is scheduled on one scheduler runs in the order of sending and scheduling.
@Suite("C5")
struct HopOrderTests {
    enum Kind: CaseIterable {
        case queue, lingering, thread, spinningThread, executor, pool, virtual

        func make() -> any Scheduler {
            switch self {
            case .queue: QueueScheduler(name: "order", lingering: .nanoseconds(0))
            case .lingering: QueueScheduler(name: "order", lingering: .milliseconds(1))
            case .thread: ThreadScheduler(name: "order", waiting: .park)
            case .spinningThread: ThreadScheduler(name: "order", waiting: .spinThenPark)
            case .executor: ExecutorScheduler(actor: Isolation())
            case .pool: QueueSchedulerPool(count: 1).schedulers[0]
            case .virtual: TestScheduler()
            }
        }
    }

    private actor Isolation {}

    private static let policies: [BufferingPolicy<Never>] = [
        .unbounded, .blocking(capacity: 5000), .dropNewest(capacity: 5000), .dropOldest(capacity: 5000),
    ]

    /// One thread sends through several hops and schedules, in a random order.
    private func run(on scheduler: any Scheduler, seed: UInt64, isHeld: Bool) {
        var generator = SeededGenerator(seed: seed)
        let log = Atomic<[Int]>([])
        let inputs = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.observe(on: scheduler, bufferingPolicy: Self.policies.randomElement(using: &generator) ?? .unbounded)
                .observeValues { value in log.modify { $0.append(value) } }
            return input
        }
        // Nothing runs before everything has been sent.
        let gate = DispatchSemaphore(value: isHeld ? 0 : 1)
        if isHeld { scheduler.schedule { gate.wait() } }
        let count = Int.random(in: 1...300, using: &generator)
        let actions = Double.random(in: 0...0.5, using: &generator)
        let turns = Double.random(in: 0...1, using: &generator)
        var hop = 0
        for number in 0..<count {
            if Double.random(in: 0..<1, using: &generator) < actions {
                scheduler.schedule { log.modify { $0.append(number) } }
            } else {
                if Double.random(in: 0..<1, using: &generator) < turns { hop = (hop + 1) % inputs.count }
                inputs[hop].send(value: number)
            }
        }
        gate.signal()
        (scheduler as? TestScheduler)?.run()
        #expect(Stress.eventually { log.value.count == count }, "seed \(seed): \(log.value.count) of \(count)")
        #expect(log.value == Array(0..<count), "seed \(seed)")
        // Otherwise their ends wait for a scheduler that nobody steps.
        for input in inputs { input.sendCompleted() }
        (scheduler as? TestScheduler)?.run()
        withExtendedLifetime(scheduler) {}
    }

    @Test(arguments: Kind.allCases)
    func `C5: values and actions run in the order of sending and scheduling`(kind: Kind) {
        for seed in 0..<60 {
            run(on: kind.make(), seed: UInt64(seed), isHeld: seed % 2 == 0)
        }
    }

    @Test(arguments: [Kind.queue, .thread, .pool])
    func `C5: a long burst that yields to other work keeps the order`(kind: Kind) {
        let scheduler = kind.make()
        let (log, count) = (Atomic<[Int]>([]), Counter())
        let note = { @Sendable (value: Int) in
            log.modify { $0.append(value) }
            count.increment()
        }
        let (signal, input) = Signal<Int, Never>.pipe()
        signal.observe(on: scheduler, bufferingPolicy: .unbounded).observeValues(note)
        let rounds = Stress.fewer(20)
        for round in 0..<rounds {
            for value in 0..<3000 { input.send(value: round * 3001 + value) }
            scheduler.schedule { note(round * 3001 + 3000) }
        }
        #expect(Stress.eventually { count.value == rounds * 3001 })
        #expect(log.value == Array(0..<rounds * 3001))
    }

    #if !NaiveLocks  // On mutexes, each value is scheduled on its own.
        @Test(arguments: [1, 3])
        func `C5: hops that drop values wake a stalled scheduler as often as they hold values`(capacity: Int) {
            let scheduler = StepScheduler()
            let log = Atomic<[Int]>([])
            let inputs = (0..<2).map { _ in
                let (signal, input) = Signal<Int, Never>.pipe()
                signal.observe(on: scheduler, bufferingPolicy: .dropOldest(capacity: capacity))
                    .observeValues { value in log.modify { $0.append(value) } }
                return input
            }
            for value in 0..<10_000 { inputs[value % 2].send(value: value) }
            #expect(scheduler.count <= 2 * (capacity + 1))
            scheduler.run()
            #expect(log.value.sorted() == Array(10_000 - 2 * capacity..<10_000))
            // As before: one wake-up for each turn.
            for value in 0..<4 { inputs[value % 2].send(value: value) }
            scheduler.run()
            #expect(log.value.suffix(2).contains(3))
            withExtendedLifetime(inputs) {}
        }
    #endif

    @Test(arguments: Kind.allCases)
    func `C5: three hops side by side on one scheduler send value by value`(kind: Kind) {
        let scheduler = kind.make()
        let log = Atomic<[String]>([])
        let (signal, input) = Signal<Int, Never>.pipe()
        for name in ["a", "b", "c"] {
            signal.observe(on: scheduler).observeValues { value in log.modify { $0.append("\(name)\(value)") } }
        }
        let gate = DispatchSemaphore(value: 0)
        scheduler.schedule { gate.wait() }
        input.send(value: 1)
        input.send(value: 2)
        gate.signal()
        (scheduler as? TestScheduler)?.run()
        #expect(Stress.eventually { log.value.count == 6 })
        #expect(log.value == ["a1", "b1", "c1", "a2", "b2", "c2"])
        withExtendedLifetime(scheduler) {}
    }
}
