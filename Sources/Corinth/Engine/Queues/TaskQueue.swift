#if !NaiveLocks
    /// A queue of elements for one task, which takes them one by one and suspends while there is none.
    ///
    /// It is a mailbox whose drain is the task. While the task runs, the mailbox counts as drained, and posts only store their
    /// elements. A task that finds none comes to rest as a drain does, and the next post wakes it as it would schedule a
    /// drain. The words and the transitions are those of ``Mailbox`` and ``DroppingMailbox``; only ``cut()`` is new.
    ///
    /// One thread at a time posts. One task at a time takes.
    @usableFromInline
    final class TaskQueue<Element>: @unchecked Sendable {  // One side posts, one takes; shared fields are atomic.
        /// Raised if the rest is dropped and nothing more is taken.
        @usableFromInline let cutFlag = AtomicFlag()

        /// Of these two, one is nil.
        @usableFromInline let waiting: Mailbox<Element>?
        @usableFromInline let dropping: DroppingMailbox<Element>?

        /// How many elements of ``waiting`` were posted, as far as the task knows. Owned by the task.
        @safe @exclusivity(unchecked)
        @usableFromInline var knownPosted: UInt64 = 0

        /// How many elements of ``waiting`` were taken when the task last found none. Owned by the task.
        @safe @exclusivity(unchecked)
        @usableFromInline var takenAtRest: UInt64 = 0

        /// A queue whose senders wait for a permit.
        ///
        /// - Parameters:
        ///   - bound: nil if unbounded.
        ///   - scheduler: Wakes the task.
        ///   - abandon: Receives the elements that were never taken.
        @inlinable
        init(bound: MailboxBound?, waking scheduler: any WorkItemScheduler, abandon: ((Element) -> Void)?) {
            let mailbox = Mailbox<Element>(
                on: scheduler, in: ScheduleOrder.none, through: TaskQueueStrand.unused, bound: bound, abandon: abandon
            ) { _ in }
            // relaxed: not shared yet.
            mailbox.stage.store(.draining, .relaxed)
            waiting = mailbox
            dropping = nil
        }

        /// A queue that drops elements.
        @inlinable
        init(
            capacity: Int, dropsOldest: Bool, waking scheduler: any WorkItemScheduler, abandon: ((Element) -> Void)?
        ) {
            let mailbox = DroppingMailbox<Element>(
                on: scheduler, in: ScheduleOrder.none, through: TaskQueueStrand.unused, capacity: capacity,
                dropsOldest: dropsOldest, abandon: abandon
            ) { _ in }
            mailbox.stage.store(.scheduled, .relaxed)
            waiting = nil
            dropping = mailbox
        }

        @inlinable
        var permits: Permits? { waiting?.permits ?? dropping?.permits }

        // MARK: The posting side

        /// Queues an element. Waits for a permit if the element exceeds the bound.
        ///
        /// - Returns: Whether no element was dropped.
        @inlinable
        func post(_ element: Element) -> Bool {
            guard let waiting else { return dropping?.post(element) ?? false }
            // Not retained: both sides would write the count of references, which is on one cache line. The queue retains it.
            return unsafe Unmanaged.passUnretained(waiting)._withUnsafeGuaranteedRef { $0.post(element) }
        }

        /// Queues the last element. It always fits.
        @inlinable
        func postLast(_ element: Element) {
            waiting?.postLast(element)
            dropping?.postLast(element)
        }

        // MARK: The task

        /// Takes the oldest element; nil if there is none, and after a cut.
        @inlinable
        func take() -> Element? {
            if isCut { return nil }
            guard let waiting else { return dropping?.next() }
            // Not retained, as in `post(_:)`.
            return unsafe Unmanaged.passUnretained(waiting)._withUnsafeGuaranteedRef { waiting in
                if waiting.delivered == knownPosted, !hasNew(in: waiting) { return nil }
                return waiting.takeNext()
            }
        }

        /// Looks for elements that the task doesn't know of. After a burst, it pauses before it gives up, as a drain does: to
        /// be suspended and resumed takes longer.
        @inlinable
        func hasNew(in waiting: Mailbox<Element>) -> Bool {
            // acquire: sees the elements. Pairs with the release in `put(_:)`.
            knownPosted = waiting.counts.pointee.used.load(.acquire)
            if waiting.delivered != knownPosted { return true }
            if waiting.delivered &- takenAtRest >= Mailbox<Element>.batch {
                waiting.pauseBriefly()
                // acquire: as above.
                knownPosted = waiting.counts.pointee.used.load(.acquire)
                if waiting.delivered != knownPosted { return true }
            }
            takenAtRest = waiting.delivered
            return false
        }

        /// Comes to rest: the next post or a cut wakes the task.
        ///
        /// - Returns: False if there is an element, or after a cut. Then nothing wakes the task.
        @inlinable
        func rest() -> Bool {
            guard waiting?.rest() ?? dropping?.rest() ?? false else { return false }
            // relaxed: the exchange in `rest()` and the one in `wake()` are in one order. Either this side sees the flag, or
            // the thread that cuts sees that the task rests.
            if cutFlag.isRaised(.relaxed) { wake() }
            return true
        }

        // MARK: From any thread

        /// Whether the rest is dropped.
        @inlinable
        var isCut: Bool {
            // acquire: sees what was done before the cut. Pairs with the release in `cut()`.
            @inline(__always)
            get { cutFlag.isRaised(.acquire) }
        }

        /// Drops the queued elements and wakes the task and all senders that wait.
        @inlinable
        func cut() {
            // release: publishes what was done before.
            cutFlag.store(.raised, .release)
            wake()
            permits?.close()
        }

        /// Wakes the task if it rests.
        @inlinable
        func wake() {
            waiting?.wake()
            dropping?.wake()
        }

        /// Removes all elements. Called by the task after a cut, and by the last owner.
        ///
        /// - Parameter drop: Receives each element.
        @inlinable
        func dropAll(_ drop: (Element) -> Void) {
            while let element = waiting?.takeIfPosted() ?? dropping?.next() { drop(element) }
        }
    }

    /// The strand of all task queues. A task doesn't deliver through a strand, so none ever enters it.
    @usableFromInline
    enum TaskQueueStrand {
        @usableFromInline static let unused = Strand()
    }

    extension Mailbox {
        /// Takes the next element, which was posted.
        @inlinable @inline(__always)
        func takeNext() -> Element {
            let element = next()
            delivered += 1
            counts.pointee.count(delivered: delivered)
            unsafe Unmanaged.passUnretained(permits)._withUnsafeGuaranteedRef { $0.handOutIfAwaited() }
            return element
        }

        @inlinable
        func takeIfPosted() -> Element? {
            // acquire: as in `TaskQueue.take()`.
            counts.pointee.used.load(.acquire) == delivered ? nil : takeNext()
        }

        /// Schedules a drain as a post does, without an element.
        @inlinable
        func wake() {
            // acquireRelease: as in `announce()`.
            if stage.exchange(.draining, .acquireRelease) == .idle { post(to: scheduler) }
        }
    }

    extension DroppingMailbox {
        /// Ends the drain, unless there is an element.
        ///
        /// - Returns: Whether it has ended. The next post then schedules a drain.
        @inlinable
        func rest() -> Bool {
            // acquire: sees all elements posted before the stage was renewed. A later post renews it again.
            _ = stage.exchange(.scheduled, .acquireRelease)
            // acquire: as in `claimOldest()`. relaxed: only a post changes it now, and that renews the stage afterwards.
            if posted.load(.acquire) != taken.load(.relaxed) { return false }
            // release: the next drain comes after this one.
            return stage.tryUpdate(from: .scheduled, .acquireRelease, { $0.finishing() }).won
        }

        /// Schedules a drain as a post does, without an element.
        @inlinable
        func wake() {
            // acquireRelease: as in `put(_:in:as:)`.
            if stage.exchange(.renewed, .acquireRelease) == .idle { post(to: scheduler) }
        }
    }
#endif
