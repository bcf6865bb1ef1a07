@testable import Corinth
import Dispatch
import Foundation
import Testing

/// A pool under load: FIFO order per key, shutdown at any moment, and ordered results.
@Suite("Stress: a pool", .serialized)
struct PoolStressTests {
    private static let keys = 24

    @Test func `Streams of several threads over one pool keep each key's FIFO order, and lose nothing`() {
        var delivered = 0
        let rounds = Stress.repeated(share: 0.5) {
            let pool = QueueSchedulerPool(count: 4)
            let ledgers = (0..<3).map { _ in Ledger(senders: Self.keys) }
            let inputs = ledgers.map { ledger in
                let (signal, input) = Signal<Letter, Never>.pipe()
                signal
                    .observe(on: pool, by: \.sender) { partition in
                        partition.map { letter in
                            Work.spin(letter.number % 8)
                            return letter
                        }
                    }
                    .observe { ledger.receive($0) }
                return input
            }
            ThreadGroup.run(inputs.count) { index in
                for number in 0..<200 {
                    for key in 0..<Self.keys { inputs[index].send(value: Letter(sender: key, number: number)) }
                }
                inputs[index].sendCompleted()
            }
            for ledger in ledgers {
                #expect(Stress.eventually { ledger.count == 200 * Self.keys }, "lost: \(ledger.count) came")
                #expect(ledger.isInOrder)
            }
            #expect(Stress.eventually { ledgers.allSatisfy { $0.ends == 1 } })
            delivered += ledgers.reduce(0) { $0 + $1.count }
        }
        print("orderOfKeys(): \(delivered.formatted()) events in \(rounds) rounds")
    }

    @Test func `A map of several values in parallel keeps the order, and loses nothing`() {
        var delivered = 0
        let rounds = Stress.repeated(share: 0.5) {
            let pool = QueueSchedulerPool(count: 3)
            let (signal, input) = Signal<Letter, Never>.pipe()
            let ordered = Ledger(senders: 1)
            let sum = Counter()
            signal
                .parallelMap(on: pool) { letter in
                    Work.spin(letter.number % 16 * 4)
                    return letter
                }
                .observe { ordered.receive($0) }
            signal.parallelMap(on: pool, limit: 2, ordered: false) { $0 }.observeValues { _ in sum.increment() }
            for number in 0..<5_000 { input.send(value: Letter(sender: 0, number: number)) }
            input.sendCompleted()
            #expect(Stress.eventually { ordered.count == 5_000 && sum.value == 5_000 })
            #expect(ordered.isInOrder)
            delivered += ordered.count + sum.value
        }
        print("orderOfResults(): \(delivered.formatted()) events in \(rounds) rounds")
    }

    @Test
    func
        `Actions that are scheduled while a pool is shut down run, are dropped or are refused; none runs after the end`()
    {
        var outcomes = (executed: 0, cancelled: 0, refused: 0)
        Stress.repeated(share: 0.5) {
            for drains in [true, false] {
                let pool = QueueSchedulerPool(count: 2)
                let leaks = LeakCounter()
                let ran = Counter()
                let late = Counter()
                let ended = Flag()
                let sent = 3 * 300
                ThreadGroup.run(4) { index in
                    guard index < 3 else {
                        while ran.value < 50 { Work.yield() }
                        pool.shutDown(drains ? .draining : .cancelling) { ended.raise() }
                        return
                    }
                    for number in 0..<300 {
                        let disposable = pool.scheduler(for: number).schedule { [token = leaks.token()] in
                            token.touch()
                            if ended.isRaised { late.increment() }
                            ran.increment()
                        }
                        if number % 16 == 0 { disposable?.dispose() }
                    }
                }
                #expect(Stress.eventually { ended.isRaised })
                #expect(Stress.eventually { leaks.count == 0 })
                let statistics = pool.statistics
                #expect(late.value == 0 && statistics.queued == 0)
                #expect(statistics.executed == ran.value)
                #expect(statistics.executed + statistics.cancelled + statistics.refused == sent)
                outcomes.executed += statistics.executed
                outcomes.cancelled += statistics.cancelled
                outcomes.refused += statistics.refused
            }
        }
        print("shutdowns(): \(outcomes)")
    }

    @Test
    func `Streams that are active when their pool is shut down end, and deliver all earlier values or are interrupted`()
    {
        Stress.repeated(share: 0.5) {
            for drains in [true, false] {
                let pool = QueueSchedulerPool(count: 2)
                let keyed = Signal<Letter, Never>.pipe()
                let mapped = Signal<Letter, Never>.pipe()
                let ledgers = [Ledger(senders: 2), Ledger(senders: 1)]
                keyed.output.observe(on: pool, by: \.sender) { $0.map { $0 } }.observe { ledgers[0].receive($0) }
                mapped.output.parallelMap(on: pool) { $0 }.observe { ledgers[1].receive($0) }
                let (sending, ended) = (Flag(), Flag())
                let before = Counter()
                ThreadGroup.run([
                    {
                        for number in 0..<2_000 {
                            for sender in 0..<2 { keyed.input.send(value: Letter(sender: sender, number: number)) }
                            if !sending.isRaised { before.increment() }
                        }
                    },
                    {
                        for number in 0..<2_000 { mapped.input.send(value: Letter(sender: 0, number: number)) }
                    },
                    {
                        while ledgers[0].count < 100 { Work.yield() }
                        sending.raise()
                        pool.shutDown(drains ? .draining : .cancelling) { ended.raise() }
                    },
                ])
                #expect(Stress.eventually { ended.isRaised && ledgers.allSatisfy { $0.ends == 1 } })
                for ledger in ledgers { #expect(ledger.isInOrder, "values are missing or out of order") }
                if drains {
                    #expect(
                        ledgers[0].count >= 2 * (before.value - 1),
                        "values that were sent before the shutdown were lost")
                }
            }
        }
    }
}
