#if !NaiveLocks
    extension Strand {
        /// Has `follower` called when this thread leaves this strand, whose event it delivers.
        ///
        /// - Returns: Whether it will be. Otherwise the caller queues what it has to do: in a drain, the strand isn't left soon, and a
        ///   thread remembers one follower, so that it needs no list.
        func remember(_ follower: DeliveryFollower) -> Bool {
            let thread = ThreadState.current
            return !thread.isEnding && !isDrained(by: thread) && thread.follow(with: follower)
        }

        /// Whether the innermost drain on a thread is one of this strand.
        private func isDrained(by thread: ThreadState) -> Bool {
            guard let progress = thread.progress, knownAddress != 0 else { return false }
            return unsafe progress == UnsafePointer(stateAddress.pointee.progress.address)
        }
    }
#endif
