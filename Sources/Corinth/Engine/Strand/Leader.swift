#if !NaiveLocks
    internal import CCorinth

    // Threads that send on one strand all the time would mostly queue their events, each at the cost of several cache lines that
    // move between processors. Instead, one of them leads and the others follow: the leader finds the strand idle and delivers
    // its events in place, while the followers sleep in the queue of the strand's permits. After a term it promotes the oldest
    // follower, goes on until that one has come, and follows. The pattern is Leader/Followers (Schmidt et al., 2000).
    //
    // A leader has no rights: any thread that comes may send, and finds the strand idle or queues its event. So nothing is lost
    // with a leader that sends no more. `WaitQueue.look(at:_:)` notes that nobody was promoted, and serves all.

    extension Batch {
        /// A leader's term: how many events it delivers or queues before it waits.
        init(termOf strand: PermitStateAddress, followers: Int) {
            // Fewer than one in a thousand sends waits. If the others don't wait for long, one in two thousand: the send that
            // promotes a leader is slow, too, because it wakes a thread.
            let isShort = followers >= 64
            self.init(term: (isShort ? 2 : 3) * Batch.overlap, of: strand)
        }

        /// How many events before the end of its term a leader promotes the next one, which needs some time to come.
        static var overlap: UInt64 {
            #if Exploration
                UInt64(Explorer.limit(.leading, usually: 1_024))
            #else
                1_024
            #endif
        }

        /// Whether an event may be queued. Not the last one of a term: the leader counts that when it has left the strand.
        func mayQueue(_ count: UInt64 = 1) -> Bool { left >= count + (isTerm ? 1 : 0) }

        /// What a leader does after it has delivered an event.
        enum Step {
            case goOn, promote, follow
        }

        /// The term after an event that its leader has delivered, and what that does. None is left at the end only, when the term
        /// is over: see ``Step``.
        ///
        /// - Parameter isSucceeded: Whether the next leader is awake.
        func delivering(isSucceeded: Bool) -> (next: Batch, step: Step) {
            let rest = less
            if hasPromoted { return (rest, rest.left == 0 || isSucceeded ? .follow : .goOn) }
            return rest.left > Batch.overlap ? (rest, .goOn) : (rest.promoting, .promote)
        }
    }

    extension ThreadState {
        /// Counts an event that this thread has delivered, if it leads this strand. Some time before the end of its term it
        /// promotes the next leader; when that one has come, or else at the end, it waits for its own next term. If it owns another
        /// strand, it doesn't wait: its next events are those of any thread.
        func countAsLeader(of strand: Strand) {
            if !leads(strand) { return }
            let (next, step) = batch.delivering(isSucceeded: batch.hasPromoted && strand.leader != token)
            unsafe state.pointee.batch = next.bits
            switch step {
            case .goOn: return
            case .promote:
                guard strand.promote(after: token) else { return endTerm() }
                // None is left if it has queued the others.
                if next.left > 0 { return }
            case .follow: break
            }
            endTerm()
            if ownsNone { strand.follow() }
        }

        /// This thread is about to wait for something else: promotes the next leader, if it leads this strand.
        func resign(from strand: Strand) {
            let batch = batch
            if !leads(strand) { return }
            endTerm()
            if !batch.hasPromoted { _ = strand.promote(after: token) }
        }

        private func leads(_ strand: Strand) -> Bool {
            batch.isTerm && strand.knownAddress != 0 && batch.belongs(to: strand.stateAddress)
        }

        private func endTerm() { use(.none) }
    }

    extension Permits {
        /// The thread that has led last, by its token.
        var leader: UInt64 {
            // relaxed: a hint. A thread that sees an old leader goes on for an event more.
            get { state.leader.load(.relaxed) }
        }

        /// This thread, which was promoted, is awake.
        func noteLeader(_ thread: ThreadState) { state.leader.store(thread.token, .relaxed) }

        /// The term of this thread is over: promotes the oldest follower.
        ///
        /// - Returns: Whether this thread follows then. Not if no other thread waits behind that one: two get on without.
        func promote(after token: UInt64) -> Bool {
            var graph = WaitGraph.acquire()
            let isPromoted = graph.queue(of: stateAddress)?.promote(after: token, &graph) ?? false
            graph.release()
            return isPromoted
        }

        /// Waits for the next term if other threads wait, too.
        func follow() {
            // relaxed: a hint.
            if state.limit.load(.relaxed) == 0 { blockingWait(ThreadWaiter(takesPermit: false)) }
        }
    }
#endif
