#if !NaiveLocks
    internal import CCorinth

    /// Places for what waits to be delivered, and a first-come, first-served queue of those who wait for a place.
    ///
    /// Inboxes, mailboxes, and the operators that hold values for a scheduler count their places here. There are two ways to
    /// take one:
    /// - A thread that owns no strand takes a place before it queues what it sends, and sleeps until there is one:
    ///   ``blockingTake()``.
    /// - Who owns a strand never waits. It queues its element, past the bound if need be, and the wait is *deferred*: a thread
    ///   of the user's waits when it has left its last strand, ``blockingWaitForPlace()``; a drain stops,
    ///   ``stop(_:owning:)``, and is resumed in its turn.
    ///
    /// Taking a free place is one atomic operation as long as nobody waits. While somebody does, ``limit`` is 0: whoever comes
    /// then joins the queue. Who gives places back hands them to those who wait longest, and wakes exactly those. Each gets a
    /// small batch, which it may take out of turn, so that there isn't a context switch for each event. The idea of handing
    /// out in order is that of tokio's batch semaphore.
    ///
    /// Two things admit more than `capacity`, and both are counted:
    /// - What would wait for itself is found by ``WaitGraph`` and takes a place beyond the bound.
    /// - Each time that the stall timeout passes without a delivery, one more `capacity` is admitted, until there is one.
    @usableFromInline
    @safe class Permits: @unchecked Sendable {  // Atomic words, and what the flag of the graph guards.
        // What those who take and give back write; what is rarely written; and, on another cache line, what the delivering
        // side writes for each element. The offsets are those of the words below.
        @usableFromInline final var usedStorage: UInt64 = 0
        @usableFromInline final var limitStorage: UInt64
        private final var beyondStorage: UInt64 = 0

        /// How many places there are; `.max` if there is no bound.
        @usableFromInline final let capacity: UInt64

        /// How long nothing may be delivered until one more capacity is admitted, in nanoseconds; `.max` if never is.
        final let stallTimeout: UInt64

        /// What has to run so that places become free, if that is known.
        private final let server: SerialContext?

        /// What the side that gives places back has stopped on. Guarded by the flag of ``WaitGraph``, as what follows. Not
        /// retained: what goes away resumes those who have stopped on it.
        @safe @exclusivity(unchecked)
        final var blockedOn: Unmanaged<Permits>?

        /// Whether the side that gives places back stops where it has to wait.
        @safe @exclusivity(unchecked)
        final var mayStop = true

        /// Where what waits is counted, if anybody asked for that. Written before others know of this.
        @safe @exclusivity(unchecked)
        @usableFromInline final var statistics: BufferStatistics?

        /// Who waits, once somebody has.
        @safe @exclusivity(unchecked)
        final var queue: WaitQueue?

        @usableFromInline final var progressStorage: UInt64 = 0

        /// - Parameters:
        ///   - capacity: How many places there are.
        ///   - stallTimeout: In nanoseconds; `.max` for never.
        ///   - server: What has to run so that places become free, if that is known.
        @usableFromInline
        init(capacity: UInt64, stallTimeout: UInt64, servedBy server: SerialContext? = nil) {
            self.capacity = capacity
            self.stallTimeout = stallTimeout
            self.server = server
            limitStorage = capacity
            blockedOn = nil
        }

        /// Those of a mailbox, or of an operator that holds values for a scheduler. Without a bound, if there is none.
        @usableFromInline
        convenience init(_ bound: MailboxBound?, servedBy server: SerialContext?) {
            // Where nobody waits for any time, there is no bound.
            let isBounded = bound.map { $0.stallTimeout > 0 } ?? false
            self.init(
                capacity: isBounded ? bound.map { UInt64($0.capacity) } ?? .max : .max,
                stallTimeout: bound?.stallTimeout ?? .max, servedBy: server)
        }

        deinit {
            // Whoever has stopped on this would never be resumed.
            if queue != nil { releaseAll() }
        }

        /// How many places are taken, those beyond the bound included.
        @inlinable @inline(__always)
        final var used: AtomicWord { AtomicWord(of: self) }

        /// From how many taken places on whoever takes one looks closer: the capacity; 0 while somebody waits; `.max` if there
        /// is no bound, or no more.
        @inlinable @inline(__always)
        final var limit: AtomicWord { AtomicWord(of: self, at: 8) }

        /// Nobody waits any more.
        final func raiseLimit() {
            // relaxed: whoever reads the old one looks closer, and finds that nobody waits. Fails when this was closed.
            _ = limit.compareExchange(0, capacity, .relaxed)
        }

        /// How many places beyond the bound were taken because of a cycle.
        final var beyond: AtomicWord { AtomicWord(of: self, at: 16) }

        /// How much has been delivered. Written by the delivering side.
        @inlinable @inline(__always)
        final var progress: AtomicWord { AtomicWord(of: self, at: 80) }

        /// How many places a waiter gets at once.
        final var batch: UInt64 { max(1, min(64, capacity / 4)) }

        // MARK: Taking, by who owns a strand

        /// Takes a place, past the bound if need be. Then the wait is deferred.
        @inlinable
        final func take() {
            // relaxed: a count. What it counts is published by others.
            if used.fetchAdd(1, .relaxed) >= limit.load(.relaxed) { overfill() }
        }

        /// What is done by who has taken a place and found ``limit`` reached: it waits as soon as that may be.
        @usableFromInline
        @inline(never)
        final func overfill() {
            let thread = ThreadState.current
            Turns.pass(self)
            // relaxed: a count.
            if limit.load(.relaxed) == .max || thread.takeFromBatch(of: self) && used.load(.relaxed) <= capacity {
                return
            }
            thread.deferWait(for: self)
        }

        /// Takes a place, if one is free and nobody waits for one.
        @usableFromInline
        final func tryTake() -> Bool {
            // relaxed: counts. What is queued is published by the push. ``limit`` is 0 while somebody waits.
            var seen = used.load(.relaxed)
            while seen < limit.load(.relaxed) {
                let result = used.compareExchange(seen, seen + 1, .relaxed)
                if result.won {
                    Turns.pass(self)
                    return true
                }
                seen = result.seen
            }
            return false
        }

        // MARK: Counting what others store

        /// Counts one that is going to wait. Whoever does goes on to ``settle(outside:)``.
        @inlinable
        final func enter() {
            // relaxed: as in `take()`.
            used.fetchAdd(1, .relaxed)
        }

        /// Counts some that wait no more.
        @inlinable
        final func leave(_ count: Int = 1) {
            if count == 0 { return }
            countDelivery()
            giveBack(UInt64(count))
        }

        /// Waits for a place as soon as that may be, if there is none.
        ///
        /// - Parameter strand: By which elements are delivered. This thread may own it.
        @inlinable
        final func settle(outside strand: Strand) {
            // relaxed: counts.
            if used.load(.relaxed) > limit.load(.relaxed) {
                overfill()
                Strand.settle()
            }
        }

        // MARK: Giving back

        /// Counts a delivery. Called by the delivering side.
        @inlinable @inline(__always)
        final func countDelivery() {
            // relaxed: nobody else writes, and who looks at it looks again.
            progress.store(progress.load(.relaxed) &+ 1, .relaxed)
        }

        /// Gives places back, and hands them to who waits.
        ///
        /// - Returns: How many are still taken.
        @inlinable @inline(__always)
        @discardableResult
        final func giveBack(_ count: UInt64) -> UInt64 {
            // release: this side is done with what the places held. acquire: whoever takes the last one back sees that.
            // sequential: with the load after it, against the store and the load in `join(_:)`. One of the two sides sees the
            // other; else somebody could wait beside a free place.
            let left = used.fetchSubtract(count, .sequential) &- count
            if limit.load(.sequential) == 0 { handOut() }
            return left
        }

        /// Hands free places to who waits.
        @usableFromInline
        @inline(never)
        final func handOut() {
            // relaxed: a count. Whatever is given back later is handed out by who gives it back.
            if used.load(.relaxed) > capacity - batch + 1 { return }
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            queue?.handOut(&granted, of: self)
            WaitGraph.flag.release()
            granted.wake()
        }

        // MARK: Waiting

        /// Takes a place, in turn. Called by a thread that owns nothing.
        final func blockingTake() {
            let thread = ThreadState.current
            var turn = 0
            var seen = used.load(.relaxed)
            while true {
                let limit = limit.load(.relaxed)
                if seen < limit || limit == 0 && seen < capacity && thread.takeFromBatch(of: self) {
                    // relaxed: a count. What is queued is published by the push.
                    let result = used.compareExchange(seen, seen + 1, .relaxed)
                    if result.won { return Turns.pass(self) }
                    seen = result.seen
                } else if limit == 0 || turn >= Permits.spinningTurns {
                    return blockingWait(Waiter(takesPlace: true))
                } else {
                    used.spin(turn: turn)
                    turn += 1
                    seen = used.load(.relaxed)
                }
            }
        }

        /// Waits until what this thread has taken is within the bound, in turn. Called by a thread that owns nothing.
        final func blockingWaitForPlace() {
            // relaxed: counts. A thread that sees old ones joins the queue, and looks again there.
            if used.load(.relaxed) <= limit.load(.relaxed) { return }
            if server?.isCurrent == true {
                beyond.fetchAdd(1, .relaxed)
                Probe.beyond(self)
                return
            }
            blockingWait(Waiter(takesPlace: false))
        }

        private func blockingWait(_ waiter: Waiter) {
            guard join(waiter, owning: nil) else { return }
            Probe.wait(self)
            while !waiter.isGranted {
                if !adopt() { waiter.blockingWaitUntilGranted() }
            }
            ThreadState.current.use(waiter.batch)
        }

        /// Does what has to be done so that places become free, if that is up to whoever comes. False if there is nothing to do.
        func adopt() -> Bool { false }

        /// Stops a drain until what it has taken is within the bound. It is resumed on any thread.
        ///
        /// - Parameters:
        ///   - own: The permits that the drain gives back, and for which others wait while it stops.
        ///   - holdsValue: Whether the value beyond the bound is the drain's. Else it is that of a thread that waits, too.
        /// - Returns: Whether it stops. False if it is to go on.
        @usableFromInline
        @inline(never)
        final func stop(_ drain: Resumable, owning own: Permits?, holdsValue: Bool = true) -> Bool {
            if self === own { return false }
            return join(Waiter(resuming: drain, of: own, holdsValue: holdsValue), owning: own)
        }

        /// Whether a drain would have to stop. If it would wait for itself, it takes what it has beyond the bound.
        ///
        /// - Parameter own: The permits that the drain gives back.
        final func isFull(owning own: Permits?) -> Bool {
            if self === own { return false }
            WaitGraph.flag.acquire()
            defer { WaitGraph.flag.release() }
            let queue = queue ?? WaitQueue()
            self.queue = queue
            return queue.mustWait(Waiter(takesPlace: false), owning: own, in: nil, for: self)
        }

        /// Puts a waiter at the end of the queue.
        ///
        /// - Returns: Whether it has to wait. Else it has what it asks for.
        private func join(_ waiter: Waiter, owning own: Permits?) -> Bool {
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            let queue = queue ?? WaitQueue()
            self.queue = queue
            let mustWait = queue.add(waiter, owning: own, &granted, of: self)
            let firstLook = mustWait ? queue.firstLook(of: self) : nil
            WaitGraph.flag.release()
            granted.wake()
            if let firstLook { ProgressThread.watch(self, from: firstLook) }
            return mustWait
        }

        /// How many turns a thread spins for a place before it joins the queue.
        private static var spinningTurns: Int {
            #if Exploration
                Explorer.limit(.spinning, usually: 32)
            #else
                32
            #endif
        }

        // MARK: The chain of who waits for what

        /// What this waits for: the next step of the chain. Called with the flag of ``WaitGraph`` held.
        ///
        /// - Parameter contexts: What the thread runs that asks.
        final func next(for context: SerialContext?) -> WaitGraph.Step {
            // What goes away resumes who has stopped on it first: it is there.
            if let blockedOn { return .permits(unsafe blockedOn.takeUnretainedValue()) }
            var server = server
            while let current = server {
                var mine = context
                while let candidate = mine {
                    if candidate === current { return .self }
                    mine = candidate.outer
                }
                if let blockedOn = current.blockedOn { return .permits(unsafe blockedOn.takeUnretainedValue()) }
                server = current.outer
            }
            return .end
        }

        // MARK: Stalls

        /// Looks whether anything was delivered since the last time, and admits one more capacity for each stall timeout in
        /// which nothing was. Called by ``ProgressThread``.
        ///
        /// - Returns: When to look again; nil if nobody waits any more.
        final func look(at now: UInt64) -> UInt64? {
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            let next = queue?.look(at: now, &granted, of: self)
            WaitGraph.flag.release()
            granted.wake()
            return next ?? nil
        }

        // MARK: The end

        /// Takes the bound away, and has everybody go on who waits: what they have queued is dropped by who is asked to deliver
        /// it. For what has ended.
        @usableFromInline
        final func close() {
            // sequential: against the exchange in `WaitQueue.add(_:owning:_:of:)`. Either this finds that somebody waits, or that
            // one finds that there is no bound any more.
            if limit.exchange(.max, .sequential) == 0 { releaseAll() }
        }

        @inline(never)
        private func releaseAll() {
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            queue?.grantAll(&granted, of: self)
            WaitGraph.flag.release()
            granted.wake()
        }

        /// Has the drain go on that gives these places back, and doesn't let it stop any more: what it holds is dropped.
        @usableFromInline
        @inline(never)
        final func cancelStops() {
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            mayStop = false
            // It is there: what goes away resumes who has stopped on it first.
            if let obstacle = unsafe blockedOn?.takeUnretainedValue() {
                obstacle.queue?.grant(self, &granted, of: obstacle)
            }
            WaitGraph.flag.release()
            granted.wake()
        }
    }
#endif
