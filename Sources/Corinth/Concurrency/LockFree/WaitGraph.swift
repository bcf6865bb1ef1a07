#if !NaiveLocks
    /// Who waits for what, in the whole process, and the flag that guards it.
    ///
    /// A thread that is about to sleep, and a drain that is about to stop, first says what for, and then follows the chain from
    /// there: permits → what their drain has stopped on → … → the scheduler that delivers → what the thread that runs it now
    /// waits for → …. A node has one edge, so the walk is short. If it comes back to where it began, the one that closes the
    /// cycle doesn't wait: it takes a place beyond the bound.
    ///
    /// One flag for all: edges appear and go together with places in a queue, so a cycle that is seen is one. It is held for
    /// some hundred nanoseconds when somebody is about to sleep, or is woken, and never on the path of a value that finds a
    /// place. No code of the user's runs under it.
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
            /// The thread that asks.
            case `self`
            case end
        }

        /// Whether waiting for `permits` would wait for itself. Called with the flag held.
        ///
        /// - Parameters:
        ///   - own: What the drain that is to stop gives back, if it is a drain.
        ///   - context: What the thread that is to sleep runs, if it is a thread.
        static func wouldWaitForItself(on permits: Permits, owning own: Permits?, in context: SerialContext?) -> Bool {
            var node = permits
            // A cycle that was there before, and can't be one, must not keep the flag.
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

        /// How many places those who were served may still take out of turn.
        private var promised: UInt64 = 0

        /// How much had been delivered when somebody last looked, when that was, and how many more capacities were admitted since.
        private var mark: UInt64 = .max
        private var since: UInt64 = 0
        private var extra: UInt64 = 0

        /// Whether nobody looks for stalls.
        private var needsWatch = true

        /// How many places there are now.
        private func bound(of permits: Permits) -> UInt64 {
            if extra == 0 || permits.progress.load(.relaxed) != mark { return permits.capacity }
            let (product, overflow) = permits.capacity.multipliedReportingOverflow(by: extra + 1)
            return overflow ? .max : product
        }

        // MARK: Joining

        func add(_ waiter: Waiter, owning own: Permits?, _ granted: inout Waiter.List, of permits: Permits) -> Bool {
            let context = waiter.drain == nil ? SerialContext.current : nil
            guard mustWait(waiter, owning: own, in: context, for: permits) else { return false }
            // What the thread was given last time, it has used or has no use for.
            promised -= min(promised, ThreadState.current.returnBatch(of: permits))
            unsafe own?.blockedOn = Unmanaged.passUnretained(permits)
            waiter.block(context, on: permits)
            append(waiter)
            // sequential: this exchange and the loads in `handOut(_:of:)`, against the subtraction and the load in `giveBack(_:)`.
            // One of the two sides sees the other. And against the exchange in `close()`.
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

        /// Whether a waiter has to wait. Else it has its place: within the bound, or beyond it, as it would wait for itself.
        func mustWait(
            _ waiter: Waiter, owning own: Permits?, in context: SerialContext?, for permits: Permits
        ) -> Bool {
            // Closed, or without a bound from the start.
            let hasEnd = permits.limit.load(.relaxed) == .max || own?.mayStop == false
            // Nobody waits, and it fits: somebody has given places back meanwhile.
            if !hasEnd, first == nil, fits(waiter, permits) { return false }
            if !hasEnd {
                guard WaitGraph.wouldWaitForItself(on: permits, owning: own, in: context) else { return true }
                permits.beyond.fetchAdd(1, .relaxed)
                Probe.beyond(permits)
            }
            if waiter.takesPlace { permits.used.fetchAdd(1, .relaxed) }
            return false
        }

        /// Whether it is within the bound; takes its place, if it has none.
        private func fits(_ waiter: Waiter, _ permits: Permits) -> Bool {
            let bound = bound(of: permits)
            var seen = permits.used.load(.relaxed)
            if !waiter.takesPlace { return seen <= bound }
            // Not guarded by the flag: while nobody waits, others take places without it.
            while seen < bound {
                let result = permits.used.compareExchange(seen, seen + 1, .relaxed)
                if result.won { return true }
                seen = result.seen
            }
            return false
        }

        private func append(_ waiter: Waiter) {
            if let last { last.next = waiter } else { first = waiter }
            last = waiter
        }

        // MARK: Handing out

        /// Gives places to those who wait longest.
        ///
        /// - Parameter all: Whether to give what there is, however little, and whatever was promised.
        func handOut(_ granted: inout Waiter.List, of permits: Permits, all: Bool = false) {
            let bound = bound(of: permits)
            let batch = permits.batch
            while let waiter = first {
                // sequential: as said in `add(_:owning:_:of:)`.
                let used = permits.used.load(.sequential)
                if all || used <= bound / 2 { promised = 0 }
                let free = Int64(clamping: bound) - Int64(used) - Int64(promised)
                let own: Int64 = waiter.takesPlace ? 1 : 0
                if free < (all || used == 0 ? own : own + Int64(batch) - 1) { break }
                // Those who have a batch take places without the flag.
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

        /// Has everybody go on.
        func grantAll(_ granted: inout Waiter.List, of permits: Permits) {
            while let waiter = first {
                first = waiter.next
                Turns.leave(waiter, permits)
                granted.add(waiter)
            }
            last = nil
        }

        /// Has the drain go on that gives back `own`.
        func grant(_ own: Permits, _ granted: inout Waiter.List, of permits: Permits) {
            var before: Waiter?
            var next = first
            while let waiter = next, waiter.own !== own {
                before = waiter
                next = waiter.next
            }
            guard let waiter = next else { return }
            if let before { before.next = waiter.next } else { first = waiter.next }
            if last === waiter { last = before }
            if first == nil { permits.raiseLimit() }
            Turns.leave(waiter, permits)
            granted.add(waiter)
        }

        // MARK: Stalls

        /// When to look for the first time; nil if somebody does already.
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

        /// Without a timeout, what is left over for want of a whole batch is handed out from time to time.
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

    /// How many places of some permits may be taken out of turn.
    @usableFromInline
    struct Batch: Sendable {
        /// The address of the permits. It may be that of others by now, which then lose a little of their order.
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
    @safe class Waiter: @unchecked Sendable {  // The word is atomic, the rest guarded by the flag of the graph.
        /// 0 while it waits, 1 when it has been served.
        private final var stateStorage: UInt64 = 0

        fileprivate(set) final var next: Waiter?

        /// Whether it asks for a place, or has one, beyond the bound, and waits until that is within it.
        final let takesPlace: Bool

        /// Whether a value beyond the bound is its own: one that its sender still has in hand, as the statistics see it.
        private final let holdsValue: Bool

        /// What is resumed; nil for a thread.
        final let drain: Resumable?

        /// What the drain gives back.
        final let own: Permits?

        /// What it may take out of turn. Written before it is served.
        fileprivate(set) final var batch = Batch.none

        /// What the thread runs that waits.
        private final var context: SerialContext?

        init(takesPlace: Bool) {
            self.takesPlace = takesPlace
            holdsValue = !takesPlace
            drain = nil
            own = nil
        }

        init(resuming drain: Resumable, of own: Permits?, holdsValue: Bool) {
            takesPlace = false
            self.holdsValue = holdsValue
            self.drain = drain
            self.own = own
        }

        private final var state: AtomicWord { AtomicWord(of: self) }

        // acquire: sees what led to it, and the batch. Pairs with `serve()`.
        final var isGranted: Bool { state.load(.acquire) != 0 }

        final func blockingWaitUntilGranted() { state.blockingWait(while: 0) }

        /// Where the value is counted that it holds.
        private final var statistics: BufferStatistics?

        /// It waits from now on: its edges appear.
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

        /// It waits no more: its edges go.
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
            if let drain {
                drain.resume(with: batch)
            } else {
                // release: publishes what the places that this gets were given back after.
                state.store(1, .release)
                state.wake(1)
            }
        }

        /// Those who have been served under the flag, and are woken after it was released.
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

            /// - Parameter caller: Not woken: it is who calls.
            consuming func wake(but caller: Waiter? = nil) {
                if first == nil { return }
                // What resumes a drain schedules it, and must not wait for a place in a ring.
                ThreadState.beginHolding()
                defer { ThreadState.endHolding() }
                var rest = first
                while let waiter = rest {
                    // Read first: a thread that has been served may be gone.
                    rest = waiter.next
                    waiter.next = nil
                    if waiter !== caller { waiter.serve() }
                }
            }
        }
    }
#endif
