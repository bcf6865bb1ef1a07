#if NaiveLocks
    internal import Dispatch
    internal import Foundation

    /// The naive hop: each element is scheduled on its own.
    @usableFromInline
    final class Mailbox<Element>: @unchecked Sendable {  // Its word is atomic; the scheduler keeps deliveries apart.
        /// How many elements wait.
        private var waitingStorage: UInt64 = 0

        private let scheduler: any Scheduler
        private let gate: Strand
        private let bound: MailboxBound?
        private let deliver: (Element) -> Void

        @usableFromInline
        init(
            on scheduler: any Scheduler, through gate: Strand, bound: MailboxBound? = nil,
            deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            self.gate = gate
            self.bound = bound
            self.deliver = deliver
        }

        private var waiting: AtomicWord { AtomicWord(of: self) }

        @usableFromInline
        func post(_ element: Element) {
            Probe.hop(self)
            Probe.wake(self)
            waiting.fetchAdd(1, .relaxed)
            // Handed over to the scheduler, as every element is.
            nonisolated(unsafe) let work = {
                self.waiting.fetchSubtract(1, .relaxed)
                self.gate.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
            scheduler.schedule { unsafe work() }
            if let bound, waiting.load(.relaxed) > bound.capacity { blockingWaitForRoom(bound) }
        }

        /// Waits here and now, with whatever mutexes the sender holds: only patience ends that if it waits for itself.
        private func blockingWaitForRoom(_ bound: MailboxBound) {
            var seen = waiting.load(.relaxed)
            var since = Date()
            while seen > bound.capacity, Date().timeIntervalSince(since) < bound.patience.timeInterval {
                waiting.spin(turn: .max)
                let now = waiting.load(.relaxed)
                if now < seen { since = Date() }
                seen = now
            }
        }
    }

    /// The room of an operator that keeps values: here nobody waits for it, as whoever would holds the operator's mutex.
    @usableFromInline
    final class MailboxRoom: Sendable {
        @usableFromInline
        init(_ bound: MailboxBound, errands: (any ErrandScheduler)?) {}

        @usableFromInline
        func enter() {}

        @usableFromInline
        func leave() {}
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

        @usableFromInline
        init(
            on scheduler: any Scheduler, through gate: Strand, capacity: Int, dropsOldest: Bool,
            deliver: @escaping (Element) -> Void
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
