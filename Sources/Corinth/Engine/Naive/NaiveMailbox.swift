#if NaiveLocks
    /// The naive hop: each element is scheduled separately.
    @usableFromInline
    final class Mailbox<Element>: @unchecked Sendable {  // The scheduler serialises deliveries; the rest is immutable.
        private let scheduler: any WorkItemScheduler
        private let strand: Strand
        @usableFromInline let permits: Permits
        private let deliver: (Element) -> Void

        /// - Parameter abandon: Never called: a scheduler releases its elements one by one.
        @usableFromInline
        init(
            on scheduler: any WorkItemScheduler, in order: ScheduleOrder? = nil, through strand: Strand,
            bound: MailboxBound? = nil,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            self.strand = strand
            permits = Permits(bound, servedBy: scheduler.context)
            self.deliver = deliver
        }

        @usableFromInline
        @discardableResult
        func post(_ element: Element) -> Bool {
            postLast(element)
            permits.waitIfBeyondBound(outside: strand)
            return true
        }

        @usableFromInline
        func postLast(_ element: Element) {
            Probe.hop(self)
            Probe.wake(self)
            permits.enter()
            // Handed over to the scheduler, like every element.
            nonisolated(unsafe) let work = {
                self.permits.leave()
                self.strand.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
            scheduler.perform { unsafe work() }
        }
    }

    /// The naive hop with a bound at which elements are dropped: an array guarded by a mutex.
    @usableFromInline
    final class DroppingMailbox<Element>: @unchecked Sendable {  // The mutex guards the array.
        /// At offset 0.
        private var mutexStorage = Mutex.Storage()

        /// Unbounded.
        @usableFromInline let permits = Permits(nil, servedBy: nil)
        private var elements = Deque<Element>()
        private let scheduler: any WorkItemScheduler
        private let strand: Strand
        private let capacity: Int
        private let dropsOldest: Bool
        private let deliver: (Element) -> Void

        /// - Parameter abandon: As of a ``Mailbox``.
        @usableFromInline
        init(
            on scheduler: any WorkItemScheduler, in order: ScheduleOrder? = nil, through strand: Strand, capacity: Int,
            dropsOldest: Bool,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            self.strand = strand
            self.capacity = capacity
            self.dropsOldest = dropsOldest
            self.deliver = deliver
            mutex.create(in: &mutexStorage)
        }

        deinit { mutex.destroy() }

        private var mutex: Mutex { Mutex(of: self) }

        @usableFromInline
        func post(_ element: Element) -> Bool {
            let (isAccepted, dropped) = mutex.withLock {
                elements.append(element, capacity: capacity, dropsOldest: dropsOldest)
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

        /// Schedules one delivery for each element. For a dropped element, the delivery finds none.
        private func schedule() {
            Probe.wake(self)
            scheduler.perform {
                guard let element = self.mutex.withLock({ self.elements.popFirst() }) else { return }
                self.strand.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
        }
    }
#endif
