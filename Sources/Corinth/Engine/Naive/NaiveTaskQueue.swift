#if NaiveLocks
    /// A queue of elements for one task: an array guarded by a mutex.
    @usableFromInline
    final class TaskQueue<Element>: @unchecked Sendable {  // The mutex guards the mutable state.
        /// At offset 0.
        private var mutexStorage = Mutex.Storage()
        private let bound: Permits?
        private let capacity: Int
        private let dropsOldest: Bool
        private let scheduler: any WorkItemScheduler
        private let abandon: ((Element) -> Void)?

        // Guarded by the mutex.
        private var elements = Deque<Element>()
        private var isResting = false
        private var isOver = false

        @usableFromInline
        init(bound: MailboxBound?, waking scheduler: any WorkItemScheduler, abandon: ((Element) -> Void)?) {
            self.bound = Permits(bound, servedBy: scheduler.context)
            capacity = .max
            dropsOldest = false
            self.scheduler = scheduler
            self.abandon = abandon
            mutex.create(in: &mutexStorage)
        }

        @usableFromInline
        init(
            capacity: Int, dropsOldest: Bool, waking scheduler: any WorkItemScheduler, abandon: ((Element) -> Void)?
        ) {
            bound = nil
            self.capacity = capacity
            self.dropsOldest = dropsOldest
            self.scheduler = scheduler
            self.abandon = abandon
            mutex.create(in: &mutexStorage)
        }

        deinit {
            while let element = elements.popFirst() { abandon?(element) }
            mutex.destroy()
        }

        private var mutex: Mutex { Mutex(of: self) }

        @usableFromInline
        var permits: Permits? { bound }

        @usableFromInline
        func post(_ element: Element) -> Bool {
            bound?.enter()
            let (isAccepted, dropped) = mutex.withLock {
                elements.append(element, capacity: capacity, dropsOldest: dropsOldest)
            }
            wake()
            bound?.waitIfBeyondBound(outside: TaskQueueStrand.unused)
            return isAccepted && dropped == nil
        }

        @usableFromInline
        func postLast(_ element: Element) {
            bound?.enter()
            mutex.withLock { elements.append(element) }
            wake()
        }

        @usableFromInline
        func take() -> Element? {
            let element = mutex.withLock { isOver ? nil : elements.popFirst() }
            if element != nil { bound?.leave() }
            return element
        }

        @usableFromInline
        func rest() -> Bool {
            mutex.withLock {
                isResting = elements.isEmpty && !isOver
                return isResting
            }
        }

        @usableFromInline
        var isCut: Bool { mutex.withLock { isOver } }

        @usableFromInline
        func cut() {
            mutex.withLock { isOver = true }
            wake()
            bound?.close()
        }

        private func wake() {
            let wasResting = mutex.withLock {
                defer { isResting = false }
                return isResting
            }
            if wasResting { scheduler.perform {} }
        }

        @usableFromInline
        func dropAll(_ drop: (Element) -> Void) {
            while let element = mutex.withLock({ elements.popFirst() }) {
                bound?.leave()
                drop(element)
            }
        }
    }

    /// The strand of all task queues. No thread ever enters it.
    enum TaskQueueStrand {
        static let unused = Strand()
    }
#endif
