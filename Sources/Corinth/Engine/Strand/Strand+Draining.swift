#if !NaiveLocks
    extension Strand {
        /// Who drains a strand.
        enum DrainRole {
            /// A thread that has sent: it waits for the bounds that its own nodes have exceeded after it has left.
            case sender
            /// A thread that drains for others, instead of sleeping: the strand stops where it would have to wait.
            case helper
            /// The same, with nothing else to do. While other threads wait for permits, handing the strand over would delay them:
            /// each handover takes as long as waking a thread.
            case worker
            /// A thread that ends something: it runs its own nodes until one of another thread comes first, and leaves the rest to
            /// other threads.
            case ender

            /// Whether the thread has nodes of its own among those that it runs.
            var hasOwn: Bool { self == .sender || self == .ender }
        }

        /// Runs the queued nodes and leaves, or hands the strand over.
        @usableFromInline
        @inline(never)
        func drain(_ owned: consuming Owned) {
            drain(owned, as: ThreadState.current.isEnding ? .ender : .sender)
        }

        func drain(_ owned: consuming Owned, as role: DrainRole) {
            let thread = ThreadState.current
            note(owner: thread)
            // What is queued isn't part of the change that this thread delivers, unless it says so.
            let change = thread.change
            thread.change = .none
            defer { thread.change = change }
            // Looked up once: other threads write the cache line of its address.
            let address = stateAddress
            let outside = thread.progress
            thread.progress = unsafe UnsafePointer(address.pointee.progress.address)
            defer { thread.progress = unsafe outside }
            // The bounds that this thread's own event has exceeded. It waits for them after it has left; events of others
            // must not exceed them.
            var mine = thread.takeDeferredWaits()
            var mayBeFull = mine != nil
            defer { if let mine { thread.restore(mine) } }
            var bound = HelpingBound(after: thread.helped)
            defer { if role == .helper { thread.helped = bound.count } }
            var returned: UInt64 = 0
            var hasMet = false
            var owned = owned
            while true {
                while let sender = nextSender(in: address) {
                    let isForeign = !role.hasOwn || sender != thread.token
                    if isForeign, role == .ender {
                        giveBack(returned)
                        return offer(owned)
                    }
                    // Once: the history is on the cache line that senders write.
                    if isForeign, !hasMet {
                        history.meet()
                        hasMet = true
                    }
                    if isForeign, mayBeFull, let mine {
                        mayBeFull = false
                        giveBack(returned)
                        returned = 0
                        guard let still = stop(owned, for: mine, holdsValue: false) else { return }
                        owned = still
                    }
                    guard let next = nextTaken(in: address) else { break }
                    // The list has a reference, until its last event has run.
                    unsafe next.node._withUnsafeGuaranteedRef { $0.run($0) }
                    if next.isLast { unsafe next.node.release() }
                    address.pointee.countDelivery()
                    returned += next.permits
                    if thread.hasDeferredWait, let waits = thread.takeDeferredWaits() {
                        if isForeign {
                            // This thread must not wait for bounds that another thread's event has exceeded: the strand
                            // stops.
                            giveBack(returned)
                            returned = 0
                            guard let still = stop(owned, for: waits) else { return }
                            owned = still
                        } else {
                            mine = waits.joined(to: mine)
                            mayBeFull = true
                        }
                    }
                    // relaxed: a hint.
                    if returned >= 32 || address.pointee.handing.load(.relaxed) == .all {
                        giveBack(returned)
                        returned = 0
                    }
                    if sender != thread.token, bound.isReached(),
                        !(role == .worker && address.pointee.limit.load(.relaxed) == 0)
                    {
                        // relaxed: a hint.
                        giveBack(returned)
                        returned = 0
                        guard let still = handOver(owned) else { return }
                        owned = still
                        bound = HelpingBound(after: 0)
                    }
                }
                if returned > 0 {
                    giveBack(returned)
                    returned = 0
                }
                releaseKeeper(in: address)
                PlainAccess.write(self)
                guard let still = tryRelease(owned, bias: role.hasOwn) else { return }
                owned = still
                takeAll(into: address)
            }
        }

        /// The sender of the oldest node that was taken but not run.
        private func nextSender(in address: PermitStateAddress) -> UInt64? {
            unsafe address.pointee.taken?._withUnsafeGuaranteedRef { $0.sender }
        }

        /// The next event of a node.
        @safe private struct Taken {
            /// Retained if it is the last one.
            let node: Unmanaged<StrandNode>
            /// How many permits are free when it has run.
            let permits: UInt64
            let isLast: Bool
        }

        /// Begins the oldest event that was taken but not run.
        private func nextTaken(in address: PermitStateAddress) -> Taken? {
            guard let oldest = unsafe address.pointee.taken else { return nil }
            return unsafe oldest._withUnsafeGuaranteedRef { node in
                PlainAccess.read(node)
                var (permits, isLast) = (node.permits, true)
                if node.isBurst { (permits, isLast) = unsafe unsafeDowncast(node, to: EventBurst.self).begin() }
                if isLast {
                    unsafe address.pointee.taken = node.next
                    // Another thread has written the next one: its cache lines are fetched while this one runs.
                    if let next = node.next { unsafe StrandNode.prefetch(next.toOpaque()) }
                }
                return unsafe Taken(node: oldest, permits: permits, isLast: isLast)
            }
        }

        /// Takes all pushed nodes and puts them in FIFO order.
        private func takeAll(into address: PermitStateAddress) {
            // acquire: sees the contents of the nodes. Pairs with the release in `push(_:by:)`; relaxed would let the owner
            // run a node before it is written. release: the senders continue from a word that says owned.
            let seen = StrandWord(bits: word.exchange(StrandWord.owned.bits, .acquireRelease))
            guard case .run(let newest) = seen.departing().departure else { return }
            var rest = unsafe Strand.node(at: newest)
            var taken = unsafe address.pointee.taken
            var keeper: Unmanaged<AnyObject>?
            while let node = unsafe rest {
                unsafe node._withUnsafeGuaranteedRef { current in
                    PlainAccess.write(current)
                    unsafe rest = current.next
                    unsafe current.next = taken
                    if let state = current.keeper {
                        assert(
                            unsafe keeper == nil || keeper?.toOpaque() == state.toOpaque(), "a strand of two objects")
                        unsafe keeper = state
                    }
                }
                unsafe taken = node
            }
            unsafe address.pointee.taken = taken
            assert(unsafe !seen.isKept || keeper != nil, "a list without events is kept")
            if seen.isKept { unsafe address.pointee.keeper = keeper }
        }

        /// Releases the object whose strand this is, if the list that was taken last has retained it. All its nodes have run.
        private func releaseKeeper(in address: PermitStateAddress) {
            guard let keeper = unsafe address.pointee.keeper else { return }
            unsafe address.pointee.keeper = nil
            unsafe keeper.release()
        }
    }

    /// How much an owner has done for other threads: the number of nodes, and the time. The time is read when the number has
    /// doubled and every 32 nodes.
    struct HelpingBound {
        /// In nanoseconds. Unoptimised code is many times slower.
        private static var time: UInt64 {
            #if DEBUG
                10_000_000
            #else
                100_000
            #endif
        }

        private(set) var count: Int
        private var start: UInt64?

        /// - Parameter count: How many nodes it has run before.
        init(after count: Int) {
            self.count = count
        }

        /// Counts a node, and returns whether the bound is reached.
        mutating func isReached() -> Bool {
            count += 1
            if count >= Strand.helpingBound { return true }
            guard start == nil || count & (count - 1) == 0 || count & 31 == 0 else { return false }
            let now = MonotonicTime.now
            guard let start else {
                start = now
                return false
            }
            return now - start > HelpingBound.time
        }
    }
#endif
