@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// Every operator with a buffer, under every policy: each sent value is delivered or counted as dropped, and the number of
/// buffered values is bounded.
@Suite(.serialized)
struct BufferAccountingTests {
    typealias Policy = BufferingPolicy<TestError>

    /// A value that counts its live instances.
    struct Numbered: Sendable {
        let number: Int
        let token: LeakCounter.Token
    }

    enum Operator: String, CaseIterable, CustomTestStringConvertible {
        case hop, pooledHop, spread, parallelMap, unorderedMap, delay, collectEvery, collect, zip, merge, concat
        case concurrent, pooledConcat

        var testDescription: String { rawValue }

        /// Operators whose senders can wait.
        static let waiting: [Operator] = [
            .hop, .pooledHop, .spread, .parallelMap, .unorderedMap, .delay, .collectEvery,
        ]

        /// How many values the operator holds besides the buffered ones: in partitions, or in running streams.
        var slack: Int {
            switch self {
            case .parallelMap, .unorderedMap: 4
            case .spread, .collectEvery: BufferAccountingTests.capacity  // Two partitions; one array.
            case .concat, .pooledConcat: 1
            case .concurrent: 3
            default: 0
            }
        }

        func apply(
            to source: Signal<Numbered, TestError>, on pool: QueueSchedulerPool, _ policy: Policy,
            _ statistics: BufferStatistics
        ) -> Signal<Int, TestError> {
            switch self {
            case .hop:
                source.observe(on: pool.base, bufferingPolicy: policy, statistics: statistics).map(\.number)
            case .pooledHop:
                source.observe(on: pool.next, bufferingPolicy: policy, statistics: statistics).map(\.number)
            case .spread:
                source.observe(
                    on: pool, by: { $0.number % 2 }, bufferingPolicy: policy, statistics: statistics
                ) { partition in partition.map(\.number) }
            case .parallelMap:
                source.parallelMap(on: pool, bufferingPolicy: policy, statistics: statistics) { $0.number }
            case .unorderedMap:
                source.parallelMap(on: pool, ordered: false, bufferingPolicy: policy, statistics: statistics) {
                    $0.number
                }
            case .delay:
                source.delay(0.001, on: pool.next, bufferingPolicy: policy, statistics: statistics).map(\.number)
            case .collectEvery:
                source.collect(
                    every: .milliseconds(1), on: pool.next, discardWhenCompleted: false, bufferingPolicy: policy,
                    statistics: statistics
                ).map(\.count)
            case .collect:
                source.collect(bufferingPolicy: policy, statistics: statistics).map(\.count)
            case .zip:
                source.zip(with: Signal<Int, TestError>.never, bufferingPolicy: policy, statistics: statistics).map(
                    \.0.number)
            case .merge:
                Signal.merge(ordered: [source, .never], bufferingPolicy: policy, statistics: statistics) {
                    $0.number < $1.number
                }.map(\.number)
            case .concat, .concurrent:
                source.flatMap(
                    self == .concat ? .concat : .concurrent(limit: 3), bufferingPolicy: policy, statistics: statistics,
                    Operator.open)
            case .pooledConcat:
                source.flatMap(
                    .concat, on: pool, bufferingPolicy: policy, statistics: statistics, Operator.open)
            }
        }

        /// A stream that keeps its value and stays open.
        private static let open = { @Sendable (value: Numbered) in
            SignalProducer<Int, TestError> { observer, lifetime in
                lifetime.observeEnded { withExtendedLifetime((value, observer)) {} }
            }
        }
    }

    static let capacity = 16

    static let dropping: [Policy] = [
        .dropNewest(capacity: capacity), .dropOldest(capacity: capacity), .latest,
        .failing(capacity: capacity, with: .second),
    ]

    private static let count = 2_000

    @Test(arguments: Operator.allCases, dropping + [.unbounded])
    func `In virtual time, every value is counted at every end`(operation: Operator, policy: Policy) {
        for end in terminations.map(Optional.some) + [nil] {
            let leaks = LeakCounter()
            let statistics = BufferStatistics()
            let scheduler = TestScheduler()
            var most = 0
            do {
                let pool = QueueSchedulerPool(over: [scheduler, scheduler])
                let (signal, input) = Signal<Numbered, TestError>.pipe()
                let disposable = operation.apply(to: signal, on: pool, policy, statistics).observe { _ in }
                for number in 0..<Self.count {
                    input.send(value: Numbered(number: number, token: leaks.token()))
                    most = max(most, leaks.count)
                }
                if policy.failure == nil { #expect(statistics.sent == Self.count) }
                if case .unbounded = policy.kind {
                    #expect(most == Self.count)
                } else {
                    #expect(most <= Self.capacity + operation.slack, "at most \(most) values were alive")
                }
                switch end {
                case .completed: input.sendCompleted()
                case .interrupted: input.sendInterrupted()
                case .failed(let error): input.send(error: error)
                default: disposable?.dispose()
                }
                scheduler.advance(by: .seconds(1))
                // Running inner streams continue after the outer stream has ended.
                disposable?.dispose()
                scheduler.advance(by: .seconds(1))
            }
            #expect(leaks.count == 0, "\(String(describing: end))")
            #expect(statistics.waiting == 0, "\(String(describing: end))")
            #expect(statistics.sent >= statistics.delivered && statistics.sent <= Self.count)
        }
    }

    @Test(arguments: Operator.allCases, dropping + [.unbounded])
    func `On a real pool with two senders, every value is counted`(operation: Operator, policy: Policy) {
        flood(operation, policy) { leaks, statistics in
            guard policy.failure == nil else { return }
            #expect(statistics.sent == 2 * Self.count)
        }
    }

    @Test(arguments: Operator.waiting)
    func `If a sender waits, no value is dropped`(operation: Operator) {
        flood(operation, .blocking(capacity: Self.capacity, stallTimeout: .seconds(60)), senders: 1) {
            most, statistics in
            #expect(statistics.sent == Self.count)
            if operation != .collectEvery { #expect(statistics.dropped == 0) }
            #if !NaiveLocks  // In the naive build, a delivered value takes its mutex and no longer counts.
                // The value that a sender has queued before it waits, the value that is being delivered, and ordered results.
                let results = operation == .parallelMap || operation == .unorderedMap ? 128 : 0
                #expect(most <= Self.capacity + operation.slack + results + 8, "\(most) values were alive")
            #endif
        }
    }

    private func flood(
        _ operation: Operator, _ policy: Policy, senders: Int = 2, _ check: (Int, BufferStatistics) -> Void
    ) {
        let leaks = LeakCounter()
        let statistics = BufferStatistics()
        let most = Atomic(0)
        do {
            let pool = QueueSchedulerPool(count: 2)
            let isOver = Flag()
            let (signal, input) = Signal<Numbered, TestError>.pipe()
            let disposable = operation.apply(to: signal, on: pool, policy, statistics).observe {
                if $0.isTerminating { isOver.raise() }
            }
            ThreadGroup.run(senders) { _ in
                for number in 0..<Self.count {
                    input.send(value: Numbered(number: number, token: leaks.token()))
                    let alive = leaks.count
                    most.modify { $0 = max($0, alive) }
                }
            }
            // Another thread may still deliver values that this one has handed over.
            if policy.failure == nil {
                #expect(Stress.eventually { statistics.sent == senders * BufferAccountingTests.count })
            }
            input.sendCompleted()
            switch operation {
            case .zip, .merge, .concat, .concurrent, .pooledConcat: disposable?.dispose()
            default: #expect(Stress.eventually { isOver.isRaised })
            }
        }
        #expect(Stress.eventually { statistics.waiting == 0 && leaks.count == 0 })
        check(most.value, statistics)
    }

    #if !NaiveLocks
        @Test func `After a thread's own event has filled a hop, queued events of others wait for capacity`() {
            let (scheduler, statistics) = (StepScheduler(), BufferStatistics())
            let (signal, input) = Signal<Int, TestError>.pipe()
            let recorder = EventRecorder<Int, TestError>()
            let (isInside, isQueued) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            signal.observe(
                on: scheduler, bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never), statistics: statistics
            ).observe(recorder.observer)
            signal.observe { event in
                guard event.value == 1 else { return }
                input.send(value: 2)
                isInside.signal()
                isQueued.wait()
            }
            let ended = Counter()
            Thread.detachNewThread {
                input.send(value: 1)
                ended.increment()
            }
            Thread.detachNewThread {
                isInside.wait()
                input.send(value: 3)
                isQueued.signal()
                ended.increment()
            }
            var held: Int { Int(statistics.heldWord.load(.relaxed)) }
            #expect(Stress.eventually { held > 0 })
            #expect(statistics.sent + held == 2)
            #expect(
                Stress.eventually {
                    scheduler.run()
                    return recorder.values.count == 3 && ended.value == 2
                })
            #expect(recorder.values == [1, 2, 3])
            // The observer keeps the input, and the scheduler the hop.
            input.sendCompleted()
            #expect(
                Stress.eventually {
                    scheduler.run()
                    return recorder.termination == .completed && scheduler.count == 0
                })
        }
    #endif
}

extension QueueSchedulerPool {
    /// A scheduler of the same kind as the pool's, but outside of any pool.
    fileprivate var base: any Scheduler { next.runsByItself ? QueueScheduler(name: "test") : next }
}
