#if !NaiveLocks
    /// A task whose event has exceeded a bound. It has stopped the strand. It is suspended until there is a permit, and then
    /// continues as the strand's owner.
    ///
    /// So a task that fills a hop is resumed by the hop's drain, without another thread. If the task is cancelled meanwhile, it
    /// goes on. The strand stays stopped, and a worker continues it.
    @usableFromInline
    final class StoppingTask: Waiter, @unchecked Sendable {  // The graph's flag guards the mutable state.
        private let strand: Strand
        private let waits: DeferredWaits

        /// Resumes the task; nil after the task was resumed. Guarded by the flag, like ``wasCancelled``.
        private var resumption: (() -> Void)?
        private var wasCancelled = false

        /// - Parameters:
        ///   - strand: Owned by the caller. Nobody else uses it until the task is suspended.
        ///   - waits: The bounds that the task's event has exceeded.
        init(on strand: Strand, for waits: DeferredWaits) {
            self.strand = strand
            self.waits = waits
            super.init(takesPermit: false, owning: strand, holdsValue: true)
        }

        /// Suspends the calling task until there is a permit, or until it is cancelled. Called once.
        ///
        /// - Parameter actor: The actor of the caller, on which the task may deliver queued events.
        @usableFromInline
        func wait(isolation actor: isolated (any Actor)?) async {
            await withTaskCancellationHandler {
                // Captured: otherwise the closure isn't isolated to the actor, and the task hops to the pool and back.
                _ = actor
                await unsafe withUnsafeContinuation { continuation in begin { unsafe continuation.resume() } }
            } onCancel: {
                self.cancel()
            }
            finish()
        }

        /// Stops the strand.
        ///
        /// - Parameter resumption: Called once, on any thread, maybe before this returns.
        func begin(_ resumption: @escaping () -> Void) {
            // The resumed task releases this.
            let retained = unsafe Unmanaged.passRetained(self)
            defer { unsafe retained.release() }
            let graph = WaitGraph.acquire()
            let wasCancelled = wasCancelled
            if !wasCancelled { self.resumption = resumption }
            graph.release()
            if !waits.stop(self) { serve() }
            if wasCancelled { resumption() }
        }

        /// Continues the strand, unless another thread does. Called by the resumed task.
        func finish() { strand.adoptByTask() }

        /// Resumes the task, but not the strand. Called on any thread.
        func cancel() {
            let graph = WaitGraph.acquire()
            wasCancelled = true
            let resumption = resumption.take()
            graph.release()
            resumption?()
        }

        override func serve() {
            let graph = WaitGraph.acquire()
            let resumption = resumption.take()
            graph.release()
            strand.resume(with: batch, by: resumption)
        }
    }
#endif
