#if !NaiveLocks
    /// Where a run begins among the elements of a ``Mailbox``.
    @frozen
    @usableFromInline
    struct RunMark {
        /// The number of the run, from 1.
        @usableFromInline let run: UInt64

        /// How many elements are before it.
        @usableFromInline let position: UInt64

        @inlinable
        init(run: UInt64, position: UInt64) {
            self.run = run
            self.position = position
        }
    }

    /// A hop's queue, whose elements keep the order of the scheduler: see ``ScheduleOrder``.
    ///
    /// Each time that other work has been scheduled, the next element begins a *run*, and the queue is posted again. A drain
    /// delivers the elements of the runs that have begun. The posts of runs are counted on both sides, since the scheduler keeps
    /// their order. What a drain posts to go on later is a ``DrainContinuation``, which begins no run.
    @usableFromInline
    class OrderedDrain: WorkItem, @unchecked Sendable {  // See its fields, and the subclasses.
        @usableFromInline final let scheduler: any WorkItemScheduler
        @usableFromInline final let order: ScheduleOrder

        /// False for ``ScheduleOrder/none``.
        @usableFromInline final let keepsOrder: Bool

        /// For how long a run may linger in total, in nanoseconds, and whether the scheduler knows of work for which it must end.
        @usableFromInline final let lingerLimit: UInt64
        @usableFromInline final let knowsWaitingWork: Bool

        /// How many runs have been posted, and the order's count at the last of them. Written by the posting side.
        @usableFromInline final let runs = AtomicWord()
        @usableFromInline final let runCount = AtomicWord()

        /// Schedules the stopped drain again. Written by the drain, taken by the thread that resumes it.
        @safe @exclusivity(unchecked)
        @usableFromInline final var resumeAction: (@Sendable () -> Void)?

        /// Begins runs, and drains, unless there is nothing to drain. Receives how many runs begin, and whether a thread has got the
        /// permits for which the drain has stopped. A closure without captures, as ``WorkItem/work``.
        @usableFromInline final let begin: (OrderedDrain, UInt64, Bool) -> Void

        @inlinable
        init(
            on scheduler: any WorkItemScheduler, in order: ScheduleOrder?,
            _ begin: @escaping (OrderedDrain, UInt64, Bool) -> Void
        ) {
            self.scheduler = scheduler
            let order = order ?? scheduler.order
            self.order = order
            keepsOrder = order !== ScheduleOrder.none
            lingerLimit = scheduler.lingerLimit
            knowsWaitingWork = scheduler.knowsWaitingWork
            self.begin = begin
            super.init { workItem in
                let drain = unsafe unsafeDowncast(workItem, to: OrderedDrain.self)
                drain.begin(drain, 1, false)
            }
        }

        /// Enters a hop in the registry, with what a debugger needs of it.
        @usableFromInline
        @inline(never)
        final func enter(as kind: Registry.Kind, _ permits: Permits, _ strand: Strand) {
            Registry.enter(self, kind, of: Registry.address(of: strand), queue: Registry.address(of: permits))
            Registry.name(self, scheduler.label)
        }

        /// Whether other work has been scheduled since the last run was.
        @inlinable @inline(__always)
        final func hasMoved(since joinable: UInt64) -> Bool {
            #if Exploration
                // Elsewhere, the count of no order never moves. Here, a load is a place for another thread to run.
                if !keepsOrder { return false }
            #endif
            // relaxed: see `ScheduleOrder`.
            return order.count.load(.relaxed) != joinable
        }

        /// Posts a run.
        ///
        /// - Parameter joinable: The count with which a later element joins it.
        @inlinable
        final func scheduleRun(_ joinable: inout UInt64) {
            Probe.wake(self)
            guard keepsOrder else { return scheduler.post(self) }
            joinable = order.raise()
            // relaxed: only this side writes it. Published by the next store.
            runs.store(runs.load(.relaxed) &+ 1, .relaxed)
            // release: pairs with the acquire in `isLast(_:)`.
            runCount.store(joinable, .release)
            scheduler.post(self)
        }

        /// Whether neither a later run has been posted, nor other work has been scheduled since this one was.
        ///
        /// - Parameter run: The number of a run.
        private func isLast(_ run: UInt64) -> Bool {
            if !keepsOrder { return true }
            // acquire: sees the number of the runs if it sees the count of the last one.
            let count = runCount.load(.acquire)
            // relaxed: see `ScheduleOrder`.
            return runs.load(.relaxed) == run && order.count.load(.relaxed) == count
        }

        /// Lets other work have its turn, unless work of the same order has been scheduled since this run was: that must come behind
        /// what is queued here.
        ///
        /// - Parameter run: The number of the run.
        /// - Returns: Whether the drain has ended.
        @usableFromInline
        final func yields(_ run: UInt64) -> Bool {
            if !isLast(run) { return false }
            Probe.wake(self)
            scheduler.post(continuation())
            // What has been scheduled before the post is before it.
            return isLast(run)
        }

        /// Goes on after the thread that is inside the strand. That thread ends the stream or changes the observers. A worker
        /// schedules the rest: the strand's owner must not, since a scheduler that runs it at once would find the strand owned
        /// again, for ever.
        @usableFromInline
        final func goOn(after strand: Strand) {
            let schedule = scheduler.rescheduleToken(for: continuation())
            strand.enqueueEdit { Worker.submit(schedule) }
        }

        /// Stops the drain until what it has filled has a free permit.
        @usableFromInline
        final func stop(for waits: DeferredWaits, owning permits: Permits) {
            resumeAction = scheduler.rescheduleToken(for: continuation(isServed: true))
            if !waits.stop(self, owning: permits) { resume(with: .none) }
        }

        /// A work item that continues the drain.
        private func continuation(isServed: Bool = false) -> DrainContinuation {
            DrainContinuation(of: self, isServed: isServed)
        }
    }

    /// Continues a drain that has ended with work left. A work item of its own, since its run isn't one that a post has begun.
    private final class DrainContinuation: WorkItem, @unchecked Sendable {  // Immutable.
        private let drain: OrderedDrain
        private let isServed: Bool

        init(of drain: OrderedDrain, isServed: Bool) {
            self.drain = drain
            self.isServed = isServed
            super.init { workItem in
                let continuation = unsafe unsafeDowncast(workItem, to: DrainContinuation.self)
                continuation.drain.begin(continuation.drain, 0, continuation.isServed)
            }
        }
    }
#endif
