#if NaiveLocks
    internal import Dispatch
    internal import Foundation

    /// The naive hop: each element is scheduled on its own.
    @usableFromInline
    final class Mailbox<Element>: @unchecked Sendable {  // The scheduler keeps deliveries apart; the rest is immutable.
        private let scheduler: any Scheduler
        private let gate: Strand
        private let room: MailboxRoom?
        private let deliver: (Element) -> Void

        /// - Parameter abandon: Never called: what a scheduler lets go of, it lets go of one by one.
        @usableFromInline
        init(
            on scheduler: any Scheduler, through gate: Strand, bound: MailboxBound? = nil,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            self.gate = gate
            room = bound.map { MailboxRoom($0, errands: nil) }
            self.deliver = deliver
        }

        @usableFromInline
        func post(_ element: Element) {
            postLast(element)
            room?.blockingWaitForRoom()
        }

        @usableFromInline
        func postLast(_ element: Element) {
            Probe.hop(self)
            Probe.wake(self)
            room?.enter()
            // Handed over to the scheduler, as every element is.
            nonisolated(unsafe) let work = {
                self.room?.leave()
                self.gate.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
            scheduler.schedule { unsafe work() }
        }
    }

    /// How much waits, and where its senders wait for room: here and now, with whatever mutexes they hold. Only patience ends
    /// that, if they wait for themselves.
    @usableFromInline
    final class MailboxRoom: @unchecked Sendable {  // Its words are atomic.
        /// How many elements wait.
        private var waitingStorage: UInt64 = 0

        /// How many have been delivered, and 1 more than that at which a sender ran out of patience, or 0.
        private var progressStorage: UInt64 = 0
        private var stallStorage: UInt64 = 0

        private let bound: MailboxBound
        private let errands: (any ErrandScheduler)?

        @usableFromInline
        init(_ bound: MailboxBound, errands: (any ErrandScheduler)?) {
            self.bound = bound
            self.errands = errands
        }

        private var waiting: AtomicWord { AtomicWord(of: self) }
        private var progress: AtomicWord { AtomicWord(of: self, at: 8) }
        private var stall: AtomicWord { AtomicWord(of: self, at: 16) }

        /// Counts one that is going to wait.
        @usableFromInline
        func enter() { waiting.fetchAdd(1, .relaxed) }

        /// Counts some that wait no more.
        @usableFromInline
        func leave(_ count: Int = 1) {
            waiting.fetchSubtract(UInt64(count), .relaxed)
            progress.fetchAdd(1, .relaxed)
        }

        /// Waits for room, unless this thread holds the strand, by which elements are delivered.
        @usableFromInline
        func settle(outside strand: Strand) {
            if !strand.isHeldHere, errands?.isCurrent != true { blockingWaitForRoom() }
        }

        func blockingWaitForRoom() {
            if waiting.load(.relaxed) <= bound.capacity { return }
            var mark = progress.load(.relaxed)
            var since = Date()
            while waiting.load(.relaxed) > bound.capacity {
                let seen = progress.load(.relaxed)
                if stall.load(.relaxed) == seen + 1 { return }
                if seen != mark {
                    mark = seen
                    since = Date()
                } else if Date().timeIntervalSince(since) >= bound.patience.timeInterval {
                    stall.store(mark + 1, .relaxed)
                    return
                }
                waiting.spin(turn: .max)
            }
        }
    }

    /// The naive hop with a bound at which elements are dropped: an array under a mutex.
    @usableFromInline
    final class SlidingMailbox<Element>: @unchecked Sendable {  // The mutex guards the array.
        private let mutex = Mutex()
        private var elements = Fifo<Element>()
        private let scheduler: any Scheduler
        private let gate: Strand
        private let capacity: Int
        private let dropsOldest: Bool
        private let deliver: (Element) -> Void

        /// - Parameter abandon: As of a ``Mailbox``.
        @usableFromInline
        init(
            on scheduler: any Scheduler, through gate: Strand, capacity: Int, dropsOldest: Bool,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            self.gate = gate
            self.capacity = capacity
            self.dropsOldest = dropsOldest
            self.deliver = deliver
        }

        @usableFromInline
        func post(_ element: Element) -> Bool {
            let (isAccepted, dropped) = mutex.withLock { () -> (Bool, Element?) in
                if elements.count < capacity {
                    elements.append(element)
                    return (true, nil)
                }
                guard dropsOldest else { return (false, nil) }
                let dropped = elements.popFirst()
                elements.append(element)
                return (true, dropped)
            }
            if isAccepted { Probe.hop(self) }
            if !isAccepted || dropped != nil { Probe.drop(self) }
            if isAccepted { schedule() }
            return isAccepted && dropped == nil
        }

        @usableFromInline
        func postLast(_ element: Element) {
            mutex.withLock { elements.append(element) }
            schedule()
        }

        /// One delivery for each element: those of elements that were dropped find none.
        private func schedule() {
            Probe.wake(self)
            scheduler.schedule {
                guard let element = self.mutex.withLock({ self.elements.popFirst() }) else { return }
                self.gate.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
        }
    }
#endif
