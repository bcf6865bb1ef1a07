@testable import Corinth
import Dispatch
import Foundation
import Testing

/// Hops with a capacity, on real queues.
@Suite(.serialized)
struct BufferingStressTests {
    /// A value that counts its live instances.
    private struct Numbered: Sendable {
        let number: Int
        let token: LeakCounter.Token
    }

    /// A sender that is more than ten times as fast as its receiver.
    ///
    /// - Returns: The largest number of values that were alive.
    private func flood(
        _ policy: BufferingPolicy<Never>, count: Int, _ check: (BufferStatistics, [Int]) -> Void
    ) -> Int {
        let leaks = LeakCounter()
        let statistics = BufferStatistics()
        let received = Atomic<[Int]>([])
        let complete = DispatchSemaphore(value: 0)
        let (signal, input) = Signal<Numbered, Never>.pipe()
        signal.observe(on: QueueScheduler(name: "test"), bufferingPolicy: policy, statistics: statistics)
            .observe { event in
                switch event {
                case .value(let value):
                    Work.spin(2000)
                    received.modify { $0.append(value.number) }
                case .completed: complete.signal()
                case .interrupted: break
                }
            }
        var most = 0
        for number in 0..<count {
            input.send(value: Numbered(number: number, token: leaks.token()))
            most = max(most, leaks.count)
        }
        input.sendCompleted()
        complete.wait()
        check(statistics, received.value)
        return most
    }

    private static let capacity = 100

    @Test(arguments: [
        BufferingPolicy<Never>.dropNewest(capacity: capacity), .dropOldest(capacity: capacity), .latest,
    ])
    func `X2: however long a flood lasts, the number of waiting values is bounded, and every value is accounted for`(
        policy: BufferingPolicy<Never>
    ) {
        let count = 50_000
        let most = flood(policy, count: count) { statistics, received in
            #expect(statistics.sent == count)
            #expect(statistics.delivered == received.count)
            #expect(statistics.delivered + statistics.dropped == count)
            #expect(statistics.dropped > 0)
            #expect(zip(received, received.dropFirst()).allSatisfy(<), "out of order, or delivered twice")
            if case .dropping(_, oldest: true) = policy.kind { #expect(received.last == count - 1) }
        }
        // The waiting values, the value that is being sent, and the value that is being delivered.
        #expect(most <= Self.capacity + 2)
    }

    #if !NaiveLocks  // In the naive build, each delivered value takes its mutex and is no longer counted as waiting.
        @Test func waits() {
            let count = Stress.fewer(20_000)
            let most = flood(.blocking(capacity: Self.capacity, stallTimeout: .never), count: count) {
                statistics, received in
                #expect(received == Array(0..<count))
                #expect(statistics.delivered == count)
                #expect(statistics.dropped == 0)
            }
            #expect(most <= Self.capacity + 2)
        }

        /// The bounds hold along a stream: a hop stops when the next one is full. A worker that delivers for several senders
        /// stops, too.
        @Test(arguments: [1, 4])
        func waitsAlongTheStream(senders: Int) {
            let leaks = LeakCounter()
            let most = Atomic(0)
            let capacity = 50
            let count = Stress.fewer(20_000) / senders
            let ledger = Counter()
            // The inbox, too: a machine that doesn't let a worker run for 100 ms would count as a stall.
            let policy = BufferingPolicy<Never>.blocking(capacity: capacity, stallTimeout: .never)
            let (signal, input) = Signal<Numbered, Never>.pipe(buffering: policy)
            signal
                .observe(on: QueueScheduler(name: "first"), bufferingPolicy: policy)
                .map { $0 }
                .observe(on: QueueScheduler(name: "second"), bufferingPolicy: policy)
                .observe(on: QueueScheduler(name: "third"), bufferingPolicy: policy)
                .observeValues { _ in
                    Work.spin(1000)
                    ledger.increment()
                }
            ThreadGroup.run(senders) { _ in
                for number in 0..<count {
                    input.send(value: Numbered(number: number, token: leaks.token()))
                    let alive = leaks.count
                    most.modify { $0 = max($0, alive) }
                }
            }
            #expect(Stress.eventually { ledger.value == count * senders })
            // Three buffers and an inbox; the delivered value with its batch; and one value past each bound.
            let owners = senders == 1 ? 0 : Strand.helpingBound + senders
            #expect(most.value <= 4 * capacity + 3 + senders + owners, "\(most.value) values were alive")
        }

        /// A sender to several hops waits for every hop that is full, not only for the first.
        @Test func waitsForEveryHop() {
            let (signal, input) = Signal<Int, Never>.pipe()
            let all = (0..<3).map { _ in BufferStatistics() }
            for (index, statistics) in all.enumerated() {
                signal.observe(
                    on: QueueScheduler(name: "test"), bufferingPolicy: .blocking(capacity: 10, stallTimeout: .never),
                    statistics: statistics
                ).observeValues { _ in Work.spin(200 << (2 * index)) }
            }
            var most = 0
            let count = Stress.fewer(5_000)
            for value in 0..<count {
                input.send(value: value)
                most = all.map(\.waiting).reduce(most, max)
            }
            #expect(most <= 10)
            #expect(Stress.eventually { all.allSatisfy { $0.delivered == count } })
        }

        /// If a delivery takes longer than the stall timeout, senders exceed the bound a limited number of times.
        @Test func slowDeliveries() {
            let statistics = BufferStatistics()
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.observe(
                on: QueueScheduler(name: "test"),
                bufferingPolicy: .blocking(capacity: 2, stallTimeout: .milliseconds(20)),
                statistics: statistics
            ).observeValues { _ in Thread.sleep(forTimeInterval: 0.06) }
            var most = 0
            while statistics.delivered < 10, most < 1_000_000 {
                input.send(value: 0)
                most = max(most, statistics.waiting)
            }
            input.sendInterrupted()
            #expect(most < 100_000)
            #expect(Stress.eventually { statistics.waiting == 0 })
        }

        /// A sender that owns a strand exceeds the bound, and waits after it has left the strand.
        @Test func neverWaitsInACallback() {
            let scheduler = QueueScheduler(name: "test")
            let statistics = BufferStatistics()
            let (signal, input) = Signal<Int, Never>.pipe()
            let (outer, outerInput) = Signal<Int, Never>.pipe()
            signal.observe(
                on: scheduler, bufferingPolicy: .blocking(capacity: 10, stallTimeout: .never), statistics: statistics
            ).observeValues { _ in }
            let isThrough = Flag()
            outer.observeValues { _ in
                for value in 0..<100 { input.send(value: value) }
                isThrough.raise()
            }
            scheduler.queue.suspend()
            let waited = Atomic<Int?>(nil)
            ThreadGroup.run([
                {
                    outerInput.send(value: 0)
                    waited.value = statistics.delivered
                },
                {
                    #expect(Stress.eventually { isThrough.isRaised })
                    // While it waits, it holds the last value.
                    #expect(statistics.waiting >= 99)
                    scheduler.queue.resume()
                },
            ])
            #expect((waited.value ?? 0) >= 64, "the sender waits for a permit, and permits are returned in batches")
        }

        /// A block on the scheduler's own queue, or on a queue that targets it, doesn't wait for itself.
        @Test func neverWaitsForItself() {
            let scheduler = QueueScheduler(name: "test")
            let onTop = DispatchQueue(label: "on top", target: scheduler.queue)
            let statistics = BufferStatistics()
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.observe(
                on: scheduler, bufferingPolicy: .blocking(capacity: 10, stallTimeout: .never), statistics: statistics
            ).observeValues { _ in }
            scheduler.queue.sync { for value in 0..<1000 { input.send(value: value) } }
            onTop.sync { for value in 0..<1000 { input.send(value: value) } }
            scheduler.queue.sync {}
            #expect(Stress.eventually { statistics.delivered == 2000 })
        }
    #endif

    /// The scheduler's queue waits for the sender, and the library can't see that. Each stall timeout admits one more capacity,
    /// so both continue.
    @Test func neverDeadlocks() {
        let queue = DispatchQueue(label: "test")
        let scheduler = QueueScheduler(queue: queue)
        let statistics = BufferStatistics()
        let (signal, input) = Signal<Int, Never>.pipe()
        signal.observe(
            on: scheduler, bufferingPolicy: .blocking(capacity: 10, stallTimeout: .milliseconds(10)),
            statistics: statistics
        ).observeValues { _ in }
        // This runs below the scheduler, where the library can't see it.
        queue.sync { for value in 0..<1000 { input.send(value: value) } }
        // This runs on another thread, and this thread waits for it.
        queue.sync { ThreadGroup.run(1) { _ in for value in 0..<1000 { input.send(value: value) } } }
        #expect(Stress.eventually { statistics.delivered == 2000 })
        #expect(statistics.sent == 2000)
    }
}
