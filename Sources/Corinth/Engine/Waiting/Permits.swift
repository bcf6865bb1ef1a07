#if !NaiveLocks
    internal import CCorinth

    /// Permits of a buffer and a first-come, first-served queue of waiters.
    ///
    /// Inboxes, mailboxes, and the operators that hold values for a scheduler count their elements here. There are two ways
    /// to take a permit:
    /// - A thread that owns no strand takes a permit before it queues an element. It sleeps until one is free:
    ///   ``blockingTake()``.
    /// - A strand's owner never waits. It queues its element, even beyond the bound, and the wait is *deferred*. A sending
    ///   thread waits after it has left its last strand: ``blockingWaitForBound()``. A drain stops, ``stop(_:owning:)``, and
    ///   is resumed in FIFO order.
    ///
    /// With no waiter, taking a free permit is one atomic operation. With a waiter, ``limit`` is 0, and every thread that
    /// comes joins the queue. Returned permits go to the oldest waiters, and exactly these are woken. Each gets a small batch
    /// of permits that it may take out of order, so that not every event costs a context switch. Handing out in order follows
    /// tokio's batch semaphore.
    ///
    /// The permits of a ``Mailbox`` are counted without a word that both sides write: ``used`` is how many elements were ever
    /// posted, and ``progress`` how many were delivered. Only the posting side writes the first, only the draining side the
    /// second.
    ///
    /// Two cases admit more than `capacity`; both are counted:
    /// - ``WaitGraph`` finds a thread or drain that would wait for itself. It takes a permit beyond the bound.
    /// - Each time that the stall timeout passes without a delivery, one more `capacity` is admitted, until the next
    ///   delivery.
    @usableFromInline
    @safe class Permits: @unchecked Sendable {  // Atomic words; the rest is guarded by the graph's flag.
        /// The address of the ``PermitState``; 0 until it is made. Only a strand with the usual capacity makes it late.
        @usableFromInline final let lazyState: LazyAddress

        /// - Parameters:
        ///   - capacity: The number of permits.
        ///   - stallTimeout: In nanoseconds; `.max` for never.
        ///   - server: The context whose work returns permits, if known.
        ///   - countsPosts: Whether these are the permits of a mailbox.
        @usableFromInline
        init(
            capacity: UInt64, stallTimeout: UInt64, servedBy server: SerialContext? = nil, countsPosts: Bool = false
        ) {
            let state = PermitState.make(
                capacity: capacity, stallTimeout: stallTimeout, servedBy: server, countsPosts: countsPosts)
            lazyState = LazyAddress(state.bits)
        }

        /// The permits of a strand. The usual ones are made when they are first needed.
        init(ofStrandWith capacity: Int, stallTimeout: UInt64) {
            var isLazy = capacity == Strand.defaultCapacity && stallTimeout == Strand.defaultStallTimeout
            #if Exploration
                isLazy = false
            #endif
            lazyState = LazyAddress(isLazy ? 0 : Permits.stateOfStrand(capacity, stallTimeout))
        }

        /// The permits of a mailbox, or of an operator that holds values for a scheduler. Unbounded if `bound` is nil.
        @usableFromInline
        convenience init(_ bound: MailboxBound?, servedBy server: SerialContext?, countsPosts: Bool = false) {
            // With a stall timeout of 0 no thread ever waits, so there is no bound.
            let isBounded = bound.map { $0.stallTimeout > 0 } ?? false
            self.init(
                capacity: isBounded ? bound.map { UInt64($0.capacity) } ?? .max : .max,
                stallTimeout: bound?.stallTimeout ?? .max, servedBy: server, countsPosts: countsPosts)
        }

        deinit {
            let bits = lazyState.known
            guard bits != 0 else { return }
            // Otherwise a drain that has stopped on this is never resumed.
            if state.node.hasQueueAtEnd { releaseAll(atEnd: true) }
            PermitState.free(PermitStateAddress(bits: bits))
        }

        /// What these permits write. Each use looks up the address.
        @inlinable
        final var state: PermitState {
            @inline(__always) unsafeAddress { unsafe UnsafePointer(stateAddress.pointer) }
            @inline(__always) unsafeMutableAddress { unsafe stateAddress.pointer }
        }

        @inlinable @inline(__always)
        final var stateAddress: PermitStateAddress {
            let known = knownAddress
            return PermitStateAddress(bits: known == 0 ? makeState() : known)
        }

        /// The address of the state; 0 until it is made.
        @inlinable @inline(__always)
        final var knownAddress: UInt64 {
            #if Exploration
                // Made by the initialiser: each look would multiply the schedules.
                unsafe lazyState.word.address.pointee
            #else
                lazyState.known
            #endif
        }

        @usableFromInline
        @inline(never)
        final func makeState() -> UInt64 {
            lazyState.get {
                Permits.stateOfStrand(Strand.defaultCapacity, Strand.defaultStallTimeout)
            } orFree: {
                PermitState.free(PermitStateAddress(bits: $0))
            }
        }

        private static func stateOfStrand(_ capacity: Int, _ stallTimeout: UInt64) -> UInt64 {
            // With a smaller inbox, a thread may have to wait although there is little load.
            PermitState.make(capacity: UInt64(capacity), stallTimeout: stallTimeout, isLarge: capacity >= 1_024).bits
        }

        /// Counts the queued elements, if statistics were requested. Written before this is published.
        @usableFromInline final var statistics: BufferStatistics? {
            get { state.statistics }
            set { state.statistics = newValue }
        }

        // MARK: Taking, by the owner of a strand

        /// Takes a permit, even beyond the bound. In that case the wait is deferred.
        @inlinable
        final func take() {
            let address = stateAddress
            // relaxed: a count. Other operations publish the elements.
            if address.pointee.used.fetchAdd(1, .relaxed) >= address.pointee.limit.load(.relaxed) { overfill() }
        }

        /// The slow path of taking: the permit is taken and ``limit`` was reached. The thread waits as soon as it can.
        @usableFromInline
        @inline(never)
        final func overfill() {
            let thread = ThreadState.current
            Turns.pass(stateAddress)
            // relaxed: a count.
            if state.limit.load(.relaxed) == .max { return }
            if thread.takeFromBatch(of: self), state.taken(.relaxed) <= state.capacity { return }
            thread.deferWait(for: self)
        }

        /// Takes a permit if one is free and there is no waiter.
        @usableFromInline
        final func tryTake() -> Bool {
            let address = stateAddress
            // relaxed: counts. The push publishes the element. The limit is 0 while there is a waiter.
            let isTaken =
                address.pointee.used.update(.relaxed) { (seen: UInt64) in
                    seen < address.pointee.limit.load(.relaxed) ? seen + 1 : nil
                }.new != nil
            if isTaken { Turns.pass(stateAddress) }
            return isTaken
        }

        /// Whether half of the permits are taken, or there is a waiter.
        // relaxed: counts.
        final var isHalfTaken: Bool { state.used.load(.relaxed) >= state.limit.load(.relaxed) / 2 }

        /// Takes permits if they are free and there is no waiter, or of this thread's batch.
        final func tryTakeMore(_ count: UInt64) -> Bool {
            let thread = ThreadState.current
            let address = stateAddress
            var isOfBatch = false
            // relaxed: counts, as in `blockingTake()`.
            let isTaken =
                address.pointee.used.update(.relaxed) { (seen: UInt64) in
                    let limit = address.pointee.limit.load(.relaxed)
                    isOfBatch = limit == 0 && thread.batch.mayQueue(count) && thread.batch.belongs(to: address)
                    return seen &+ count <= (isOfBatch ? address.pointee.capacity : limit) ? seen &+ count : nil
                }.new != nil
            if isTaken {
                if isOfBatch { thread.takeFromBatch(count) }
                Turns.pass(address)
            }
            return isTaken
        }

        // MARK: Counting elements stored elsewhere

        /// Counts an element before it is stored. The caller then calls ``waitIfBeyondBound(outside:)``.
        @inlinable
        final func enter() {
            // relaxed: as in `take()`.
            state.used.fetchAdd(1, .relaxed)
        }

        /// Counts elements that are no longer stored.
        @inlinable
        final func leave(_ count: Int = 1) {
            if count == 0 { return }
            countDelivery()
            giveBack(UInt64(count))
        }

        /// If the bound is exceeded, waits for a permit as soon as possible.
        ///
        /// - Parameter strand: The strand that delivers the elements. This thread may own it.
        @inlinable
        final func waitIfBeyondBound(outside strand: Strand) {
            // relaxed: counts.
            if state.used.load(.relaxed) > state.limit.load(.relaxed) {
                overfill()
                Strand.waitForDeferred()
            }
        }

        // MARK: Returning

        /// Counts a delivery. Called by the delivering side.
        @inlinable @inline(__always)
        final func countDelivery() {
            state.countDelivery()
        }

        /// Returns permits and hands them to waiters.
        ///
        /// - Returns: How many are still taken.
        @inlinable @inline(__always)
        @discardableResult
        final func giveBack(_ count: UInt64) -> UInt64 {
            // release: this side is done with the elements. acquire: the thread that returns the last permit sees that.
            // sequential: with the next load, against the exchange and the loads in `WaitQueue.add(_:_:)`. One side
            // sees the other; otherwise a thread could wait beside a free permit.
            let address = stateAddress
            let left = address.pointee.used.fetchSubtract(count, .sequential) &- count
            if address.pointee.limit.load(.sequential) == 0 { handOut() }
            return left
        }

        /// Hands the permits of elements that were delivered to waiters.
        @inlinable @inline(__always)
        final func handOutIfAwaited() {
            // Against the heavy barrier in `WaitQueue.add(_:_:)`: either this thread sees that there is a waiter, or the
            // waiter sees what was delivered. Otherwise a thread could wait beside a free permit.
            AsymmetricBarrier.light()
            // relaxed: the barrier orders it.
            if state.limit.load(.relaxed) == 0 { handOut() }
        }

        /// Hands free permits to waiters.
        @usableFromInline
        @inline(never)
        final func handOut() {
            // relaxed: a hint, and a count. A thread that returns permits later hands them out itself.
            // sequential: see `WaitQueue.handing`.
            switch state.handing.load(.sequential) {
            case .batches: if state.taken(.relaxed) > state.capacity - state.batch + 1 { return }
            case .all: break
            case .leaders: if state.taken(.relaxed) > state.mostTakenForLeader { return }
            case .none: return
            }
            var graph = WaitGraph.acquire()
            graph.queue(of: stateAddress)?.handOut(&graph)
            graph.release()
        }

        // MARK: Waiting

        /// Takes a permit, in FIFO order. The calling thread owns no strand.
        final func blockingTake() {
            let thread = ThreadState.current
            // Looked up once: another cache line between a load of the count and its change would make the change fail more
            // often.
            let address = stateAddress
            var spins = 0
            var seen = address.pointee.used.load(.relaxed)
            while true {
                let limit = address.pointee.limit.load(.relaxed)
                if seen < limit || limit == 0 && seen < address.pointee.capacity && thread.takeFromBatch(of: self) {
                    // relaxed: a count. The push publishes the element.
                    let result = address.pointee.used.compareExchange(seen, seen + 1, .relaxed)
                    if result.won { return Turns.pass(stateAddress) }
                    seen = result.seen
                } else if limit == 0 || spins >= Permits.spinLimit {
                    return blockingWait(ThreadWaiter(takesPermit: true))
                } else {
                    address.pointee.used.spin(iteration: spins)
                    spins += 1
                    seen = address.pointee.used.load(.relaxed)
                }
            }
        }

        /// Waits, in FIFO order, until the permits taken by this thread are within the bound. The calling thread owns no
        /// strand.
        final func blockingWaitForBound() {
            // relaxed: counts. A thread that sees old values joins the queue and checks again there.
            if state.taken(.relaxed) <= state.limit.load(.relaxed) { return }
            if state.server?.isCurrent == true {
                noteExcess(depth: state.taken(.relaxed), capacity: state.capacity)
                return
            }
            blockingWait(ThreadWaiter(takesPermit: false))
        }

        /// The calling thread exceeds the bound, because it would wait for itself.
        ///
        /// - Parameters:
        ///   - depth: How many elements are queued.
        ///   - capacity: The bound.
        final func noteExcess(depth: @autoclosure () -> UInt64, capacity: UInt64) {
            let subject = unsafe Probe.address(of: self)
            unsafe Probe.beyond(subject)
            // relaxed: a count.
            state.excesses.fetchAdd(1, .relaxed)
            unsafe BrokenBounds.note(
                .beyond, of: subject, queue: stateAddress.bits, depth: depth(), capacity: capacity)
        }

        /// How many threads, drains and tasks are in the queue, for tests.
        final var waiterCount: Int {
            let graph = WaitGraph.acquire()
            let count = graph.queue(of: stateAddress)?.count ?? 0
            graph.release()
            return count
        }

        func blockingWait(_ waiter: ThreadWaiter) {
            guard join(waiter) == .waiting else { return }
            Probe.wait(self)
            while true {
                let event = waiter.takeEvent()
                if event.isNudged { adoptWhenNudged() }
                if event.isServed { break }
                if !event.isNudged, !adopt() { waiter.blockingWait() }
            }
            let thread = ThreadState.current
            thread.use(waiter.batch)
            if waiter.batch.isTerm { noteLeader(thread) }
        }

        /// Does the work that frees permits, if no thread does it. Returns false if there is none.
        func adopt() -> Bool { false }

        /// The same for a thread that was woken for it, because there is no other one.
        @discardableResult
        func adoptWhenNudged() -> Bool { false }

        /// Stops a drain until the permits that it has taken are within the bound. It is resumed on any thread.
        ///
        /// - Parameters:
        ///   - own: The permits that the drain returns. Other threads wait for them while it is stopped.
        ///   - holdsValue: Whether the value beyond the bound belongs to the drain. Otherwise it belongs to a thread that
        ///     waits too.
        /// - Returns: Whether it stops. If false, it continues.
        @usableFromInline
        @inline(never)
        final func stop(_ drain: Resumable, owning own: Permits?, holdsValue: Bool = true) -> Bool {
            if self === own { return false }
            return join(DrainWaiter(resuming: drain, owning: own, holdsValue: holdsValue)) == .waiting
        }

        /// Stops the strand of a task until the permits that the task has taken are within the bound.
        final func stop(_ task: StoppingTask) -> Bool { self !== task.own && join(task) == .waiting }

        /// Whether a drain would have to stop. If it would wait for itself, it takes its permits beyond the bound.
        ///
        /// - Parameter own: The permits that the drain returns.
        final func isFull(owning own: Permits?) -> Bool {
            if self === own {
                // It would wait for itself. relaxed: counts; closed permits have no bound.
                let taken = state.taken(.relaxed)
                if taken > state.capacity, state.limit.load(.relaxed) != .max {
                    noteExcess(depth: taken, capacity: state.capacity)
                }
                return false
            }
            let graph = WaitGraph.acquire()
            let isFull = waiters(in: graph).mustWait(Waiter(takesPermit: false, owning: own), graph)
            graph.release()
            return isFull
        }

        enum Joining {
            /// The request was granted at once.
            case granted
            /// It is in the queue, or has already left it: served or closed.
            case waiting
            /// It was cancelled before, and isn't in the queue.
            case cancelled
        }

        /// Appends a waiter to the queue, unless its request is granted at once.
        final func join(_ waiter: Waiter) -> Joining {
            var joining = Joining.granted
            var firstLook: UInt64?
            var graph = WaitGraph.acquire()
            let waiters = waiters(in: graph)
            if waiter.isCancelled {
                joining = .cancelled
            } else if waiters.add(waiter, &graph) {
                joining = .waiting
                firstLook = waiters.firstLook(in: graph)
                graph.asksPool = graph.waitsForTask(on: stateAddress)
            }
            graph.release()
            if let firstLook { ProgressThread.watch(waiters, from: firstLook) }
            return joining
        }

        /// The queue, made on first use.
        private final func waiters(in graph: borrowing WaitGraph.Held) -> WaitQueue {
            if let known = graph.queue(of: stateAddress) { return known }
            let made = WaitQueue(of: self)
            graph.use(made, for: stateAddress)
            return made
        }

        /// How often a thread spins for a permit before it joins the queue.
        private static var spinLimit: Int {
            #if Exploration
                Explorer.limit(.spinning, usually: 32)
            #else
                32
            #endif
        }

        // MARK: The end

        /// Removes the bound and resumes all waiters, after the stream has ended. The delivering side drops their elements.
        @usableFromInline
        final func close() {
            // sequential: against the exchange in `WaitQueue.add(_:_:)`. Either this exchange sees the waiter, or
            // the waiter sees that there is no bound any more.
            if state.limit.exchange(.max, .sequential) == 0 { releaseAll() }
        }

        @inline(never)
        private func releaseAll(atEnd: Bool = false) {
            var graph = WaitGraph.acquire()
            if let queue = graph.queue(of: stateAddress) {
                if atEnd { queue.endChecks(in: graph) }
                queue.grantAll(&graph)
            }
            graph.release()
        }

        /// Removes the bound, resumes all waiters, and resumes the drain that returns these permits, which never stops again: all
        /// elements will be dropped.
        @usableFromInline
        @inline(never)
        final func endWaits() {
            // relaxed: a hint to those who queue. The delivering side drops what it gets.
            state.over.store(1, .relaxed)
            close()
            var graph = WaitGraph.acquire()
            graph.forbidStop(of: self)
            if let blocker = graph.blocker(of: stateAddress) { graph.queue(of: blocker)?.grant(self, &graph) }
            graph.release()
        }
    }
#endif
