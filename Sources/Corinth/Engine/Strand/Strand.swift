#if !NaiveLocks
    internal import CCorinth

    /// Serialises work without blocking.
    ///
    /// A thread that finds the strand idle owns it and runs its work in place. A thread that finds it owned pushes the work
    /// as a node and returns. The owner runs the nodes in FIFO order before it leaves.
    ///
    /// Three rules limit the load:
    /// - An owner runs nodes of other threads up to a bound on their number and their time. Then it hands the strand over,
    ///   still owned: the strand has no thread until one adopts it. The adopter is a worker, which continues while other
    ///   threads wait; or a thread that is about to sleep for a permit of this strand; or, if neither comes, a thread that
    ///   ``ProgressThread`` starts.
    /// - At most `capacity` events are queued: ``Permits``. A drain stops when it exceeds another bound, and so does any
    ///   thread that drains the strand for others. Threads that fill the inbox all the time own the strand in turn: see
    ///   ``Batch/init(termOf:followers:)``.
    /// - Work that the owner sends from inside its work is queued too, so nothing nests.
    ///
    /// The strand is *biased* to the thread that uses it most: that one enters and leaves without a locked instruction.
    /// See ``BiasedWord``. The rest of this type deals with a strand without a bias; the thread that has one takes part in that
    /// after it has given the bias up, or after another thread has taken it back.
    ///
    /// An *edit* only changes the observers and runs no user code. A thread that finds the strand in an edit spins. A thread
    /// that ends an edit leaves the nodes queued meanwhile to other threads: an edit delivers no events.
    ///
    /// There are four ways in: ``enter()``, ``beginEdit()``, ``push(_:by:)`` for a node, and ``tryAdopt()``. Each returns a
    /// ``Token``, or none. What only the owner may do consumes or borrows it.
    @usableFromInline
    @safe final class Strand: Permits, @unchecked Sendable {  // The words are atomic; the owner owns the rest.
        /// How many nodes of other threads an owner runs before it hands the strand over.
        static var helpingBound: Int {
            #if Exploration
                Explorer.limit(.helping, usually: 256)
            #else
                256
            #endif
        }

        /// How often a thread spins for the end of an edit.
        private static var editSpinLimit: Int {
            #if Exploration
                Explorer.limit(.spinning, usually: 48)
            #else
                48
            #endif
        }

        /// The default inbox capacity, in events.
        ///
        /// While the owner is preempted for some milliseconds, senders on other processors continue. With 1,024 they filled
        /// the inbox and waited: 8 threads on 2 cores, p99.9 of a send was 2.7 ms; with 16,384 it is 9 µs
        /// (`Benchmarks/run --filter contend-latency`).
        @usableFromInline static let defaultCapacity = 16_384

        /// Whether a hop without a policy is bounded.
        @usableFromInline static let boundsHops = true

        /// The default stall timeout, in nanoseconds: after this time without a delivery, one more capacity is admitted.
        @usableFromInline static let defaultStallTimeout: UInt64 = 100_000_000

        @usableFromInline let bias = BiasedWord()

        @safe @exclusivity(unchecked)
        var history = BiasHistory()

        // Senders look at it after they have written the word, so it is here and not with the permits.
        /// Whether the strand has an owner without a thread.
        let orphan = AtomicState<OrphanWord>(.none)

        // With this, a strand has 64 bytes. An allocator then puts it on a cache line of its own, so that threads with strands
        // of their own don't slow each other down.
        /// The observations that were disposed of while the strand was owned.
        let removals = AtomicStack()

        /// - Parameters:
        ///   - capacity: The inbox capacity, in events. At least 1.
        ///   - stallTimeout: In nanoseconds.
        @usableFromInline
        init(capacity: Int = Strand.defaultCapacity, stallTimeout: UInt64 = Strand.defaultStallTimeout) {
            precondition(capacity > 0, "inboxCapacity is \(capacity), but must be at least 1")
            super.init(ofStrandWith: capacity, stallTimeout: stallTimeout)
        }

        deinit {
            // Nodes keep the strand alive: none is left here.
            assert(word.load(.relaxed) & BiasedWord.owned == 0, "a strand was deallocated while it was owned")
            if lazyState.known == 0 { return }
            // After the end there is no bound, and what waited continues without a permit.
            assert(
                state.taken(.relaxed) == 0 || state.limit.load(.relaxed) == .max,
                "a strand was deallocated before all permits were given back")
            assert(unsafe state.keeper == nil, "a strand was deallocated while its list had a reference to its object")
            state.observing.release()
        }

        var word: AtomicWord {
            unsafeAddress { unsafe address(of: bias.word) }
        }

        #if DEBUG && !Exploration
            /// The token of the thread that owns the strand and may call observers, or 0: for ``DeadlockCheck``.
            // relaxed: this thread has written its own token, and another one is known by a lock to wait.
            @usableFromInline let owner = AtomicWord()

            /// Whether this thread owns the strand. Debug builds only.
            var isHeldHere: Bool { owner.load(.relaxed) == ThreadState.current.token }
        #endif

        /// Records in debug builds who owns the strand; nil for nobody, or a task.
        @inlinable @inline(__always)
        func note(owner thread: ThreadState?) {
            #if DEBUG && !Exploration
                owner.store(thread?.token ?? 0, .relaxed)
            #endif
        }

        // MARK: In and out

        /// Takes the strand if it is idle. Otherwise the caller uses ``enqueue(_:_:)``.
        @inlinable @inline(__always)
        func enter() -> Owned? {
            let thread = ThreadState.current
            guard bias.tryEnterByBias(thread) || tryEnterWithoutBias() else { return nil }
            thread.beginOwning()
            note(owner: thread)
            PlainAccess.write(self)
            return Owned()
        }

        /// The same: no way in waits for another thread.
        @inlinable @inline(__always)
        func enterAtOnce() -> Owned? { enter() }

        @usableFromInline
        @inline(never)
        func tryEnterWithoutBias() -> Bool {
            // It has its number before it calls an observer: the sampler knows threads with one, see ``Inspector``. Otherwise a
            // thread that blocks in the first delivery of its life would be unseen.
            _ = ThreadState.current.token
            // A thread that has queued something may have to again. A compare-exchange that fails takes the cache line from the owner.
            // relaxed: a hint.
            if ThreadState.current.hasQueued, StrandWord(bits: word.load(.relaxed)).isOwned { return false }
            // acquire: sees the last owner's writes. Pairs with the release in `tryRelease(_:as:bias:)`.
            let result = word.compareExchange(StrandWord.idle.bits, StrandWord.owned.bits, .acquire)
            return result.won || canTakeBias(result.seen) && bias.takeBias(result.seen)
        }

        /// Whether another thread has a bias.
        private func canTakeBias(_ seen: UInt64) -> Bool {
            StrandWord(bits: seen).isBiased && !BiasedWord.isBiased(seen, to: .current)
        }

        /// Runs the nodes queued meanwhile and releases the strand.
        @inlinable @inline(__always)
        func leave(_ owned: consuming Owned) {
            let thread = ThreadState.current
            if let owned = leaveByBias(owned, thread) { leaveWithoutBias(owned) }
            thread.endOwning()
            if thread.hasDue { doWhatIsDue() }
        }

        /// Releases the strand if this thread's bias suffices.
        ///
        /// - Returns: The strand again, if it has no bias, or another thread wants it.
        @inlinable @inline(__always)
        func leaveByBias(_ owned: consuming Owned, _ thread: ThreadState) -> Owned? {
            PlainAccess.write(self)
            owned.end()
            note(owner: nil)
            return bias.leaveByBias(thread) ? Owned() : nil
        }

        @usableFromInline
        @inline(never)
        func leaveWithoutBias(_ owned: consuming Owned) {
            if let owned = tryRelease(owned) { drain(owned) }
        }

        /// This thread has left the strand. Calls what waits for that. Then waits for the bounds that it has exceeded, if it owns no
        /// other one, or counts an event of its term.
        @usableFromInline
        @inline(never)
        func doWhatIsDue() {
            let thread = ThreadState.current
            thread.callFollower()
            if thread.hasDeferredWait {
                thread.resign(from: self)
                if thread.isDue { thread.blockingWaitForDeferred() }
            } else if !thread.isEnding {
                thread.countAsLeader(of: self)
            }
        }

        /// Releases the strand if no nodes are queued. It is idle then, or biased to this thread.
        ///
        /// - Parameters:
        ///   - expected: The word of an owner, or of an edit, if no nodes are queued.
        ///   - mayBias: Whether it may be biased to this thread.
        /// - Returns: The strand again, if there are nodes.
        func tryRelease(
            _ owned: consuming Owned, as expected: StrandWord = .owned, bias mayBias: Bool = true
        ) -> Owned? {
            let thread = ThreadState.current
            let before = history
            var next = StrandWord.idle.bits
            if mayBias, BiasedWord.isPossible {
                if let generation = history.next(for: thread) {
                    // relaxed: the exchange publishes it. It is set if the thread has given this bias up.
                    bias.inside.store(0, generation, .relaxed)
                    next = BiasedWord.bits(for: thread, generation)
                }
            }
            owned.end()
            note(owner: nil)
            // release: publishes this owner's writes. Pairs with the acquire in `tryEnterWithoutBias()`.
            let result = word.compareExchange(expected.bits, next, .release)
            if result.won { return nil }
            note(owner: thread)
            // This thread hasn't left, and no other one has seen the bias. If nodes of other threads are queued, the thread that
            // runs them notes whom it has met. If all are its own, a bias that it has given up for them is still its own.
            history = before
            if result.seen & BiasedWord.unclaimed != 0 {
                bias.giveUpBias(thread)
                if !history.isKept { history.meet() }
            }
            return Owned()
        }

        // MARK: Queued work

        /// Runs the node after all nodes queued before it: in place if the strand is idle, otherwise on its owner's thread.
        /// Waits only for a permit, only if `mode` says so, and only on a thread that owns no strand.
        @usableFromInline
        @inline(never)
        func enqueue(_ node: consuming StrandNode, _ mode: PermitMode) {
            let thread = ThreadState.current
            // Consumed here: this thread would write the count of a node that another one has by then.
            let node = unsafe Unmanaged.passRetained(consume node)
            unsafe takePermit(of: node, mode)
            if let entered = unsafe push(node, by: thread) {
                entered.node.run(entered.node)
                leave(entered.owned)
                if mode != .atOnce { thread.endHelping() }
            } else if mode != .atOnce {
                if thread.mayWait { thread.note(queued: .other(node)) }
                endQueueing(thread)
            }
        }

        /// A thread has queued its event. It adopts the strand if that has no thread.
        func endQueueing(_ thread: ThreadState) {
            // relaxed: a hint. A thread that misses it leaves the strand to the worker. Not inside a callback, where it would nest,
            // and not for a termination, which delivers no other events.
            if thread.mayWait, orphan.load(.relaxed) == .offered { _ = adopt() }
            thread.endHelping()
        }

        private func takePermit(of node: Unmanaged<StrandNode>, _ mode: PermitMode) {
            let permits = unsafe node._withUnsafeGuaranteedRef { $0.permits }
            switch mode {
            case .inTurn: if permits > 0 { takeInTurn() }
            // relaxed: as in `take()`.
            case .atOnce: state.used.fetchAdd(permits, .relaxed)
            case .taken: break
            }
        }

        /// Takes a permit for an event, in FIFO order. If this thread owns a strand, it exceeds the bound and waits later.
        @usableFromInline
        @inline(never)
        func takeInTurn() {
            if ThreadState.current.ownsNone { blockingTake() } else { take() }
        }

        /// Takes a permit for an event if one is free. Otherwise a task waits for it.
        ///
        /// - Parameter task: Waits for a permit unless it has one; nil if no task waits.
        @usableFromInline
        func tryTake(for task: TaskWaiter?) -> Bool { task?.takePermit(of: self) ?? tryTake() }

        /// Queues work and never runs it. Takes the strand if it is idle, otherwise makes and queues the node. Never waits:
        /// the caller calls ``waitForDeferred()`` after it has released its locks.
        ///
        /// - Returns: The strand, if the caller is to run the work itself.
        @inlinable @inline(__always)
        func enterOrQueue(_ makeNode: () -> StrandNode) -> Owned? {
            if let owned = enter() { return owned }
            return enterOrPush(makeNode())
        }

        @usableFromInline
        @inline(never)
        func enterOrPush(_ node: StrandNode) -> Owned? {
            // What it will give back.
            if node.permits > 0 { take() }
            guard let entered = unsafe push(.passRetained(node), by: .current) else { return nil }
            return entered.owned
        }

        /// Runs a change of a signal's state after all nodes queued before it. It takes no permit and waits for none.
        @usableFromInline
        @inline(never)
        func enqueueEdit(_ work: @escaping () -> Void) {
            enqueue(WorkNode(work), .atOnce)
        }

        /// The same for an observer that is being added. Such changes have their own permits. A thread that owns no strand
        /// waits for one in FIFO order. So many new observers don't block events, and events don't block new observers.
        @usableFromInline
        @inline(never)
        func enqueueObserving(_ work: @escaping () -> Void) {
            let permits = observing
            if ThreadState.current.ownsNone {
                permits.blockingTake()
            } else {
                permits.state.used.fetchAdd(1, .relaxed)
            }
            enqueueEdit {
                permits.state.countDelivery()
                permits.giveBack(1)
                work()
            }
        }

        /// The permits of observers that are being added, created on first use.
        private var observing: Permits {
            state.observing.get {
                Permits(capacity: Strand.observingCapacity, stallTimeout: Strand.defaultStallTimeout)
            }
        }

        /// How many new observers may be queued.
        private static let observingCapacity: UInt64 = 1024

        /// Waits for the permits whose bound this thread has exceeded, unless it owns a strand.
        @inlinable @inline(__always)
        static func waitForDeferred() {
            let thread = ThreadState.current
            if thread.isDue { thread.blockingWaitForDeferred() }
        }

        /// An idle strand that a thread has entered with a node, which it runs itself.
        private struct Entered: ~Copyable {
            let owned: Owned
            let node: StrandNode
        }

        /// Pushes a retained node, which belongs to the strand's owner from then on.
        ///
        /// - Returns: The strand and the node, if the strand was idle.
        private func push(_ node: Unmanaged<StrandNode>, by thread: ThreadState) -> Entered? {
            var node = unsafe node
            if thread.change != .none {
                unsafe node = .passRetained(ChangeNode.keeping(node.takeRetainedValue(), by: thread))
            }
            let address = unsafe UInt64(UInt(bitPattern: node.toOpaque()))
            let keeper = unsafe node._withUnsafeGuaranteedRef { $0.keeper }
            var seen = StrandWord(bits: word.load(.relaxed))
            var spins = 0
            while true {
                if seen.isEdited, spins < Strand.editSpinLimit {
                    word.spin(iteration: spins)
                    spins += 1
                    seen = StrandWord(bits: word.load(.relaxed))
                    continue
                }
                let isMine = BiasedWord.isBiased(seen.bits, to: thread)
                if seen.isBiased, !(isMine && isInsideBias(seen)) {
                    // From outside. If the bias is taken meanwhile, its taker owns the strand.
                    if isMine ? bias.tryEnterByBias(thread) : bias.takeBias(seen.bits) {
                        return unsafe take(over: node, thread)
                    }
                    seen = StrandWord(bits: word.load(.relaxed))
                    continue
                }
                let keeps = unsafe keeper != nil && !isKept(seen)
                let (next, arrival) = seen.arriving(with: address, keeps: keeps)
                if case .wait(let older) = arrival {
                    if keeps { unsafe _ = keeper?.retain() }
                    unsafe node._withUnsafeGuaranteedRef { node in
                        PlainAccess.write(node)
                        unsafe node.next = Strand.node(at: older)
                    }
                }
                // release: publishes the node's contents to the owner that takes it. acquire: if the strand was idle, sees
                // its last owner's writes. Pairs with `takeAll(into:)`, `drain()` and `leave()`.
                let result = word.compareExchange(seen.bits, next.bits, .acquireRelease)
                guard result.won else {
                    if keeps, arrival != .own { unsafe keeper?.release() }
                    seen = StrandWord(bits: result.seen)
                    continue
                }
                if seen.isBiased { history.keep() }
                guard arrival == .own else {
                    Probe.contended(self)
                    return nil
                }
                return unsafe take(over: node, thread)
            }
        }

        /// Whether the list has a reference for the nodes that have none.
        private func isKept(_ seen: StrandWord) -> Bool {
            #if Exploration
                if Explorer.limit(.keeping, usually: 0) > 0 { return seen.newest != 0 }
            #endif
            return seen.isKept
        }

        static func node(at address: UInt64) -> Unmanaged<StrandNode>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
            return unsafe Unmanaged<StrandNode>.fromOpaque(pointer)
        }

        /// Whether this thread, to which the strand is biased, is inside.
        private func isInsideBias(_ seen: StrandWord) -> Bool {
            #if Exploration
                if Explorer.limit(.outsiders, usually: 0) > 0 { return true }
            #endif
            return bias.isInside(seen.bits)
        }

        /// Begins to own the strand with a node that isn't queued.
        private func take(over node: Unmanaged<StrandNode>, _ thread: ThreadState) -> Entered {
            PlainAccess.write(self)
            thread.beginOwning()
            note(owner: thread)
            let node = unsafe node.takeRetainedValue()
            giveBack(node.permits)
            return Entered(owned: Owned(), node: node)
        }

        // MARK: Without waiting

        /// Sets the waits aside that this thread has deferred, for a delivery that must not wait.
        @inlinable
        func setWaitsAside(_ owned: consuming Owned) -> NonblockingDelivery {
            let thread = ThreadState.current
            return NonblockingDelivery(owned: owned, outer: thread.hasDeferredWait ? thread.takeDeferredWaits() : nil)
        }

        /// Releases the strand like ``leave(_:)``, but never waits. If this thread's own event has exceeded a bound, the strand
        /// stops instead, and queues later events until a permit is free.
        ///
        /// - Parameter suspends: Whether a task sends. It stops the strand itself, when it is suspended.
        @inlinable @inline(__always)
        func leave(_ delivery: consuming NonblockingDelivery, suspending suspends: Bool) -> SendAttempt {
            let thread = ThreadState.current
            if delivery.outer != nil || thread.hasDue || thread.helped > 0 {
                return leaveWithDue(delivery, suspending: suspends)
            }
            if let owned = leaveByBias(delivery.owned, thread) {
                leaveAtOnceWithoutBias(owned)
            } else {
                thread.endOwning()
            }
            return .sent
        }

        @usableFromInline
        @inline(never)
        func leaveAtOnceWithoutBias(_ owned: consuming Owned) {
            if let owned = tryRelease(owned) { drainAtOnce(owned) }
            endAtOnce(.current)
        }

        @usableFromInline
        @inline(never)
        func leaveWithDue(_ delivery: consuming NonblockingDelivery, suspending suspends: Bool) -> SendAttempt {
            let thread = ThreadState.current
            let outer = delivery.outer
            let attempt = end(delivery.owned, for: thread.takeDeferredWaits(), suspending: suspends)
            if let outer { thread.restore(outer) }
            endAtOnce(thread)
            return attempt
        }

        private func endAtOnce(_ thread: ThreadState) {
            thread.endOwning()
            thread.endHelping()
            thread.callFollower()
            if thread.hasDeferredWait { doWhatIsDue() }
        }

        private func end(
            _ owned: consuming Owned, for waits: DeferredWaits?, suspending suspends: Bool
        ) -> SendAttempt {
            let thread = ThreadState.current
            guard let waits else {
                if let owned = leaveByBias(owned, thread), let owned = tryRelease(owned) { drainAtOnce(owned) }
                return .sent
            }
            note(owner: nil)
            bias.giveUpBias(thread)
            if suspends {
                // The task owns it from now on.
                owned.end()
                return .stopped(StoppingTask(on: self, for: waits))
            }
            // Otherwise, the thread that is served resumes it.
            if let owned = stop(owned, for: waits), let owned = tryRelease(owned) { drainAtOnce(owned) }
            return .sent
        }

        private func drainAtOnce(_ owned: consuming Owned) {
            drain(owned, as: ThreadState.current.isEnding ? .ender : .helper)
        }

        /// Whether the calling thread's deliveries have exceeded a bound. A node that delivers several events stops after
        /// this one.
        @inlinable
        static var mustStop: Bool { ThreadState.current.hasDeferredWait }

        /// Runs the node after all nodes queued before it, and never waits, like ``leave(_:suspending:)``.
        ///
        /// - Parameters:
        ///   - mode: Whether the node has a permit. Otherwise it exceeds the bound.
        ///   - suspends: Whether a task sends.
        @usableFromInline
        @inline(never)
        func attempt(_ node: consuming StrandNode, _ mode: PermitMode, suspending suspends: Bool) -> SendAttempt {
            // As in `enqueue(_:_:)`.
            let node = unsafe Unmanaged.passRetained(consume node)
            unsafe takePermit(of: node, mode)
            guard let entered = unsafe push(node, by: .current) else { return .sent }
            let delivery = setWaitsAside(entered.owned)
            entered.node.run(entered.node)
            return leave(delivery, suspending: suspends)
        }

        // MARK: Adopting

        /// Adopts the strand instead of sleeping, if it has no thread and this thread has not helped enough in its current
        /// send.
        override func adopt() -> Bool {
            ThreadState.current.helped < Strand.helpingBound && adoptWhenNudged()
        }

        @discardableResult
        override func adoptWhenNudged() -> Bool {
            guard let owned = tryAdopt() else { return false }
            Probe.adopt(self)
            resume(owned, as: .helper)
            return true
        }

        // MARK: Derived signals

        /// A derived signal runs inside its source's delivery: the same strand serialises both.
        @inlinable @inline(__always)
        func derived() -> Strand { self }

        @inlinable
        static var isShared: Bool {
            @inline(__always)
            get { true }
        }

        @inlinable @inline(__always)
        func enterDerived() {}

        @inlinable @inline(__always)
        func leaveDerived() {}

        // MARK: Edits

        /// Begins a change of a signal's state if the strand is idle. No user code runs during it.
        @inlinable @inline(__always)
        func beginEdit() -> Edit? {
            guard bias.tryEnterByBias(.current) || beginEditWithoutBias() else { return nil }
            PlainAccess.write(self)
            return Edit()
        }

        @usableFromInline
        @inline(never)
        func beginEditWithoutBias() -> Bool {
            // acquire: as in `tryEnterWithoutBias()`.
            let result = word.compareExchange(StrandWord.idle.bits, StrandWord.edited.bits, .acquire)
            return result.won || canTakeBias(result.seen) && bias.takeBias(result.seen)
        }

        /// Ends the change. Nodes queued meanwhile are left to other threads.
        @inlinable @inline(__always)
        func endEdit(_ edit: consuming Edit) {
            PlainAccess.write(self)
            edit.end()
            if bias.leaveByBias(.current) { endEditWithoutBias(Owned()) }
        }

        @usableFromInline
        @inline(never)
        func endEditWithoutBias(_ owned: consuming Owned) {
            // relaxed: only this thread clears the bit.
            let isEdited = StrandWord(bits: word.load(.relaxed)).isEdited
            guard let owned = tryRelease(owned, as: isEdited ? .edited : .owned) else { return }
            // relaxed: as above. `offer(_:)` publishes this thread's writes to the adopting one.
            if isEdited { word.fetchSubtract(StrandWord.edited.bits - StrandWord.owned.bits, .relaxed) }
            offer(owned)
        }

        /// Reads or changes a signal's state. Called by the strand's owner.
        @inlinable @inline(__always)
        func withState<Result: ~Copyable>(_ body: () -> Result) -> Result { body() }
    }

    /// A delivery that must not wait, and the waits that its thread had deferred before.
    @usableFromInline
    struct NonblockingDelivery: ~Copyable {
        @usableFromInline let owned: Owned
        @usableFromInline let outer: DeferredWaits?

        @inlinable
        init(owned: consuming Owned, outer: DeferredWaits?) {
            self.owned = owned
            self.outer = outer
        }
    }
#endif
