#if !NaiveLocks
    /// Who waits for what, in the whole process, and the flag that guards it.
    ///
    /// A thread that is about to sleep, or a drain that is about to stop, first records what it waits for. Then it follows
    /// the chain from there: permits → what their drain has stopped on → … → the scheduler that delivers → what the thread
    /// that runs it waits for → …. A node has one edge, so the walk is short. If the walk returns to its start, the caller
    /// closes a cycle. It doesn't wait; it takes a permit beyond the bound.
    ///
    /// There is one flag for all: edges appear and disappear together with queue entries, so each cycle seen is real. The
    /// flag is held for some hundred nanoseconds when a thread is about to sleep or is woken, never on the path of a value
    /// that finds a permit. No user code runs under it.
    enum WaitGraph {
        // Atomic; never freed.
        private nonisolated(unsafe) static let word: UnsafeMutablePointer<UInt64> = {
            let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
            unsafe word.initialize(to: 0)
            return unsafe word
        }()

        static var flag: OwnerFlag { unsafe OwnerFlag(AtomicWord(word)) }

        enum Step {
            case permits(Permits)
            /// The asking thread.
            case `self`
            case end
        }

        /// Whether a wait for `permits` would wait for itself. Called with the flag held.
        ///
        /// - Parameters:
        ///   - own: What the drain returns, if a drain is to stop.
        ///   - context: What the thread runs, if a thread is to sleep.
        static func wouldWaitForItself(on permits: Permits, owning own: Permits?, in context: SerialContext?) -> Bool {
            var node = permits
            // An impossible cycle that existed before must not hold the flag for ever.
            for _ in 0..<10_000 {
                if node === own { return true }
                switch node.next(for: context) {
                case .permits(let next): node = next
                case .self: return true
                case .end: return false
                }
            }
            return false
        }
    }

    /// The queue of one ``Permits``. Guarded by the flag of ``WaitGraph``.
    final class WaitQueue {
        private var first: Waiter?
        private var last: Waiter?

        /// How many permits the served waiters may still take out of order.
        private var promised: UInt64 = 0

        /// The number of deliveries at the last change seen, its time, and how many extra capacities were admitted since
        /// then.
        private var mark: UInt64 = .max
        private var since: UInt64 = 0
        private var extra: UInt64 = 0

        /// Whether no stall check is scheduled.
        private var needsWatch = true

        /// The current bound.
        private func bound(of permits: Permits) -> UInt64 {
            if extra == 0 || permits.progress.load(.relaxed) != mark { return permits.capacity }
            let (product, overflow) = permits.capacity.multipliedReportingOverflow(by: extra + 1)
            return overflow ? .max : product
        }

        var count: Int {
            var count = 0
            var next = first
            while let waiter = next {
                count += 1
                next = waiter.next
            }
            return count
        }

        // MARK: Joining

        func add(_ waiter: Waiter, owning own: Permits?, _ granted: inout Waiter.List, of permits: Permits) -> Bool {
            let context = waiter.drain == nil ? SerialContext.current : nil
            guard mustWait(waiter, owning: own, in: context, for: permits) else { return false }
            // The thread has used its last batch, or doesn't need it any more.
            promised -= min(promised, ThreadState.current.returnBatch(of: permits))
            unsafe own?.blockedOn = Unmanaged.passUnretained(permits)
            waiter.block(context, on: permits)
            append(waiter)
            // sequential: this exchange and the loads in `handOut(_:of:all:)`, against the subtraction and the load in
            // `giveBack(_:)`. One side sees the other. Also against the exchange in `close()`.
            let limit = permits.limit.exchange(0, .sequential)
            Turns.join(waiter, permits)
            if limit == .max {
                permits.limit.store(.max, .relaxed)
                grantAll(&granted, of: permits)
            } else {
                handOut(&granted, of: permits)
            }
            return true
        }

        /// Whether a waiter has to wait. If not, it has its permit: within the bound, or beyond it because it would wait for
        /// itself.
        func mustWait(
            _ waiter: Waiter, owning own: Permits?, in context: SerialContext?, for permits: Permits
        ) -> Bool {
            // Closed, or unbounded from the start.
            let hasEnd = permits.limit.load(.relaxed) == .max || own?.mayStop == false
            // There is no waiter, and it fits: permits were returned meanwhile.
            if !hasEnd, first == nil, fits(waiter, permits) { return false }
            if !hasEnd {
                guard WaitGraph.wouldWaitForItself(on: permits, owning: own, in: context) else { return true }
                permits.beyond.fetchAdd(1, .relaxed)
                Probe.beyond(permits)
            }
            if waiter.takesPlace { permits.used.fetchAdd(1, .relaxed) }
            return false
        }

        /// Whether it is within the bound. Takes its permit, if it has none.
        private func fits(_ waiter: Waiter, _ permits: Permits) -> Bool {
            let bound = bound(of: permits)
            if !waiter.takesPlace { return permits.used.load(.relaxed) <= bound }
            // Not guarded by the flag: while there is no waiter, other threads take permits without it.
            return permits.used.update(.relaxed) { (seen: UInt64) in seen < bound ? seen + 1 : nil }.new != nil
        }

        private func append(_ waiter: Waiter) {
            if let last { last.next = waiter } else { first = waiter }
            last = waiter
        }

        // MARK: Handing out

        /// Gives permits to the oldest waiters.
        ///
        /// - Parameter all: Whether to hand out all free permits, even less than a batch, and ignore the promised ones.
        func handOut(_ granted: inout Waiter.List, of permits: Permits, all: Bool = false) {
            let bound = bound(of: permits)
            while let waiter = first {
                let batch = waiter.takesBatch ? permits.batch : 1
                // sequential: see `add(_:owning:_:of:)`.
                let used = permits.used.load(.sequential)
                if all || used <= bound / 2 { promised = 0 }
                let free = Int64(clamping: bound) - Int64(used) - Int64(promised)
                let own: Int64 = waiter.takesPlace ? 1 : 0
                if free < (all || used == 0 ? own : own + Int64(batch) - 1) { break }
                // Threads that have a batch take permits without the flag.
                if waiter.takesPlace, !permits.used.compareExchange(used, used + 1, .relaxed).won { continue }
                waiter.batch = Batch(batch - 1, of: permits)
                promised += batch - 1
                first = waiter.next
                if first == nil { last = nil }
                Turns.serve(waiter, permits)
                granted.add(waiter)
            }
            if first == nil { permits.raiseLimit() }
        }

        /// Resumes all waiters.
        func grantAll(_ granted: inout Waiter.List, of permits: Permits) {
            while let waiter = first {
                first = waiter.next
                Turns.leave(waiter, permits)
                granted.add(waiter)
            }
            last = nil
        }

        /// Resumes the drain that returns `own`.
        func grant(_ own: Permits, _ granted: inout Waiter.List, of permits: Permits) {
            guard let waiter = takeOut(of: permits, where: { $0.own === own }) else { return }
            granted.add(waiter)
        }

        /// Removes a cancelled task, and serves waiters behind it for which there are permits.
        ///
        /// - Returns: Whether it was still waiting.
        func remove(_ task: Waiter, _ granted: inout Waiter.List, of permits: Permits) -> Bool {
            guard takeOut(of: permits, where: { $0 === task }) != nil else { return false }
            handOut(&granted, of: permits)
            return true
        }

        private func takeOut(of permits: Permits, where isWanted: (Waiter) -> Bool) -> Waiter? {
            var before: Waiter?
            var next = first
            while let waiter = next, !isWanted(waiter) {
                before = waiter
                next = waiter.next
            }
            guard let waiter = next else { return nil }
            if let before { before.next = waiter.next } else { first = waiter.next }
            if last === waiter { last = before }
            if first == nil { permits.raiseLimit() }
            waiter.next = nil
            Turns.leave(waiter, permits)
            return waiter
        }

        // MARK: Stalls

        /// The time of the first stall check; nil if one is scheduled already.
        func firstLook(of permits: Permits) -> UInt64? {
            guard needsWatch, first != nil else { return nil }
            needsWatch = false
            let delivered = permits.progress.load(.relaxed)
            if delivered != mark {
                mark = delivered
                since = MonotonicTime.now
                extra = 0
            }
            return nextLook(of: permits)
        }

        /// The interval of the checks. Without a stall timeout, permits that are too few for a batch are handed out at this
        /// interval.
        private func period(of permits: Permits) -> UInt64 {
            permits.stallTimeout == .max ? 100_000_000 : max(1, permits.stallTimeout)
        }

        private func nextLook(of permits: Permits) -> UInt64 {
            let (span, overflow) = period(of: permits).multipliedReportingOverflow(by: extra + 1)
            let (time, late) = since.addingReportingOverflow(span)
            return overflow || late ? .max : time
        }

        func look(at now: UInt64, _ granted: inout Waiter.List, of permits: Permits) -> UInt64? {
            guard first != nil else {
                needsWatch = true
                return nil
            }
            let delivered = permits.progress.load(.relaxed)
            if delivered != mark {
                mark = delivered
                since = now
                extra = 0
            } else {
                let stalled = (now - min(now, since)) / period(of: permits)
                if permits.stallTimeout == .max {
                    since = now
                } else if stalled > extra {
                    extra = stalled
                    Probe.stall(permits)
                }
                handOut(&granted, of: permits, all: true)
            }
            if first == nil {
                needsWatch = true
                return nil
            }
            return nextLook(of: permits)
        }
    }

    /// How many permits may be taken out of order.
    @usableFromInline
    struct Batch: Sendable {
        /// The address of the permits. It may be reused by other permits, which then lose a little of their order.
        @usableFromInline let owner: UInt64
        @usableFromInline let count: UInt64

        @inlinable static var none: Batch { Batch(owner: 0, count: 0) }

        @inlinable
        init(owner: UInt64, count: UInt64) {
            self.owner = owner
            self.count = count
        }

        init(_ count: UInt64, of permits: Permits) {
            self.init(owner: Batch.address(of: permits), count: count)
        }

        static func address(of permits: Permits) -> UInt64 {
            unsafe UInt64(UInt(bitPattern: Unmanaged.passUnretained(permits).toOpaque()))
        }
    }

    /// A thread or a drain in a ``WaitQueue``.
    @safe class Waiter: @unchecked Sendable {  // Atomic word; the rest is guarded by the graph's flag.
        /// 0 while it waits, 1 after it has been served.
        private final var stateStorage: UInt64 = 0

        fileprivate(set) final var next: Waiter?

        /// Whether it requests a permit. Otherwise it has one beyond the bound and waits until the bound is met.
        final let takesPlace: Bool

        /// Whether it holds a value beyond the bound. The statistics count such a value as held by its sender.
        private final let holdsValue: Bool

        /// What is resumed; nil for a thread. Owned by the serving thread after it left the queue.
        private(set) final var drain: Resumable?

        /// The permits that the drain returns.
        final let own: Permits?

        /// The permits that it may take out of order. Written before it is served.
        fileprivate(set) final var batch = Batch.none

        /// What the waiting thread runs.
        private final var context: SerialContext?

        init(takesPlace: Bool) {
            self.takesPlace = takesPlace
            holdsValue = !takesPlace
            drain = nil
            own = nil
            assert(state.isStored(in: &stateStorage))
        }

        init(resuming drain: Resumable, of own: Permits?, holdsValue: Bool) {
            takesPlace = false
            self.holdsValue = holdsValue
            self.drain = drain
            self.own = own
        }

        /// A task that requests a permit.
        init(resuming task: TaskWaiter) {
            takesPlace = true
            holdsValue = false
            drain = task
            own = nil
        }

        /// Whether it gets a batch. A task gets none, because it may resume on any thread.
        fileprivate final var takesBatch: Bool { drain == nil || !takesPlace }

        private final var state: AtomicWord { AtomicWord(of: self) }

        // acquire: sees the writes before it, and the batch. Pairs with `serve()`.
        final var isGranted: Bool { state.load(.acquire) != 0 }

        final func blockingWaitUntilGranted() { state.blockingWait(while: 0) }

        /// The statistics that count its held value.
        private final var statistics: BufferStatistics?

        /// Starts waiting: adds its edges.
        final func block(_ context: SerialContext?, on permits: Permits) {
            self.context = context
            if holdsValue {
                statistics = permits.statistics
                statistics?.hold()
            }
            var outer = context
            while let current = outer {
                unsafe current.blockedOn = Unmanaged.passUnretained(permits)
                outer = current.outer
            }
        }

        /// Stops waiting: removes its edges.
        fileprivate final func unblock() {
            statistics?.release()
            own?.blockedOn = nil
            var outer = context
            while let current = outer {
                current.blockedOn = nil
                outer = current.outer
            }
        }

        fileprivate final func serve() {
            // Released: a task refers to its waiter.
            if let drain = drain.take() {
                drain.resume(with: batch)
            } else {
                // release: publishes the writes made before the permits were returned.
                state.store(1, .release)
                state.wake(1)
            }
        }

        /// The waiters served under the flag. They are woken after it is released.
        struct List {
            private var first: Waiter?
            private var last: Waiter?

            /// Called with the flag held.
            mutating func add(_ waiter: Waiter) {
                waiter.unblock()
                waiter.next = nil
                if let last { last.next = waiter } else { first = waiter }
                last = waiter
            }

            /// - Parameter caller: The calling waiter, which isn't woken.
            consuming func wake(but caller: Waiter? = nil) {
                if first == nil { return }
                // Resuming a drain schedules it, and must not wait for capacity in a ring.
                ThreadState.beginHolding()
                defer { ThreadState.endHolding() }
                var rest = first
                while let waiter = rest {
                    // Read first: a thread that has been served may already be gone.
                    rest = waiter.next
                    waiter.next = nil
                    if waiter !== caller { waiter.serve() }
                }
            }
        }
    }
#endif
