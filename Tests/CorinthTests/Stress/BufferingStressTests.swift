@testable import Corinth
import Dispatch
import Foundation
import Testing

/// Hops with a bound, on real queues.
@Suite(.serialized)
struct BufferingStressTests {
    /// A value that is counted while it is alive.
    private struct Numbered: Sendable {
        let number: Int
        let token: Live.Token
    }

    /// A sender that is more than ten times as fast as what it sends to.
    ///
    /// - Returns: How many values were alive at most.
    private func flood(
        _ policy: BufferingPolicy<Never>, count: Int, _ check: (BufferStatistics, [Int]) -> Void
    ) -> Int {
        let live = Live()
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
            input.send(value: Numbered(number: number, token: live.token()))
            most = max(most, live.count)
        }
        input.sendCompleted()
        complete.wait()
        check(statistics, received.value)
        return most
    }

    private static let capacity = 100

    /// X2: however long a flood lasts, what waits is bounded, and every value is accounted for.
    @Test(arguments: [
        BufferingPolicy<Never>.dropNewest(capacity: capacity), .dropOldest(capacity: capacity), .latest,
    ])
    func drops(policy: BufferingPolicy<Never>) {
        let count = 50_000
        let most = flood(policy, count: count) { statistics, received in
            #expect(statistics.sent == count)
            #expect(statistics.delivered == received.count)
            #expect(statistics.delivered + statistics.dropped == count)
            #expect(statistics.dropped > 0)
            #expect(zip(received, received.dropFirst()).allSatisfy(<), "in order, and each once")
            if case .dropping(_, oldest: true) = policy.kind { #expect(received.last == count - 1) }
        }
        // What waits, what is sent, and what is delivered.
        #expect(most <= Self.capacity + 2)
    }

    #if !NaiveLocks  // There, what is delivered takes its mutex one at a time, and is counted as waiting no more.
        @Test func waits() {
            let count = 20_000
            let most = flood(.blocking(capacity: Self.capacity, stallTimeout: .never), count: count) {
                statistics, received in
                #expect(received == Array(0..<count))
                #expect(statistics.delivered == count)
                #expect(statistics.dropped == 0)
            }
            #expect(most <= Self.capacity + 2)
        }

        /// The bound holds along a stream: a hop stops when the next one is full, and so does a worker that delivers for
        /// several senders.
        @Test(arguments: [1, 4])
        func waitsAlongTheStream(senders: Int) {
            let live = Live()
            let most = Atomic(0)
            let capacity = 50
            let count = 20_000 / senders
            let (signal, input) = Signal<Numbered, Never>.pipe(inboxCapacity: capacity)
            let ledger = Counter()
            let policy = BufferingPolicy<Never>.blocking(capacity: capacity, stallTimeout: .never)
            signal
                .observe(on: QueueScheduler(name: "first"), bufferingPolicy: policy)
                .map { $0 }
                .observe(on: QueueScheduler(name: "second"), bufferingPolicy: policy)
                .observe(on: QueueScheduler(name: "third"), bufferingPolicy: policy)
                .observeValues { _ in
                    Work.spin(1000)
                    ledger.increment()
                }
            Crew.run(senders) { _ in
                for number in 0..<count {
                    input.send(value: Numbered(number: number, token: live.token()))
                    let alive = live.count
                    most.modify { $0 = max($0, alive) }
                }
            }
            #expect(Stress.eventually { ledger.value == count * senders })
            // Three buffers and an inbox; what is delivered with the batch that it belongs to; and one past each bound.
            let owners = senders == 1 ? 0 : Strand.helpingBound + senders
            #expect(most.value <= 4 * capacity + 3 + senders + owners, "\(most.value) were alive")
        }

        /// A sender to several hops waits for each that is full, and not only for the one that was full first.
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
            for value in 0..<5000 {
                input.send(value: value)
                most = all.map(\.waiting).reduce(most, max)
            }
            #expect(most <= 10)
            #expect(Stress.eventually { all.allSatisfy { $0.delivered == 5000 } })
        }

        /// Where a delivery takes longer than the stall timeout, senders go past the bound a few times, and no more.
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

        /// A sender that owns a strand goes past the bound, and waits when it has left it.
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
            Crew.run([
                {
                    outerInput.send(value: 0)
                    waited.value = statistics.delivered
                },
                {
                    #expect(Stress.eventually { isThrough.isRaised })
                    // When it waits, it holds the last.
                    #expect(statistics.waiting >= 99)
                    scheduler.queue.resume()
                },
            ])
            #expect((waited.value ?? 0) >= 64, "it waits for a place, and places are given back a batch at a time")
        }

        /// A block on the scheduler's own queue, or on one that runs on top of it, doesn't wait for itself.
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

    /// The sender is what the scheduler's queue waits for, unseen: each stall timeout admits some more, and both go on.
    @Test func neverDeadlocks() {
        let queue = DispatchQueue(label: "test")
        let scheduler = QueueScheduler(queue: queue)
        let statistics = BufferStatistics()
        let (signal, input) = Signal<Int, Never>.pipe()
        signal.observe(
            on: scheduler, bufferingPolicy: .blocking(capacity: 10, stallTimeout: .milliseconds(10)),
            statistics: statistics
        ).observeValues { _ in }
        // Under the scheduler, where it can't see it.
        queue.sync { for value in 0..<1000 { input.send(value: value) } }
        // And on another thread, which this one waits for.
        queue.sync { Crew.run(1) { _ in for value in 0..<1000 { input.send(value: value) } } }
        #expect(Stress.eventually { statistics.delivered == 2000 })
        #expect(statistics.sent == 2000)
    }
}
