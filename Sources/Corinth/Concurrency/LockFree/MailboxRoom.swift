#if !NaiveLocks
    internal import Dispatch
    internal import Foundation

    /// How much waits in a mailbox, and where its senders wait for room.
    ///
    /// A sender that finds the mailbox full puts its element in all the same, and waits when it owns no strand. It waits as
    /// long as elements are delivered, and for a time of patience after the last one; then it takes the scheduler for
    /// stalled, perhaps by what this very sender is to do next: until something is delivered again, twice as many may wait,
    /// and twice as many again each time that they do. So a wait always ends, whatever the scheduler's thread waits for: no
    /// rule about who may send where is needed. Drains stop instead, as said in ``Creditor``.
    ///
    /// If something is delivered after all while a sender waits for it, the scheduler is just slow: from then on senders have
    /// twice as much patience. So the bound holds, but for a few times, also where one delivery takes longer than that.
    @usableFromInline
    @safe final class MailboxRoom: Creditor, @unchecked Sendable {  // Its words are atomic, the rest is immutable.
        /// How many elements wait. On a cache line with what is read only when there is room again, or none; and not with what
        /// the draining side counts up while the other one posts.
        @usableFromInline var waitingStorage: UInt64 = 0
        @usableFromInline var sleepersStorage: UInt64 = 0
        private var creditorStorage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

        /// How many may wait; `.max` if there is no bound.
        @usableFromInline let mostWaiting: UInt64

        /// How many wait when the sleepers are woken: not one element later, so that they don't go to and fro.
        @usableFromInline let resumption: UInt64

        private let storedPatience: Double
        private let errands: (any ErrandScheduler)?
        private var padding: (UInt64, UInt64, UInt64) = (0, 0, 0)

        /// How many elements have been delivered.
        @usableFromInline var progressStorage: UInt64 = 0

        @usableFromInline
        init(_ bound: MailboxBound?, errands: (any ErrandScheduler)?) {
            mostWaiting = bound.map { UInt64($0.capacity) } ?? .max
            resumption = mostWaiting / 2
            storedPatience = bound?.patience.timeInterval ?? .infinity
            self.errands = errands
            super.init()
        }

        @inlinable @inline(__always)
        var waiting: AtomicWord { AtomicWord(of: self) }

        /// How many threads sleep until there is room.
        @inlinable @inline(__always)
        var sleepers: AtomicWord { AtomicWord(of: self, at: 8) }

        /// The first of the creditor's words.
        @inlinable @inline(__always)
        var stoppedList: AtomicWord { AtomicWord(of: self, at: 16) }

        @inlinable @inline(__always)
        var progress: AtomicWord { AtomicWord(of: self, at: 128) }

        // MARK: As a creditor

        override class var words: Int { 16 }

        // sequential: as said in `stop(_:)`.
        override var waitingCount: UInt64 { waiting.load(.sequential) }

        @usableFromInline override var capacity: UInt64 { mostWaiting }

        // relaxed: who waits for one asks again.
        override var deliveries: UInt64 { progress.load(.relaxed) }

        override var usualPatience: Double { storedPatience }

        // MARK: What is counted

        /// Counts one that is going to wait. Called by the sender, which goes on to ``settle(outside:)``.
        @inlinable
        func enter() {
            // relaxed: a count. What it counts is published by others.
            waiting.fetchAdd(1, .relaxed)
        }

        /// Counts some that wait no more.
        @inlinable
        func leave(_ count: Int = 1) {
            if count == 0 { return }
            countDelivery()
            _ = giveUp(UInt64(count))
        }

        /// Waits for room as soon as that can be, if there is none.
        ///
        /// - Parameter strand: By which elements are delivered. This thread may own it.
        @inlinable
        func settle(outside strand: Strand) {
            // relaxed: a count.
            if waiting.load(.relaxed) > mostWaiting { overfill() }
        }

        /// Counts a delivery, if anybody may wait for one. Called by the draining side.
        @inlinable @inline(__always)
        func countDelivery() {
            if mostWaiting == .max { return }
            // relaxed: nobody else writes, and who waits for it asks again.
            progress.store(progress.load(.relaxed) &+ 1, .relaxed)
        }

        /// Takes so many elements off those that wait, and returns how many are left. Called by the draining side.
        @inlinable @inline(__always)
        func giveUp(_ count: UInt64) -> UInt64 {
            // release: this side is done with the elements. acquire: whoever drains next sees that. sequential: with the
            // loads after it, as said in `sleep(until:)` and `stop(_:)`.
            let left = waiting.fetchSubtract(count, .sequential) - count
            if left <= resumption, mostWaiting != .max {
                if sleepers.load(.sequential) != 0 { waiting.wake() }
                if stoppedList.load(.sequential) != 0 { resumeStopped() }
            }
            return left
        }

        // MARK: Senders

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
            var mark = deliveries
            var deadline: Date?
            // relaxed: a count. A thread that sees an old one waits once more, or doesn't wait when it should.
            while waiting.load(.relaxed) > bound {
                if turn < Strand.spinningTurns {
                    waiting.spin(turn: turn)
                    turn += 1
                    continue
                }
                if usualPatience < .infinity {
                    let seen = deliveries
                    if seen != mark {
                        seeDelivery(since: mark)
                        mark = seen
                        deadline = nil
                    } else if let past = deadline, past <= Date() {
                        losePatience(at: mark)
                        deadline = nil
                        continue
                    }
                    if deadline == nil { deadline = Date().addingTimeInterval(patience) }
                }
                sleep(until: deadline)
            }
        }

        /// Sleeps until about half of the elements have been delivered, or until a time.
        private func sleep(until deadline: Date?) {
            Probe.wait(self)
            // sequential: this count and the load after it, against the subtraction and the load in `giveUp(_:)`. One of
            // the two sides sees the other; else a sender could sleep beside an empty mailbox.
            sleepers.fetchAdd(1, .sequential)
            let seen = waiting.load(.sequential)
            if seen > bound {
                waiting.blockingWait(
                    while: UInt32(truncatingIfNeeded: seen),
                    until: deadline.map { WakeTime(since1970: $0.timeIntervalSince1970) })
            }
            sleepers.fetchSubtract(1, .relaxed)
        }
    }
#endif
