#if !NaiveLocks
    internal import Dispatch
    internal import Foundation

    /// How much waits in a mailbox, and where its senders wait for room.
    ///
    /// A sender that finds the mailbox full puts its element in all the same, and waits when it owns no strand. It waits as
    /// long as elements are delivered, and for a time of patience after the last one; then it takes the scheduler for
    /// stalled, perhaps by what this very sender is to do next, and nobody waits until something is delivered again. So a
    /// wait always ends, whatever the scheduler's thread waits for: no rule about who may send where is needed.
    @usableFromInline
    @safe final class MailboxRoom: Creditor, @unchecked Sendable {  // Its words are atomic, the rest is immutable.
        /// How many elements wait. On a cache line with what is read only when there is no room.
        @usableFromInline var waitingStorage: UInt64 = 0
        @usableFromInline var sleepersStorage: UInt64 = 0
        @usableFromInline var padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

        /// How many elements have been delivered, and 1 more than that at which a sender ran out of patience, or 0.
        @usableFromInline var progressStorage: UInt64 = 0
        private var stallStorage: UInt64 = 0

        /// How many may wait; `.max` if there is no bound.
        @usableFromInline let capacity: UInt64

        /// How many wait when the sleepers are woken: not one element later, so that they don't go to and fro.
        @usableFromInline let resumption: UInt64

        private let patience: DispatchTimeInterval
        private let errands: (any ErrandScheduler)?

        @usableFromInline
        init(_ bound: MailboxBound?, errands: (any ErrandScheduler)?) {
            capacity = bound.map { UInt64($0.capacity) } ?? .max
            resumption = capacity / 2
            patience = bound?.patience ?? .never
            self.errands = errands
            super.init()
        }

        @inlinable @inline(__always)
        var waiting: AtomicWord { AtomicWord(of: self) }

        /// How many threads sleep until there is room.
        @inlinable @inline(__always)
        var sleepers: AtomicWord { AtomicWord(of: self, at: 8) }

        @inlinable @inline(__always)
        var progress: AtomicWord { AtomicWord(of: self, at: 64) }

        private var stall: AtomicWord { AtomicWord(of: self, at: 72) }

        /// Counts one that waits, and waits for room as soon as that can be.
        @inlinable
        func enter() {
            // relaxed: a count. What it counts is published by others.
            if waiting.fetchAdd(1, .relaxed) >= capacity { overfill() }
        }

        /// Counts one that waits no more.
        @inlinable
        func leave() {
            countDelivery()
            _ = giveUp(1)
        }

        /// Counts a delivery, if anybody may wait for one. Called by the draining side.
        @inlinable @inline(__always)
        func countDelivery() {
            if capacity == .max { return }
            // relaxed: nobody else writes, and who waits for it asks again.
            progress.store(progress.load(.relaxed) &+ 1, .relaxed)
        }

        /// Takes so many elements off those that wait, and returns how many are left. Called by the draining side.
        @inlinable @inline(__always)
        func giveUp(_ count: UInt64) -> UInt64 {
            // release: this side is done with the elements. acquire: whoever drains next sees that. sequential: with the
            // load after it, as said in `blockingWaitForRoom()`.
            let left = waiting.fetchSubtract(count, .sequential) - count
            if left <= resumption, capacity != .max, sleepers.load(.sequential) != 0 { waiting.wake() }
            return left
        }

        /// What a sender does whose element went past the bound.
        @usableFromInline
        @inline(never)
        func overfill() {
            ThreadState.current.incurDebt(to: self)
            Strand.settle()
        }

        override func blockingWaitForRoom() {
            if errands?.isCurrent == true { return }
            var turn = 0
            var mark = progress.load(.relaxed)
            var deadline: Moment?
            // relaxed: a count. A thread that sees an old one waits once more, or doesn't wait when it should.
            while waiting.load(.relaxed) > capacity {
                if stall.load(.relaxed) == progress.load(.relaxed) + 1 { return }
                if turn < Strand.spinningTurns {
                    waiting.spin(turn: turn)
                    turn += 1
                    continue
                }
                let seen = progress.load(.relaxed)
                if deadline == nil || seen != mark {
                    mark = seen
                    deadline = Moment(after: patience)
                } else if let deadline, deadline.isPast {
                    stall.store(mark + 1, .relaxed)
                    return
                }
                sleep(until: deadline)
            }
        }

        /// Sleeps until about half of the elements have been delivered, or until a time.
        private func sleep(until deadline: Moment?) {
            Probe.wait(self)
            // sequential: this count and the load after it, against the subtraction and the load in `giveUp(_:)`. One of
            // the two sides sees the other; else a sender could sleep beside an empty mailbox.
            sleepers.fetchAdd(1, .sequential)
            let seen = waiting.load(.sequential)
            if seen > capacity {
                let expected = UInt32(truncatingIfNeeded: seen)
                if let time = deadline?.time {
                    waiting.blockingWait(while: expected, until: time)
                } else {
                    waiting.blockingWait(while: expected)
                }
            }
            sleepers.fetchSubtract(1, .relaxed)
        }

        /// When a sender runs out of patience, which may be never.
        private struct Moment {
            let date: Date?

            init(after interval: DispatchTimeInterval) {
                if case .never = interval {
                    date = nil
                } else {
                    date = Date().addingTimeInterval(interval.timeInterval)
                }
            }

            var isPast: Bool { date.map { $0 <= Date() } ?? false }

            /// In seconds and nanoseconds since 1970.
            var time: (seconds: Int64, nanoseconds: Int32)? {
                guard let since = date?.timeIntervalSince1970 else { return nil }
                let seconds = since.rounded(.down)
                return (Int64(seconds), Int32((since - seconds) * 1e9))
            }
        }
    }
#endif
