#if !NaiveLocks
    import CTestSupport
    @testable import Corinth
    import Foundation
    import Testing

    /// Events that a thread queues one after the other. What other threads do meanwhile, `EventBurstExplorationTests` explores.
    @Suite("Bursts")
    struct EventBurstTests {
        @Test func `A burst takes events until there is no room, or it is closed`() {
            for room in [1, 2, 32] as [UInt64] {
                var word = BurstWord.first
                for count in 1..<room {
                    #expect(word.count == count && !word.isClosed)
                    #expect(word.closed.count == count && word.closed.isClosed)
                    #expect(word.closed.adding(room: room) == nil)
                    guard let next = word.adding(room: room) else {
                        Issue.record("\(word) has room")
                        return
                    }
                    word = next
                }
                #expect(word.count == room)
                #expect(word.adding(room: room) == nil)
            }
        }

        @Test func `If permits are scarce, a burst has room for 4 events, or at most twice those of the last one`() {
            for (count, size) in [(0, 2), (1, 2), (3, 2), (4, 3), (7, 3), (8, 4), (31, 5)] as [(UInt64, Int)] {
                #expect(BurstWord.size(after: count) == size)
            }
            for count in 0...32 as ClosedRange<UInt64> {
                let room = 1 << UInt64(BurstWord.size(after: count))
                #expect(room > count && room <= max(4, 2 * count))
            }
        }

        @Test func `E4: what a thread queues is delivered in its order, whatever its values are`() {
            expectOrder { $0 }
            expectOrder { UInt8(truncatingIfNeeded: $0) }
            expectOrder { "a string that has a buffer of its own, number \($0)" }
            expectOrder { [$0, $0, $0] }
            expectOrder { $0.isMultiple(of: 3) ? nil : $0 }
            expectOrder { Wide(number: $0) }
            expectOrder { _ in Empty() }
        }

        @Test func `A thread that queues events one after the other allocates for a burst, not for each`() {
            let (strand, target) = (Strand(), Target<Int>())
            let allocations = Box(0)
            withOwned(strand) {
                ThreadGroup.run(1) { _ in
                    for number in 0..<100 { strand.queue(number, for: target, isKeptByList: true) }
                    let before = test_allocations()
                    for number in 100..<1_100 { strand.queue(number, for: target, isKeptByList: true) }
                    allocations.value = Int(test_allocations() - before)
                }
            }
            expectOrder(target, 1_100)
            // Each has 32 events, and three blocks of memory at most.
            #expect(allocations.value <= 3 * 32)
        }

        @Test func `X2: a lone sender fills the whole inbox before it waits`() {
            let (strand, target) = (Strand(capacity: 1_024), Target<Int>())
            withOwned(strand) {
                ThreadGroup.run(1) { _ in
                    for number in 0..<1_024 { strand.queue(number, for: target, isKeptByList: true) }
                }
                #expect(strand.waiterCount == 0)
                #expect(!strand.tryTake())
            }
            expectOrder(target, 1_024)
        }

        @Test func `X2: threads that have begun bursts and send no more leave room for others`() {
            let (strand, target) = (Strand(capacity: 1_024), Target<Int>())
            withOwned(strand) {
                // The inbox has room for 31 of the largest bursts.
                for _ in 0..<100 {
                    ThreadGroup.run(1) { _ in
                        for number in 0..<2 { strand.queue(number, for: target, isKeptByList: true) }
                    }
                }
                // relaxed: a count.
                #expect(strand.state.stalls.load(.relaxed) == 0)
            }
            #expect(target.received.count == 200)
        }

        @Test func `A thread keeps the burst that it has queued last, and lets it go when it ends`() {
            let (strand, target) = (Strand(), Target<Int>())
            let (kept, ends) = (Box(false), Box(WeakBurst()))
            withOwned(strand) {
                ThreadGroup.run(1) { _ in
                    for number in 0..<3 { strand.queue(number, for: target, isKeptByList: true) }
                    ends.value.burst = unsafe ThreadState.current.burst?.takeUnretainedValue()
                    kept.value = ends.value.burst != nil
                }
            }
            #expect(kept.value)
            // The thread has said that it ends, and does so at any time after that.
            while ends.value.burst != nil { sched_yield() }
        }

        @Test func `What was queued is released once it was delivered`() {
            let leaks = LeakCounter()
            weak var kept: Target<LeakCounter.Token>?
            for count in [1, 2, 3, 40] {
                let (strand, target) = (Strand(), Target<LeakCounter.Token>())
                kept = target
                withOwned(strand) {
                    ThreadGroup.run(2) { _ in
                        for _ in 0..<count { strand.queue(leaks.token(), for: target, isKeptByList: true) }
                    }
                }
                #expect(target.received.count == 2 * count)
                target.received = []
                #expect(leaks.count == 0)
            }
            #expect(kept == nil)
        }

        @Test func `A thread that sends to two streams in turn queues no bursts`() {
            let streams = [(Strand(), Target<Int>()), (Strand(), Target<Int>())]
            withOwned(streams[0].0) {
                withOwned(streams[1].0) {
                    ThreadGroup.run(1) { _ in
                        for number in 0..<200 {
                            for (strand, target) in streams { strand.queue(number, for: target, isKeptByList: true) }
                        }
                    }
                    #expect(streams.allSatisfy { $0.0.state.taken(.relaxed) == 200 })
                }
            }
            for (_, target) in streams { expectOrder(target, 200) }
        }

        // MARK: Support

        private struct Wide: Equatable {
            let number: Int
            var others = (0, 0, 0, 0, 0, 0, 0, 0)

            static func == (one: Wide, other: Wide) -> Bool { one.number == other.number }
        }

        private struct Empty: Equatable {}

        private final class Box<Value>: @unchecked Sendable {  // One thread at a time uses it.
            var value: Value

            init(_ value: Value) { self.value = value }
        }

        private struct WeakBurst {
            weak var burst: EventBurst?
        }

        private final class Target<Value>: EventTarget, @unchecked Sendable {  // The strand's owner has it.
            var received: [Value] = []

            func deliverQueued(_ value: Value) { received.append(value) }
        }

        private func expectOrder(_ target: Target<Int>, _ count: Int) {
            let isInOrder = target.received.elementsEqual(0..<count)
            #expect(isInOrder)
        }

        /// Runs `body` while this thread owns a strand, and then what was queued meanwhile: a worker may run the rest. Then all permits
        /// are given back.
        private func withOwned(_ strand: Strand, _ body: () -> Void) {
            guard let owned = strand.enter() else {
                Issue.record("an idle strand has an owner")
                return
            }
            body()
            strand.leave(owned)
            // acquire: sees what the last owner has done.
            while strand.state.used.load(.acquire) > 0 { sched_yield() }
        }

        private func expectOrder<Value: Equatable & Sendable>(_ value: @escaping @Sendable (Int) -> Value) {
            let (strand, target) = (Strand(), Target<Value>())
            for count in [1, 2, 5, 32, 33, 200] {
                target.received = []
                withOwned(strand) {
                    ThreadGroup.run(1) { _ in
                        for number in 0..<count { strand.queue(value(number), for: target, isKeptByList: true) }
                    }
                }
                let isInOrder = target.received == (0..<count).map(value)
                #expect(isInOrder, "\(count) of \(Value.self)")
            }
        }
    }
#endif
