#if NaiveLocks
    /// The naive hop: each element is scheduled on its own.
    @usableFromInline
    final class Mailbox<Element>: @unchecked Sendable {  // Immutable; the scheduler keeps deliveries apart.
        private let scheduler: any Scheduler
        private let gate: Strand
        private let deliver: (Element) -> Void

        @usableFromInline
        init(on scheduler: any Scheduler, through gate: Strand, deliver: @escaping (Element) -> Void) {
            self.scheduler = scheduler
            self.gate = gate
            self.deliver = deliver
        }

        @usableFromInline
        func post(_ element: Element) {
            Probe.hop(self)
            Probe.wake(self)
            // Handed over to the scheduler, as every element is.
            nonisolated(unsafe) let work = {
                self.gate.perform(on: self, with: element) { mailbox, element in mailbox.deliver(element) }
            }
            scheduler.schedule { unsafe work() }
        }
    }
#endif
