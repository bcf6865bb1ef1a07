#if !NaiveLocks
    /// To whom returned permits go.
    enum HandingOut: UInt64, WordState, Sendable {
        /// To the oldest waiters, when there is a batch for each.
        case batches
        /// To the oldest waiter, as soon as there is one: nobody was served for a while.
        case all
        /// The oldest waiter becomes the leader when almost none is taken.
        case leaders
        /// To nobody: there is a leader.
        case none
    }

    /// The queue of one ``Permits``.
    @safe final class WaitQueue: @unchecked Sendable {  // The flag guards all of it.
        /// What the permits write. Not used after their end.
        private let address: PermitStateAddress
        private var isOver = false

        /// The permits, for the probes.
        private let subject: UnsafeRawPointer

        /// Retained, the oldest first.
        private var waiters = IntrusiveList<Waiter>()
        private(set) var count = 0

        /// How many permits the served waiters may still take out of order.
        private var promised: UInt64 = 0

        private var handing = HandingOut.batches

        /// The thread that was made the leader last, by its token.
        private var leader: UInt64 = 0

        /// The number of deliveries at the last change seen, and its time.
        private var mark: UInt64 = .max
        private var since: UInt64 = 0

        /// From when on stalls are counted, and how many extra capacities were admitted since then.
        private var stalledSince: UInt64 = 0
        private var extra: UInt64 = 0

        /// Whether no check is scheduled.
        private var needsWatch = true

        /// Whether a waiter was served since the last check, and the interval to the next one.
        private var hasServed = false
        private var pause = WaitQueue.shortestPause

        /// A waiter that isn't served within this time gets what is free, even if that is less than a batch. The interval of the
        /// checks doubles while they find nothing, so that a stream that stands for long isn't checked often.
        #if Exploration
            // The explorer runs a check at any moment. Those at stalls are enough: more would multiply the schedules.
            private static let shortestPause = UInt64.max / 4
            private static let longestPause = UInt64.max / 4
        #else
            private static let shortestPause: UInt64 = 1_000_000
            private static let longestPause: UInt64 = 16_000_000
        #endif

        /// After this time without a delivery, a scheduler that has never run anything counts as one that a waiter would run.
        private static let longWait: UInt64 = 100_000_000

        init(of permits: Permits) {
            address = permits.stateAddress
            unsafe subject = Probe.address(of: permits)
        }

        /// Permits resume all waiters before they end. Only an exploration abandons some.
        deinit { while let waiter = first { unlink(waiter) } }

        /// Where ``count`` lies in this object, in bytes.
        var offsetOfCount: UInt64 {
            unsafe withUnsafePointer(to: &count) { unsafe LayoutSample(self).offset(of: UnsafeRawPointer($0)) }
        }

        private var permits: PermitState {
            unsafeAddress { unsafe UnsafePointer(address.pointer) }
        }

        /// The current bound.
        private var bound: UInt64 {
            if extra == 0 || permits.progress.load(.relaxed) != mark { return permits.capacity }
            let (product, overflow) = permits.capacity.multipliedReportingOverflow(by: extra + 1)
            return overflow ? .max : product
        }

        /// The oldest thread.
        func firstThread(in graph: borrowing WaitGraph.Held) -> ThreadWaiter? {
            var next = first
            while let waiter = next {
                if let thread = waiter as? ThreadWaiter { return thread }
                next = WaitQueue.next(after: waiter)
            }
            return nil
        }

        #if Exploration
            /// Whether a stall admits one more capacity.
            var mayStall: Bool { !isOver && permits.stallTimeout != .max }
        #endif

        // MARK: Joining

        /// Appends a waiter, unless its request is granted at once.
        ///
        /// - Returns: Whether it was appended.
        func add(_ waiter: Waiter, _ graph: inout WaitGraph.Held) -> Bool {
            guard mustWait(waiter, graph) else { return false }
            let thread = ThreadState.current
            let batch = thread.returnBatch(of: address)
            if batch.isTerm {
                if handing == .none, leader == thread.token { setHanding(.leaders) }
            } else if !batch.isNone {
                // The thread has used it, or doesn't need it any more.
                promised -= min(promised, permits.batch - 1)
                if batch.left == 0, permits.isLarge { letLead() }
            }
            #if Exploration
                if Explorer.limit(.leading, usually: 0) > 0 { letLead() }
            #endif
            waiter.block(on: address, in: graph)
            append(waiter)
            // sequential: this exchange and the loads in `handOut(_:)`, against the subtraction and the load in
            // `giveBack(_:)`. One side sees the other. Also against the exchange in `close()`.
            let limit = permits.limit.exchange(0, .sequential)
            // Against the light barrier in `Permits.handOutIfAwaited()`. A waiter that came before has executed it.
            if permits.countsPosts, limit != 0 { AsymmetricBarrier.heavy() }
            Turns.join(waiter, address)
            if limit == .max {
                permits.limit.store(.max, .relaxed)
                grantAll(&graph)
            } else {
                handOut(&graph)
            }
            return true
        }

        /// Whether a waiter has to wait. If not, it has its permit: within the bound, or beyond it because it would wait for
        /// itself.
        func mustWait(_ waiter: Waiter, _ graph: borrowing WaitGraph.Held) -> Bool {
            // Closed, or unbounded from the start.
            let hasEnd = permits.limit.load(.relaxed) == .max || waiter.own.map { !graph.mayStop($0) } == true
            // There is no waiter, and it fits: permits were returned meanwhile.
            if !hasEnd, first == nil, fits(waiter) { return false }
            if !hasEnd {
                guard graph.wouldWaitForItself(waiter, on: address) else { return true }
                unsafe Probe.beyond(subject)
                // relaxed: a count.
                permits.excesses.fetchAdd(1, .relaxed)
                noteBroken(.beyond)
            }
            if waiter.takesPermit { permits.used.fetchAdd(1, .relaxed) }
            return false
        }

        /// Whether it is within the bound. Takes its permit, if it has none.
        private func fits(_ waiter: Waiter) -> Bool {
            let bound = bound
            if !waiter.takesPermit { return permits.taken(.relaxed) <= bound }
            // Not guarded by the flag: while there is no waiter, other threads take permits without it.
            return permits.used.update(.relaxed) { (seen: UInt64) in seen < bound ? seen + 1 : nil }.new != nil
        }

        private func append(_ waiter: Waiter) {
            unsafe waiters.append(.passRetained(waiter))
            count += 1
        }

        private func unlink(_ waiter: Waiter) {
            unsafe waiters.remove(waiter).release()
            count -= 1
        }

        private var first: Waiter? { unsafe waiters.first?.takeUnretainedValue() }

        private static func next(after waiter: Waiter) -> Waiter? {
            unsafe waiter.neighbours.next?.takeUnretainedValue()
        }

        // MARK: Handing out

        /// Gives permits to the oldest waiters.
        func handOut(_ graph: inout WaitGraph.Held) {
            let bound = bound
            // All free permits, even less than a batch, and also those that are promised.
            let all = handing == .all
            while let waiter = first {
                if waiter.thread != 0, handing == .leaders || handing == .none {
                    if handing == .leaders { makeLeader(waiter, &graph) }
                    break
                }
                let batch = waiter.takesBatch ? permits.batch : 1
                // sequential: see `add(_:_:)`.
                let used = permits.taken(.sequential)
                if all || used <= bound / 2 { promised = 0 }
                let free = Int64(clamping: bound) - Int64(used) - Int64(promised)
                let own: Int64 = waiter.takesPermit ? 1 : 0
                if free < (all || used == 0 ? own : own + Int64(batch) - 1) { break }
                // Threads that have a batch take permits without the flag.
                if waiter.takesPermit, !permits.used.compareExchange(used, used + 1, .relaxed).won { continue }
                let extra = min(batch - 1, UInt64(max(0, free - own)))
                waiter.batch = Batch(extra, of: address)
                promised += extra
                hasServed = true
                unlink(waiter)
                Turns.serve(waiter, address)
                graph.end(waiter)
            }
            if first == nil { end() }
        }

        private func setHanding(_ next: HandingOut) {
            if handing == next { return }
            handing = next
            // sequential: this, and the loads in `handOut(_:)`, against the subtraction in `giveBack(_:)` and the load after it.
            // Either the thread that returns permits sees the new state, or this one sees the permits.
            permits.handing.store(next, .sequential)
        }

        /// There is no waiter left.
        private func end() {
            setHanding(.batches)
            permits.raiseLimit()
        }

        // MARK: Leader and followers

        /// A thread has used up what it got, and waits again.
        private func letLead() {
            // If a leader sends no more, only that thread notes it.
            if handing == .batches, ProgressThread.isRunning { setHanding(.leaders) }
        }

        /// Makes the oldest waiter the leader if almost no permits are taken.
        private func makeLeader(_ waiter: Waiter, _ graph: inout WaitGraph.Held) {
            // sequential: see `add(_:_:)`.
            if permits.taken(.sequential) > permits.mostTakenForLeader { return }
            if waiter.takesPermit { permits.used.fetchAdd(1, .relaxed) }
            waiter.batch = Batch(termOf: address, followers: count)
            setHanding(.none)
            leader = waiter.thread
            promised = 0
            hasServed = true
            unlink(waiter)
            Turns.serve(waiter, address)
            graph.end(waiter)
        }

        /// See ``Permits/promote(after:)``.
        func promote(after token: UInt64, _ graph: inout WaitGraph.Held) -> Bool {
            guard handing == .none, leader == token else { return false }
            setHanding(.leaders)
            handOut(&graph)
            return handing == .none
        }

        /// Resumes all waiters.
        func grantAll(_ graph: inout WaitGraph.Held) {
            while let waiter = first {
                unlink(waiter)
                Turns.leave(waiter, address)
                graph.end(waiter)
            }
        }

        /// Resumes the drain that returns `own`. O(n).
        func grant(_ own: Permits, _ graph: inout WaitGraph.Held) {
            var next = first
            while let waiter = next, waiter.own !== own { next = WaitQueue.next(after: waiter) }
            guard let waiter = next else { return }
            takeOut(waiter)
            graph.end(waiter)
        }

        /// Removes a cancelled task, and serves waiters behind it for which there are permits. O(1) and the number of those.
        func remove(_ task: TaskWaiter, _ graph: inout WaitGraph.Held) {
            takeOut(task)
            task.unblock(in: graph)
            handOut(&graph)
        }

        private func takeOut(_ waiter: Waiter) {
            unlink(waiter)
            if first == nil { end() }
            Turns.leave(waiter, address)
        }

        // MARK: Checks

        /// The time of the first check; nil if one is scheduled already.
        func firstLook(in graph: borrowing WaitGraph.Held) -> UInt64? {
            guard needsWatch, first != nil else { return nil }
            needsWatch = false
            hasServed = false
            pause = WaitQueue.shortestPause
            let now = MonotonicTime.now
            note(permits.progress.load(.relaxed), at: now)
            return min(now + pause, nextStall(after: stallTimeout(in: graph)))
        }

        /// Notes how many elements were delivered, if that has changed.
        private func note(_ delivered: UInt64, at now: UInt64) {
            if delivered == mark { return }
            mark = delivered
            since = now
            stalledSince = now
            extra = 0
        }

        /// The permits are about to be deallocated.
        func endChecks(in graph: borrowing WaitGraph.Held) { isOver = true }

        /// Checks whether an element was delivered since the last check. Called by ``ProgressThread``.
        ///
        /// - Returns: When to check again; nil if there is no waiter left.
        func check(at now: UInt64) -> UInt64? {
            var next: UInt64?
            var graph = WaitGraph.acquire()
            // The end of the permits takes the flag before they are deallocated.
            if !isOver {
                next = look(at: now, &graph)
                graph.asksPool = graph.waitsForTask(on: address)
            }
            graph.release()
            return next
        }

        /// Hands out what is free if no waiter was served since the last check, and admits one more capacity for each stall
        /// timeout without a delivery.
        ///
        /// - Returns: When to check again; nil if there is no waiter.
        func look(at now: UInt64, _ graph: inout WaitGraph.Held) -> UInt64? {
            note(permits.progress.load(.relaxed), at: now)
            var isQuiet = !hasServed
            hasServed = false
            let timeout = stallTimeout(in: graph)
            if let timeout, first != nil {
                let stalled = (now - min(now, stalledSince)) / timeout
                if stalled > extra {
                    extra = stalled
                    isQuiet = true
                    unsafe Probe.stall(subject)
                    // relaxed: a count.
                    permits.stalls.fetchAdd(1, .relaxed)
                    noteBroken(.stall)
                }
            } else {
                stalledSince = now
            }
            if first != nil, now - min(now, since) >= WaitQueue.longWait, permits.server?.noteLongWait() == true {
                // Each that comes now doesn't wait.
                grantAll(&graph)
                end()
            }
            // Under a herd, batches are handed out all the time. To hand out less would cost a context switch for each event.
            // Leaders follow each other all the time, too, unless one sends no more.
            if isQuiet {
                setHanding(.all)
                handOut(&graph)
            } else if handing == .all {
                setHanding(.batches)
            }
            guard first != nil else {
                needsWatch = true
                return nil
            }
            pause = isQuiet && !hasServed ? min(2 * pause, WaitQueue.longestPause) : WaitQueue.shortestPause
            return min(now + pause, nextStall(after: timeout))
        }

        private func noteBroken(_ kind: BrokenBound.Kind) {
            unsafe BrokenBounds.note(
                kind, of: subject, queue: address.bits, depth: permits.taken(.relaxed), capacity: permits.capacity)
        }

        /// After this time without a delivery, one more capacity is admitted. In nanoseconds; nil for never.
        private func stallTimeout(in graph: borrowing WaitGraph.Held) -> UInt64? {
            // That of what causes the stall: of the last permits in the chain.
            var timeout = graph.cause(of: address).pointee.stallTimeout
            if graph.waitsForTask(on: address) {
                timeout = min(timeout, WaitGraph.isPoolStuck ? WaitQueue.shortestPause : Strand.defaultStallTimeout)
            }
            return timeout == .max ? nil : max(1, timeout)
        }

        /// When one more capacity is admitted, unless something is delivered before.
        private func nextStall(after timeout: UInt64?) -> UInt64 {
            guard let timeout else { return .max }
            let (span, overflow) = timeout.multipliedReportingOverflow(by: extra + 1)
            let (time, late) = stalledSince.addingReportingOverflow(span)
            return overflow || late ? .max : time
        }
    }
#endif
