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
        private var history = BiasHistory()

        // Senders look at it after they have written the word, so it is here and not with the permits.
        /// Whether the strand has an owner without a thread.
        private let orphan = AtomicState<OrphanWord>(.none)

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
            if lazyState.known != 0 { state.observing.release() }
        }

        var word: AtomicWord {
            unsafeAddress { unsafe address(of: bias.word) }
        }

        // MARK: Ownership

        /// Takes the strand if it is idle. Otherwise the caller uses ``enqueue(_:)``.
        @inlinable @inline(__always)
        func tryEnter() -> Bool {
            let thread = ThreadState.current
            guard bias.tryEnterByBias(thread) || tryEnterWithoutBias() else { return false }
            thread.owned &+= 2
            PlainAccess.write(self)
            return true
        }

        @usableFromInline
        @inline(never)
        func tryEnterWithoutBias() -> Bool {
            // acquire: sees the last owner's writes. Pairs with the release in `tryRelease(_:)`.
            let result = word.compareExchange(StrandWord.idle.bits, StrandWord.owned.bits, .acquire)
            return result.won || canTakeBias(result.seen) && bias.takeBias(result.seen)
        }

        /// Whether another thread has a bias.
        private func canTakeBias(_ seen: UInt64) -> Bool {
            StrandWord(bits: seen).isBiased && !BiasedWord.isBiased(seen, to: .current)
        }

        /// Runs the nodes queued meanwhile and releases the strand. Called by its owner.
        @inlinable @inline(__always)
        func leave() {
            PlainAccess.write(self)
            let thread = ThreadState.current
            if bias.leaveByBias(thread) { leaveWithoutBias() }
            thread.owned &-= 2
            if thread.owned == ThreadState.dueOnly { doWhatIsDue() }
        }

        /// This thread owns no strand any more. Waits for the bounds that it has exceeded, or counts an event of its term.
        @usableFromInline
        @inline(never)
        func doWhatIsDue() {
            let thread = ThreadState.current
            if thread.hasDeferredWait {
                thread.resign(from: self)
                thread.blockingWaitForDeferred()
            } else if thread.ends == 0 {
                thread.countAsLeader(of: self)
            }
        }

        @usableFromInline
        @inline(never)
        func leaveWithoutBias() {
            if !tryRelease(.owned) { drain() }
        }

        /// Releases the strand if no nodes are queued. It is idle then, or biased to this thread.
        private func tryRelease(_ expected: StrandWord, mayBias: Bool = true) -> Bool {
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
            // release: publishes this owner's writes. Pairs with the acquire in `tryEnterWithoutBias()`.
            let result = word.compareExchange(expected.bits, next, .release)
            if result.won { return true }
            // This thread hasn't left, and no other one has seen the bias. If nodes of other threads are queued, the thread that
            // runs them notes whom it has met. If all are its own, a bias that it has given up for them is still its own.
            history = before
            if result.seen & BiasedWord.unclaimed != 0 {
                bias.giveUpBias(thread)
                if !history.isKept { history.meet() }
            }
            return false
        }

        /// Runs the node after all nodes queued before it: in place if the strand is idle, otherwise on its owner's thread.
        /// Waits only for a permit, and only on a thread that owns no strand.
        @usableFromInline
        @inline(never)
        func enqueue(_ node: StrandNode) {
            takeInTurn()
            enqueueTaken(node)
        }

        /// Takes a permit for an event, in FIFO order. If this thread owns a strand, it exceeds the bound and waits later.
        @usableFromInline
        @inline(never)
        func takeInTurn() {
            if ThreadState.current.owned > ThreadState.dueOnly { take() } else { blockingTake() }
        }

        /// The rest of ``enqueue(_:)``, after a permit is taken for the node.
        @usableFromInline
        @inline(never)
        func enqueueTaken(_ node: StrandNode) {
            let thread = ThreadState.current
            if place(node, by: thread) {
                node.run(node)
                leave()
            } else if thread.owned <= ThreadState.dueOnly, thread.ends == 0,
                orphan.load(.relaxed) == .offered
            {
                // relaxed: a hint. A thread that misses it leaves the strand to the worker. Not inside a callback, where it
                // would nest, and not for a termination, which delivers no other events.
                _ = adopt()
            }
            if thread.owned <= ThreadState.dueOnly { thread.helped = 0 }
        }

        // MARK: Without waiting

        /// Releases the strand like ``leave()``, but never waits. If this thread's own event has exceeded a bound, the strand
        /// stops instead, and queues later events until a permit is free.
        ///
        /// - Parameters:
        ///   - outer: The waits that this thread deferred before it took the strand.
        ///   - suspends: Whether a task sends. It stops the strand itself, when it is suspended.
        @usableFromInline
        @inline(never)
        func leaveAtOnce(restoring outer: DeferredWaits?, suspending suspends: Bool) -> SendAttempt {
            let thread = ThreadState.current
            PlainAccess.write(self)
            let waits = thread.hasDeferredWait ? thread.takeDeferredWaits() : nil
            if waits != nil { bias.giveUpBias(thread) }
            var attempt = SendAttempt.sent
            if suspends, let waits {
                attempt = .stopped(StoppingTask(on: self, for: waits))
            } else if let waits, waits.stop(resumption, owning: self) {
                // The thread that is served resumes it.
            } else if bias.leaveByBias(thread), !tryRelease(.owned) {
                if thread.ends > 0 { drainOwn() } else { drain(forOthers: true) }
            }
            if let outer { thread.restore(outer) }
            thread.owned &-= 2
            if thread.owned <= ThreadState.dueOnly { thread.helped = 0 }
            if thread.owned == ThreadState.dueOnly, thread.hasDeferredWait { doWhatIsDue() }
            return attempt
        }

        /// Whether the calling thread's deliveries have exceeded a bound. A node that delivers several events stops after
        /// this one.
        @inlinable
        static var mustStop: Bool { ThreadState.current.hasDeferredWait }

        /// This thread's deferred waits. Called before ``leaveAtOnce(restoring:suspending:)``, with the strand owned.
        @inlinable
        func takeOuterWaits() -> DeferredWaits? {
            let thread = ThreadState.current
            return thread.hasDeferredWait ? thread.takeDeferredWaits() : nil
        }

        /// Runs the node after all nodes queued before it, and never waits, like ``leaveAtOnce(restoring:suspending:)``.
        ///
        /// - Parameters:
        ///   - hasPermit: Whether ``tryTake()`` has taken the node's permit. Otherwise the node exceeds the bound.
        ///   - suspends: Whether a task sends.
        @usableFromInline
        @inline(never)
        func enqueueWithoutWaiting(_ node: StrandNode, hasPermit: Bool, suspending suspends: Bool) -> SendAttempt {
            // relaxed: as in `take()`.
            if !hasPermit { state.used.fetchAdd(node.permits, .relaxed) }
            guard place(node, by: ThreadState.current) else { return .sent }
            let outer = takeOuterWaits()
            node.run(node)
            return leaveAtOnce(restoring: outer, suspending: suspends)
        }

        /// Takes a permit for an event if one is free. Otherwise a task waits for it.
        ///
        /// - Parameter task: Waits for a permit unless it has one; nil if no task waits.
        @usableFromInline
        func tryTake(for task: TaskWaiter?) -> Bool { task?.takePermit(of: self) ?? tryTake() }

        /// Takes the strand if it is idle, like ``tryEnter()``. Otherwise the caller uses ``enqueueAtOnce(_:)``.
        @inlinable @inline(__always)
        func tryEnterAtOnce() -> Bool { tryEnter() }

        /// Runs the node after all nodes queued before it, and never waits for a permit.
        @usableFromInline
        @inline(never)
        func enqueueAtOnce(_ node: StrandNode) {
            // relaxed: as in `take()`.
            state.used.fetchAdd(node.permits, .relaxed)
            if place(node, by: ThreadState.current) {
                node.run(node)
                leave()
            }
        }

        /// Runs a change of a signal's state after all nodes queued before it. It takes no permit and waits for none.
        @usableFromInline
        @inline(never)
        func enqueueEdit(_ work: @escaping () -> Void) {
            enqueueAtOnce(WorkNode(work))
        }

        /// The same for an observer that is being added. Such changes have their own permits. A thread that owns no strand
        /// waits for one in FIFO order. So many new observers don't block events, and events don't block new observers.
        @usableFromInline
        @inline(never)
        func enqueueObserving(_ work: @escaping () -> Void) {
            let permits = observing
            if ThreadState.current.owned > ThreadState.dueOnly {
                permits.state.used.fetchAdd(1, .relaxed)
            } else {
                permits.blockingTake()
            }
            enqueueAtOnce(
                WorkNode {
                    permits.state.countDelivery()
                    permits.giveBack(1)
                    work()
                })
        }

        /// The permits of observers that are being added, created on first use.
        private var observing: Permits {
            state.observing.get {
                Permits(capacity: Strand.observingCapacity, stallTimeout: Strand.defaultStallTimeout)
            }
        }

        /// How many new observers may be queued.
        private static let observingCapacity: UInt64 = 1024

        /// Queues work and never runs it. Takes the strand if it is idle, otherwise makes and queues the node. Never waits:
        /// the caller calls ``waitForDeferred()`` after it has released its locks.
        ///
        /// - Returns: Whether the caller owns the strand now. Then it runs the work itself, and leaves.
        @inlinable @inline(__always)
        func enterOrQueue(_ makeNode: () -> StrandNode) -> Bool {
            tryEnter() || enterOrPush(makeNode())
        }

        @usableFromInline
        @inline(never)
        func enterOrPush(_ node: StrandNode) -> Bool {
            take()
            return place(node, by: ThreadState.current)
        }

        /// Waits for the permits whose bound this thread has exceeded, unless it owns a strand.
        @inlinable @inline(__always)
        static func waitForDeferred() {
            let thread = ThreadState.current
            if thread.owned == ThreadState.dueOnly { thread.blockingWaitForDeferred() }
        }

        /// Pushes the node. If the strand is idle, takes it instead and returns true: then the caller runs the node.
        private func place(_ node: StrandNode, by thread: ThreadState) -> Bool {
            let retained = unsafe Unmanaged.passRetained(node)
            let address = unsafe UInt64(UInt(bitPattern: retained.toOpaque()))
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
                        unsafe take(over: retained, thread)
                        return true
                    }
                    seen = StrandWord(bits: word.load(.relaxed))
                    continue
                }
                let (next, arrival) = seen.arriving(with: address)
                if case .wait(let older) = arrival {
                    PlainAccess.write(node)
                    unsafe node.next = Strand.node(at: older)
                }
                // release: publishes the node's contents to the owner that takes it. acquire: if the strand was idle, sees
                // its last owner's writes. Pairs with `takeAll(into:)`, `drain()` and `leave()`.
                let result = word.compareExchange(seen.bits, next.bits, .acquireRelease)
                guard result.won else {
                    seen = StrandWord(bits: result.seen)
                    continue
                }
                if seen.isBiased { history.keep() }
                guard arrival == .own else {
                    Probe.contended(self)
                    return false
                }
                unsafe take(over: retained, thread)
                return true
            }
        }

        /// Whether this thread, to which the strand is biased, is inside.
        private func isInsideBias(_ seen: StrandWord) -> Bool {
            #if Exploration
                if Explorer.limit(.outsiders, usually: 0) > 0 { return true }
            #endif
            return bias.isInside(seen.bits)
        }

        /// Begins to own the strand with a node that isn't queued.
        private func take(over node: Unmanaged<StrandNode>, _ thread: ThreadState) {
            PlainAccess.write(self)
            thread.owned &+= 2
            giveBack(unsafe node.takeRetainedValue().permits)
        }

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
        func beginEdit() -> Bool {
            guard bias.tryEnterByBias(.current) || beginEditWithoutBias() else { return false }
            PlainAccess.write(self)
            return true
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
        func endEdit() {
            PlainAccess.write(self)
            if bias.leaveByBias(.current) { endEditWithoutBias() }
        }

        @usableFromInline
        @inline(never)
        func endEditWithoutBias() {
            // relaxed: only this thread clears the bit.
            let isEdited = StrandWord(bits: word.load(.relaxed)).isEdited
            if tryRelease(isEdited ? .edited : .owned) { return }
            // relaxed: as above. `offer()` publishes this thread's writes to the adopting one.
            if isEdited { word.fetchSubtract(StrandWord.edited.bits - StrandWord.owned.bits, .relaxed) }
            offer()
        }

        /// Reads or changes a signal's state. Called by the strand's owner.
        @inlinable @inline(__always)
        func withState<Result: ~Copyable>(_ body: () -> Result) -> Result { body() }

        // MARK: Draining

        /// Runs the queued nodes and leaves, or hands the strand over. Called by its owner.
        @usableFromInline
        @inline(never)
        func drain() {
            if ThreadState.current.ends > 0 { drainOwn() } else { drain(forOthers: false) }
        }

        /// - Parameters:
        ///   - isForOthers: Whether this thread only drains: then it doesn't wait for bounds that its own nodes exceed.
        ///   - isAlone: Whether it has nothing else to do: then it continues while other threads wait for permits.
        private func drain(forOthers isForOthers: Bool, alone isAlone: Bool = false) {
            let thread = ThreadState.current
            // Looked up once: other threads write the cache line of its address.
            let address = stateAddress
            // The bounds that this thread's own event has exceeded. It waits for them after it has left; events of others
            // must not exceed them.
            var mine = thread.takeDeferredWaits()
            var mayBeFull = mine != nil
            defer { if let mine { thread.restore(mine) } }
            var bound = HelpingBound(after: thread.helped)
            defer { if isForOthers, !isAlone { thread.helped = bound.count } }
            var returned: UInt64 = 0
            var hasMet = false
            while true {
                while let sender = nextSender(in: address) {
                    let isForeign = isForOthers || sender != thread.token
                    // Once: the history is on the cache line that senders write.
                    if isForeign, !hasMet {
                        history.meet()
                        hasMet = true
                    }
                    if isForeign, mayBeFull, let mine {
                        mayBeFull = false
                        giveBack(returned)
                        returned = 0
                        PlainAccess.write(self)
                        if mine.stop(resumption, owning: self, holdsValue: false) { return }
                    }
                    guard let node = nextTaken(in: address) else { break }
                    node.run(node)
                    address.pointee.countDelivery()
                    returned += node.permits
                    if thread.hasDeferredWait, let waits = thread.takeDeferredWaits() {
                        if isForeign {
                            // This thread must not wait for bounds that another thread's event has exceeded: the strand
                            // stops.
                            giveBack(returned)
                            returned = 0
                            PlainAccess.write(self)
                            if waits.stop(resumption, owning: self) { return }
                        } else {
                            mine = waits.joined(to: mine)
                            mayBeFull = true
                        }
                    }
                    // relaxed: a hint.
                    if returned == 32 || address.pointee.handing.load(.relaxed) == .all {
                        giveBack(returned)
                        returned = 0
                    }
                    if sender != thread.token, bound.isReached(), !(isAlone && state.limit.load(.relaxed) == 0) {
                        // relaxed: a hint.
                        giveBack(returned)
                        returned = 0
                        if handOver() { return }
                        bound = HelpingBound(after: 0)
                    }
                }
                if returned > 0 {
                    giveBack(returned)
                    returned = 0
                }
                PlainAccess.write(self)
                if tryRelease(.owned, mayBias: !isForOthers) { return }
                takeAll(into: address)
            }
        }

        /// Runs this thread's own nodes until one of another thread comes first. Then it leaves the rest to other threads.
        /// Called by the strand's owner.
        private func drainOwn() {
            let token = ThreadState.current.token
            let address = stateAddress
            while true {
                while let sender = nextSender(in: address) {
                    guard sender == token else {
                        offer()
                        return
                    }
                    guard let node = nextTaken(in: address) else { break }
                    node.run(node)
                    address.pointee.countDelivery()
                    giveBack(node.permits)
                }
                PlainAccess.write(self)
                if tryRelease(.owned) { return }
                takeAll(into: address)
            }
        }

        /// The sender of the oldest node that was taken but not run.
        private func nextSender(in address: PermitStateAddress) -> UInt64? {
            unsafe address.pointee.taken?._withUnsafeGuaranteedRef { $0.sender }
        }

        /// The oldest node that was taken but not run.
        private func nextTaken(in address: PermitStateAddress) -> StrandNode? {
            guard let oldest = unsafe address.pointee.taken?.takeRetainedValue() else { return nil }
            PlainAccess.read(oldest)
            unsafe address.pointee.taken = oldest.next
            // Another thread has written the next one: its cache lines are fetched while this one runs.
            if let next = oldest.next { unsafe StrandNode.prefetch(next.toOpaque()) }
            return oldest
        }

        /// Takes all pushed nodes and puts them in FIFO order.
        private func takeAll(into address: PermitStateAddress) {
            // acquire: sees the contents of the nodes. Pairs with the release in `place(_:by:)`; relaxed would let the owner
            // run a node before it is written. release: the senders continue from a word that says owned.
            let seen = StrandWord(bits: word.exchange(StrandWord.owned.bits, .acquireRelease))
            guard case .run(let newest) = seen.departing().departure else { return }
            var rest = unsafe Strand.node(at: newest)
            var taken = unsafe address.pointee.taken
            while let node = unsafe rest {
                unsafe node._withUnsafeGuaranteedRef { current in
                    PlainAccess.write(current)
                    unsafe rest = current.next
                    unsafe current.next = taken
                }
                unsafe taken = node
            }
            unsafe address.pointee.taken = taken
        }

        private static func node(at address: UInt64) -> Unmanaged<StrandNode>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
            return unsafe Unmanaged<StrandNode>.fromOpaque(pointer)
        }

        // MARK: Orphaned strands

        /// Resumes the strand after it has stopped for a permit. The strand stays owned meanwhile: senders wait when its
        /// inbox is full.
        private var resumption: Resumable {
            ResumableAction { batch in
                self.state.batchOfResumed = batch
                self.submitOrContinue(.handedOver)
            }
        }

        /// Resumes the strand after a task has stopped it.
        ///
        /// - Parameter resumption: Resumes the task, which adopts the strand. If its executor is busy, a sending thread does, or
        ///   a worker after a while. nil if the task was cancelled: then a worker adopts it.
        func resume(with batch: Batch, by resumption: (() -> Void)?) {
            state.batchOfResumed = batch
            guard let resumption else { return submitOrContinue(.handedOver) }
            abandon(.offered)
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
            guard tryAdopt() else { return }
            resume()
            let thread = ThreadState.current
            if thread.owned <= ThreadState.dueOnly { thread.helped = 0 }
        }

        /// Leaves the rest to another thread. The strand stays owned: no event can overtake.
        ///
        /// - Returns: False if the caller still owns the strand, because there is no other thread.
        private func handOver() -> Bool {
            Probe.handover(self)
            PlainAccess.write(self)
            return submit(.handedOver)
        }

        /// The same, but the next sending thread may adopt the strand too.
        private func offer() {
            Probe.handover(self)
            PlainAccess.write(self)
            submitOrContinue(.offered)
        }

        private func abandon(_ next: OrphanWord) {
            // release: publishes the owner's writes. Pairs with `tryAdopt()`. An exchange, over which the compiler moves no retain:
            // the caller then captures the strand, which another thread may release.
            _ = orphan.exchange(next, .release)
        }

        /// Lets a worker adopt the strand. If there may be no thread for a worker, a thread that sleeps for a permit adopts it.
        ///
        /// - Returns: False if the caller owns the strand again, because nobody sleeps either.
        private func submit(_ next: OrphanWord) -> Bool {
            abandon(next)
            return Worker.trySubmit(adoptAlone) || nudgeSleeper() || !tryAdopt()
        }

        /// Makes a thread that sleeps for a permit adopt the strand.
        ///
        /// - Returns: Whether there is one.
        private func nudgeSleeper() -> Bool {
            // A thread that begins to sleep after this looks for itself: the flag orders both.
            WaitGraph.flag.acquire()
            let sleeper = state.queue?.firstThread
            WaitGraph.flag.release()
            return sleeper?.nudge() ?? false
        }

        /// The same. If there is no other thread, this one continues the strand.
        private func submitOrContinue(_ next: OrphanWord) {
            if !submit(next) { resume(alone: true) }
        }

        /// Adopts the strand if it still has no thread. The calling thread has nothing else to do.
        private func adoptAlone() {
            if tryAdopt() { resume(alone: true) }
        }

        /// Adopts the strand if it has no thread.
        private func tryAdopt() -> Bool {
            // acquire: sees the last owner's writes. Pairs with `abandon(_:)`.
            orphan.update(.acquire) { $0.adopting() }.new != nil
        }

        /// Drains the strand as its owner.
        ///
        /// - Parameter isAlone: Whether this thread has nothing else to do. While other threads wait for permits, handing the
        ///   strand over would delay them: each handover takes as long as waking a thread.
        private func resume(alone isAlone: Bool = false) {
            PlainAccess.write(self)
            let thread = ThreadState.current
            thread.use(state.batchOfResumed)
            state.batchOfResumed = .none
            // As a drain: it stops where it would have to wait.
            ThreadState.withoutWaiting {
                thread.owned &+= 2
                drain(forOthers: true, alone: isAlone)
                thread.owned &-= 2
            }
        }

        /// Adopts the strand instead of sleeping, if it has no thread and this thread has not helped enough in its current
        /// send.
        override func adopt() -> Bool {
            ThreadState.current.helped < Strand.helpingBound && adoptWhenNudged()
        }

        @discardableResult
        override func adoptWhenNudged() -> Bool {
            guard tryAdopt() else { return false }
            Probe.adopt(self)
            resume()
            return true
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
