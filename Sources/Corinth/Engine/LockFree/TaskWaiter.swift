#if !NaiveLocks
    /// A task that waits for a permit in a queue of ``Permits``, together with threads and drains.
    ///
    /// The task is resumed once: with a permit, or without one because it was cancelled or the stream has ended. It gets one
    /// permit and no batch, because a batch belongs to a thread and the task may resume on any thread.
    @usableFromInline
    final class TaskWaiter: Resumable, @unchecked Sendable {  // The flag of the graph guards the mutable state.
        private var placeStorage: UInt64 = 0

        /// How a wait ends.
        @usableFromInline
        enum Outcome: Sendable {
            /// The event was sent without a wait.
            case sent
            /// The task has a permit, or needs none any more. It sends the event.
            case granted
            /// The task was cancelled while it waited. It has no permit.
            case cancelled
        }

        /// The permits in whose queue this is, and its entry there.
        private var queued: (permits: Permits, waiter: Waiter)?
        private(set) var isCancelled = false

        /// Whether the task has a permit. The store comes before the task is resumed.
        // acquire: pairs with the store in `notePlace()`. The runtime orders both, too, but not in a way that tools see.
        @usableFromInline var hasPlace: Bool { place.load(.acquire) != 0 }

        private var place: AtomicWord { AtomicWord(of: self) }

        // release: as said at `hasPlace`.
        private func notePlace() { place.store(1, .release) }

        /// Resumes the task. Written before this is queued. Taken by the thread that resumes the task.
        private var resumption: ((Outcome) -> Void)?

        @usableFromInline
        override init() {
            super.init()
            assert(place.isStored(in: &placeStorage))
        }

        /// Suspends the calling task until it has a permit.
        ///
        /// - Parameter attempt: Sends the event, or queues this waiter. Returns whether the event was sent.
        @usableFromInline
        nonisolated(nonsending) func wait(joining attempt: () -> Bool) async -> Outcome {
            await withTaskCancellationHandler {
                await unsafe withUnsafeContinuation { continuation in
                    begin { unsafe continuation.resume(returning: $0) }
                    // The event is sent: this is in no queue, and no other thread resumes the task.
                    if attempt() { resumeTask(.sent) }
                }
            } onCancel: {
                self.cancel()
            }
        }

        /// - Parameter resumption: Called once, on any thread, unless ``takePlace(of:)`` returns true.
        func begin(_ resumption: @escaping (Outcome) -> Void) { self.resumption = resumption }

        /// Takes a permit, or joins the queue for one.
        ///
        /// - Returns: Whether there is a permit. If not, the task is resumed later, perhaps before this returns.
        func takePlace(of permits: Permits) -> Bool {
            if hasPlace { return true }
            if permits.tryTake() {
                notePlace()
                return true
            }
            switch permits.join(self) {
            case .granted:
                notePlace()
                return true
            case .waiting: return false
            case .cancelled:
                resumeTask(.cancelled)
                return false
            }
        }

        @usableFromInline
        override func resume(with batch: Batch) {
            notePlace()
            resumeTask(.granted)
        }

        private func resumeTask(_ outcome: Outcome) {
            resumption.take()?(outcome)
        }

        /// Removes the task from the queue, unless it has its permit already. Called on any thread.
        func cancel() {
            WaitGraph.flag.acquire()
            isCancelled = true
            var granted = Waiter.List()
            let isRemoved = queued.map { $0.permits.remove($0.waiter, &granted) } ?? false
            queued = nil
            WaitGraph.flag.release()
            granted.wake()
            if isRemoved { resumeTask(.cancelled) }
        }

        // MARK: With the flag of the graph held

        /// Records the queue and the entry.
        func note(_ waiter: Waiter, of permits: Permits) { queued = (permits, waiter) }
    }
#endif
