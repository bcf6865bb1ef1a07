#if !NaiveLocks
    /// A task that waits for a permit in a queue of ``Permits``, together with threads and drains.
    ///
    /// The task is resumed once: with a permit, or without one because it was cancelled or the stream has ended. It gets one
    /// permit and no batch, because a batch belongs to a thread and the task may resume on any thread.
    @usableFromInline
    final class TaskWaiter: Waiter, @unchecked Sendable {  // Atomic word; see the superclass.
        /// How a wait ends.
        @usableFromInline
        enum Outcome: UInt64, Sendable {
            /// The event was sent.
            case sent = 1
            /// The task has a permit, or needs none any more. It sends the event.
            case granted
            /// The task was cancelled while it waited. It has no permit.
            case cancelled
        }

        /// How the wait has ended; 0 before.
        private let outcome = AtomicWord()

        /// In whose queue this is. Guarded by the flag of the graph, like ``isCancelled``.
        private var queue: PermitStateAddress?
        private var wasCancelled = false

        /// What the task waits for after its event was sent. Guarded by the flag, too; written by the task.
        private var stopped: StoppingTask?

        /// Resumes the task. Written before this is queued. Taken by the thread that resumes the task.
        private var resumption: ((Outcome) -> Void)?

        @usableFromInline
        init() {
            super.init(takesPermit: true)
        }

        /// Whether the task has a permit.
        // acquire: pairs with the store in `note(_:)`.
        @usableFromInline var hasPermit: Bool { outcome.load(.acquire) == Outcome.granted.rawValue }

        // release: publishes what was done before to the task.
        private func note(_ ending: Outcome) { outcome.store(ending.rawValue, .release) }

        /// Suspends the calling task until it has a permit.
        ///
        /// - Parameters:
        ///   - actor: The actor of the caller, on which observers run.
        ///   - attempt: Sends the event, or queues this waiter.
        @usableFromInline
        func wait(isolation actor: isolated (any Actor)?, joining attempt: () -> SendAttempt) async -> Outcome {
            await withTaskCancellationHandler {
                // Captured: otherwise the closure isn't isolated to the actor, and the task hops to the pool and back.
                _ = actor
                await unsafe withUnsafeContinuation { continuation in
                    begin { ending in
                        self.note(ending)
                        unsafe continuation.resume()
                    }
                    join(attempt)
                }
            } onCancel: {
                self.cancel()
            }
            // acquire: as in `hasPermit`.
            guard let outcome = Outcome(rawValue: outcome.load(.acquire)) else {
                preconditionFailure("a task was resumed before its wait had ended")
            }
            finish()
            return outcome
        }

        /// Continues the strand that the task has stopped. Called by the resumed task.
        func finish() { stopped?.finish() }

        /// Sends the event, or queues this waiter. If the event has exceeded a bound, the task waits for that instead.
        func join(_ attempt: () -> SendAttempt) {
            switch attempt() {
            case .refused: break
            // This is in no queue, and no other thread resumes the task.
            case .sent: resumeTask(.sent)
            case .stopped(let task):
                // Now, not after the task was resumed: until then the strand would have neither a thread nor a waiter, and its
                // senders would wait for this task.
                let graph = WaitGraph.acquire()
                stopped = task
                let wasCancelled = wasCancelled
                graph.release()
                if wasCancelled { task.cancel() }
                task.begin { self.resumeTask(.sent) }
            }
        }

        /// - Parameter resumption: Called once, on any thread, unless ``takePermit(of:)`` returns true.
        func begin(_ resumption: @escaping (Outcome) -> Void) { self.resumption = resumption }

        /// Takes a permit, or joins the queue for one.
        ///
        /// - Returns: Whether there is a permit. If not, the task is resumed later, perhaps before this returns.
        func takePermit(of permits: Permits) -> Bool {
            if hasPermit { return true }
            switch permits.tryTake() ? .granted : permits.join(self) {
            case .granted:
                note(.granted)
                return true
            case .waiting:
                Probe.wait(permits)
                return false
            case .cancelled:
                resumeTask(.cancelled)
                return false
            }
        }

        private func resumeTask(_ outcome: Outcome) { resumption.take()?(outcome) }

        /// Removes the task from the queue, unless it has its permit already. Called on any thread.
        func cancel() {
            var graph = WaitGraph.acquire()
            wasCancelled = true
            let queue = queue
            let stopped = stopped
            if let queue { graph.queue(of: queue)?.remove(self, &graph) }
            graph.release()
            if queue != nil { resumeTask(.cancelled) }
            stopped?.cancel()
        }

        // MARK: In the queue

        override var takesBatch: Bool { false }
        override var isCancelled: Bool { wasCancelled }

        override func block(on permits: PermitStateAddress, in graph: borrowing WaitGraph.Held) {
            super.block(on: permits, in: graph)
            queue = permits
        }

        override func unblock(in graph: borrowing WaitGraph.Held) {
            super.unblock(in: graph)
            queue = nil
        }

        override func serve() {
            note(.granted)
            resumeTask(.granted)
        }
    }
#endif
