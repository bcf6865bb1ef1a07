#if NaiveLocks
    /// The naive hop: each element is scheduled on its own.
    @usableFromInline
    final class Mailbox<Element>: @unchecked Sendable {  // The scheduler keeps deliveries apart; the rest is immutable.
        private let scheduler: any Scheduler
        private let gate: Strand
        @usableFromInline let permits: Permits
        private let deliver: (Element) -> Void

        /// - Parameter abandon: Never called: what a scheduler lets go of, it lets go of one by one.
        @usableFromInline
        init(
            on scheduler: any Scheduler, through gate: Strand, bound: MailboxBound? = nil,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            self.gate = gate
            permits = Permits(bound, servedBy: (scheduler as? any ErrandScheduler)?.context)
            self.deliver = deliver
        }

        @usableFromInline
        func post(_ element: Element) {
            postLast(element)
            permits.settle(outside: gate)
        }

        @usableFromInline
        func postLast(_ element: Element) {
            Probe.hop(self)
            Probe.wake(self)
            permits.enter()
            // Handed over to the scheduler, as every element is.
            nonisolated(unsafe) let work = {
                self.permits.leave()
                self.gate.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
            scheduler.scheduleInOrder { unsafe work() }
        }
    }

    /// The naive hop with a bound at which elements are dropped: an array under a mutex.
    @usableFromInline
    final class SlidingMailbox<Element>: @unchecked Sendable {  // The mutex guards the array.
        /// At offset 0.
        private var mutexStorage = Mutex.Storage()

        /// Without a bound.
        @usableFromInline let permits = Permits(nil, servedBy: nil)
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
            mutex.create(in: &mutexStorage)
        }

        deinit { mutex.destroy() }

        private var mutex: Mutex { Mutex(of: self) }

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
            scheduler.scheduleInOrder {
                guard let element = self.mutex.withLock({ self.elements.popFirst() }) else { return }
                self.gate.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
        }
    }
#endif
