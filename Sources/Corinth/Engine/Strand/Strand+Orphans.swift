#if !NaiveLocks
    // An owner that must leave the strand, although nodes are queued, passes it on: to a waiter that is served, to a worker, or to
    // a thread that would otherwise sleep. The strand stays owned meanwhile, so that no event overtakes.
    extension Strand {
        /// Stops the strand until there is a permit of what its owner has exceeded. Senders wait when its inbox is full.
        ///
        /// - Parameter holdsValue: See ``Permits/stop(_:owning:holdsValue:)``.
        /// - Returns: The strand again, if it needn't stop.
        func stop(_ owned: consuming Owned, for waits: DeferredWaits, holdsValue: Bool = true) -> Owned? {
            PlainAccess.write(self)
            owned.end()
            note(owner: nil)
            let resumption = ResumableAction { batch in
                self.state.batchOfResumed = batch
                self.submitOrContinue(Owned(), as: .handedOver)
            }
            if waits.stop(resumption, owning: self, holdsValue: holdsValue) { return nil }
            note(owner: .current)
            return Owned()
        }

        /// Resumes the strand after a task has stopped it. The task has passed it on to the caller.
        ///
        /// - Parameter resumption: Resumes the task, which adopts the strand. If its executor is busy, a sending thread does, or
        ///   a worker after a while. nil if the task was cancelled: then a worker adopts it.
        func resume(with batch: Batch, by resumption: (() -> Void)?) {
            state.batchOfResumed = batch
            guard let resumption else { return submitOrContinue(Owned(), as: .handedOver) }
            abandon(Owned(), as: .offered)
            watch()
            if !ProgressThread.exists { _ = nudgeSleeper() }
            resumption()
        }

        /// Lets a worker adopt the strand if it has no thread after a while. One request at a time serves all tasks that stop it.
        private func watch() {
            #if Exploration
                if Explorer.isControlled { return }
            #endif
            // acquireRelease: a request that is under way sees that the strand was abandoned, or this thread sees its end.
            if state.watched.exchange(1, .acquireRelease) != 0 { return }
            ProgressThread.delay {
                _ = self.state.watched.exchange(0, .acquireRelease)
                self.adoptAlone()
            }
        }

        /// Adopts the strand if it has no thread, and continues it. Called by a task that was resumed.
        func adoptByTask() {
            guard let owned = tryAdopt() else { return }
            resume(owned, as: .helper)
            ThreadState.current.endHelping()
        }

        /// Leaves the rest to another thread.
        ///
        /// - Returns: The strand again, if there is no other thread.
        func handOver(_ owned: consuming Owned) -> Owned? {
            Probe.handover(self)
            return submit(owned, as: .handedOver)
        }

        /// The same, but the next sending thread may adopt the strand too. If there is no other thread, this one continues it.
        func offer(_ owned: consuming Owned) {
            Probe.handover(self)
            submitOrContinue(owned, as: .offered)
        }

        private func abandon(_ owned: consuming Owned, as next: OrphanWord) {
            PlainAccess.write(self)
            owned.end()
            note(owner: nil)
            // release: publishes the owner's writes. Pairs with `tryAdopt()`. An exchange, over which the compiler moves no retain:
            // the caller then captures the strand, which another thread may release.
            _ = orphan.exchange(next, .release)
        }

        /// Lets a worker adopt the strand. If there may be no thread for a worker, a thread that sleeps for a permit adopts it.
        ///
        /// - Returns: The strand again, if nobody sleeps either.
        private func submit(_ owned: consuming Owned, as next: OrphanWord) -> Owned? {
            abandon(owned, as: next)
            return Worker.trySubmit(adoptAlone) || nudgeSleeper() ? nil : tryAdopt()
        }

        /// The same. If there is no other thread, this one continues the strand.
        private func submitOrContinue(_ owned: consuming Owned, as next: OrphanWord) {
            if let owned = submit(owned, as: next) { resume(owned, as: .worker) }
        }

        /// Makes a thread that sleeps for a permit adopt the strand.
        ///
        /// - Returns: Whether there is one.
        private func nudgeSleeper() -> Bool {
            // A thread that begins to sleep after this looks for itself: the flag orders both.
            let graph = WaitGraph.acquire()
            let sleeper = graph.queue(of: stateAddress)?.firstThread(in: graph)
            graph.release()
            return sleeper?.nudge() ?? false
        }

        /// Adopts the strand if it still has no thread. The calling thread has nothing else to do.
        private func adoptAlone() {
            if let owned = tryAdopt() { resume(owned, as: .worker) }
        }

        /// Adopts the strand if it has no thread.
        func tryAdopt() -> Owned? {
            // acquire: sees the last owner's writes. Pairs with `abandon(_:as:)`.
            orphan.update(.acquire) { $0.adopting() }.new == nil ? nil : Owned()
        }

        /// Drains the strand as its owner.
        func resume(_ owned: consuming Owned, as role: DrainRole) {
            PlainAccess.write(self)
            let thread = ThreadState.current
            thread.use(state.batchOfResumed)
            state.batchOfResumed = .none
            owned.end()
            // As a drain: it stops where it would have to wait.
            ThreadState.withoutWaiting {
                thread.beginOwning()
                drain(Owned(), as: role)
                thread.endOwning()
            }
        }
    }
#endif
