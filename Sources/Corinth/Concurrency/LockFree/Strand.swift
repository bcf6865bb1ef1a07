#if !NaiveLocks
    internal import CCorinth

    /// Serialises work without anybody waiting for it.
    ///
    /// A thread that finds the strand idle owns it and runs its work in place. A thread that finds it owned pushes the work as
    /// a node and returns; the owner runs what was pushed, first in, first out, before it leaves.
    ///
    /// Three things keep that from going wrong under load:
    /// - An owner runs nodes of other threads up to a bound, of their number and of the time that they take. Then it hands the
    ///   strand on, still owned: it has no thread until one adopts it. That is a worker, which goes on as long as others wait;
    ///   or a thread that is about to sleep for a place in it; or, if neither comes, a thread that ``ProgressThread`` starts.
    /// - At most `capacity` events wait: ``Permits``. A drain stops when it fills something else, and so does whoever drains
    ///   the strand for others.
    /// - Work that the owner itself sends from inside its work is queued like any other, so nothing nests.
    ///
    /// What only changes who observes, an *edit*, runs no code of the user's. Who finds the strand in an edit spins for it. Who
    /// ends one leaves what was queued meanwhile to others: an edit delivers nobody's events.
    @usableFromInline
    @safe final class Strand: Permits, @unchecked Sendable {  // Its words are atomic, the rest belongs to its owner.
        /// How many nodes of other threads an owner runs before it hands the strand on.
        static var helpingBound: Int {
            #if Exploration
                Explorer.limit(.helping, usually: 256)
            #else
                256
            #endif
        }

        /// How many turns a thread spins for an edit to end.
        private static var editTurns: Int {
            #if Exploration
                Explorer.limit(.spinning, usually: 48)
            #else
                48
            #endif
        }

        /// How many events may wait, unless said otherwise.
        ///
        /// While the owner is off its processor for some milliseconds, the senders on the others go on. With 1,024 they
        /// filled the inbox and waited: 8 threads on 2 cores, p99.9 of a send was 2.7 ms; with 16,384 it is 9 µs
        /// (`Benchmarks/run --filter contend-latency`).
        @usableFromInline static let defaultCapacity = 16_384

        /// How long senders wait without a delivery until one more capacity is admitted, unless said otherwise: in
        /// nanoseconds.
        @usableFromInline static let defaultStallTimeout: UInt64 = 100_000_000

        // On the cache line of what the owner writes while it delivers.

        /// Nodes that were taken from the word and not run yet, oldest first. Owned by whoever owns the strand.
        @safe @exclusivity(unchecked)
        private var taken: Unmanaged<StrandNode>?
        private var padding: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        // On another, what all threads write.
        private var wordStorage: UInt64 = 0
        private var orphanStorage: UInt64 = 0
        private var observingStorage: UInt64 = 0

        /// What the next owner may take out of turn. Owned by whoever makes it an orphan, and then by whoever adopts it.
        @safe @exclusivity(unchecked)
        private var batchOfResumed = Batch.none

        @usableFromInline
        init(capacity: Int = Strand.defaultCapacity, stallTimeout: UInt64 = Strand.defaultStallTimeout) {
            taken = nil
            precondition(capacity > 0, "inboxCapacity is \(capacity), but must be at least 1")
            super.init(capacity: UInt64(capacity), stallTimeout: stallTimeout)
        }

        deinit {
            // Nodes keep whatever they are for, and so the strand, alive: none is left here.
            assert(word.load(.relaxed) == StrandWord.idle.bits, "a strand went away while it was owned")
            unsafe Strand.permits(at: observingWord.load(.relaxed))?.release()
        }

        @inlinable @inline(__always)
        var word: AtomicWord { AtomicWord(of: self, at: 128) }

        /// Whether it has an owner without a thread: ``OrphanWord``.
        private var orphan: AtomicWord { AtomicWord(of: self, at: 136) }

        /// The address of the permits of ``observing``, or 0.
        private var observingWord: AtomicWord { AtomicWord(of: self, at: 144) }

        // MARK: Ownership

        /// Takes the strand if it is idle. If it isn't, ``enqueue(_:)``.
        @inlinable @inline(__always)
        func tryEnter() -> Bool {
            // acquire: sees what the last owner did. Pairs with the release in `leave()` and in `drain(_:)`.
            guard word.compareExchange(StrandWord.idle.bits, StrandWord.owned.bits, .acquire).won else { return false }
            ThreadState.current.owned &+= 2
            PlainAccess.write(self)
            return true
        }

        /// Gives the strand up after running what was queued meanwhile. Called by its owner.
        @inlinable @inline(__always)
        func leave() {
            PlainAccess.write(self)
            // release: publishes what this owner did. Pairs with the acquire in `tryEnter()`.
            if !word.compareExchange(StrandWord.owned.bits, StrandWord.idle.bits, .release).won {
                drain()
            }
            let thread = ThreadState.current
            thread.owned &-= 2
            if thread.owned == ThreadState.deferredWaitOnly { thread.blockingWaitForDeferred() }
        }

        /// Runs the node after everything that was queued before it: here, if the strand is idle, else on its owner's
        /// thread. Waits for a place, and for nothing else, and only on a thread that owns no strand.
        @usableFromInline
        @inline(never)
        func enqueue(_ node: StrandNode) {
            takeInTurn()
            enqueueTaken(node)
        }

        /// Takes a place for an event, in turn: past the bound if this thread owns a strand, and then it waits later.
        @usableFromInline
        @inline(never)
        func takeInTurn() {
            if ThreadState.current.owned > ThreadState.deferredWaitOnly { take() } else { blockingTake() }
        }

        /// The rest of ``enqueue(_:)``, once there is a place for the node.
        @usableFromInline
        @inline(never)
        func enqueueTaken(_ node: StrandNode) {
            let thread = ThreadState.current
            if place(node, by: thread) {
                node.run(node)
                leave()
            } else if thread.owned <= ThreadState.deferredWaitOnly, thread.ends == 0,
                OrphanWord(bits: orphan.load(.relaxed)).isOffered
            {
                // relaxed: a hint. Who doesn't see it leaves it to the worker. Not inside a callback, where it would nest, nor
                // by an end, which delivers nobody's events.
                _ = adopt()
            }
            if thread.owned <= ThreadState.deferredWaitOnly { thread.helped = 0 }
        }

        // MARK: Without waiting

        /// Gives the strand up, as ``leave()`` does, but never waits: if this thread's own event has filled something, the strand
        /// stops in its stead, and queues what follows, until there is a place.
        ///
        /// - Parameter outer: What this thread waits for later, on account of what it did before it took the strand.
        @usableFromInline
        @inline(never)
        func leaveAtOnce(restoring outer: DeferredWaits?) {
            let thread = ThreadState.current
            PlainAccess.write(self)
            if thread.hasDeferredWait, let waits = thread.takeDeferredWaits(), waits.stop(resumption, owning: self) {
                // Whoever is served goes on with it.
            } else if !word.compareExchange(StrandWord.owned.bits, StrandWord.idle.bits, .release).won {
                // release: as in `leave()`.
                if thread.ends > 0 { drainOwn() } else { drain(forOthers: true) }
            }
            if let outer { thread.restore(outer) }
            thread.owned &-= 2
            if thread.owned <= ThreadState.deferredWaitOnly { thread.helped = 0 }
            if thread.owned == ThreadState.deferredWaitOnly { thread.blockingWaitForDeferred() }
        }

        /// Whether what the calling thread delivers has filled something: a node that delivers several events stops after this one.
        @inlinable
        static var mustStop: Bool { ThreadState.current.hasDeferredWait }

        /// What this thread waits for later. Called before ``leaveAtOnce(restoring:)``, with the strand owned.
        @inlinable
        func takeOuterWaits() -> DeferredWaits? {
            let thread = ThreadState.current
            return thread.hasDeferredWait ? thread.takeDeferredWaits() : nil
        }

        /// Runs the node after everything that was queued before it, and never waits, as ``leaveAtOnce(restoring:)``.
        ///
        /// - Parameter hasPlace: Whether the node's place has been taken by ``tryTake()``. Else it goes past the bound.
        @usableFromInline
        @inline(never)
        func enqueueWithoutWaiting(_ node: StrandNode, hasPlace: Bool) {
            // relaxed: as in `take()`.
            if !hasPlace { used.fetchAdd(node.places, .relaxed) }
            guard place(node, by: ThreadState.current) else { return }
            let outer = takeOuterWaits()
            node.run(node)
            leaveAtOnce(restoring: outer)
        }

        /// Takes the strand if it is idle, as ``tryEnter()`` does. If it isn't, ``enqueueAtOnce(_:)``.
        @inlinable @inline(__always)
        func tryEnterAtOnce() -> Bool { tryEnter() }

        /// Runs the node after everything that was queued before it, without ever waiting for a place.
        @usableFromInline
        @inline(never)
        func enqueueAtOnce(_ node: StrandNode) {
            // relaxed: as in `take()`.
            used.fetchAdd(node.places, .relaxed)
            if place(node, by: ThreadState.current) {
                node.run(node)
                leave()
            }
        }

        /// Runs a change of a signal's state after everything that was queued before it. It takes no place, and waits for none.
        @usableFromInline
        @inline(never)
        func enqueueEdit(_ work: @escaping () -> Void) {
            enqueueAtOnce(WorkNode(work))
        }

        /// The same for somebody who wants to observe. Those have places of their own, and wait for one in turn, on a thread that
        /// owns no strand: a flood of them keeps out no events, nor the other way round.
        @usableFromInline
        @inline(never)
        func enqueueObserving(_ work: @escaping () -> Void) {
            let places = observing
            if ThreadState.current.owned > ThreadState.deferredWaitOnly {
                places.used.fetchAdd(1, .relaxed)
            } else {
                places.blockingTake()
            }
            enqueueAtOnce(
                WorkNode {
                    places.countDelivery()
                    places.giveBack(1)
                    work()
                })
        }

        /// The places of those who want to observe: made when they are first needed.
        private var observing: Permits {
            // acquire: sees the object. Pairs with the release below.
            let seen = observingWord.load(.acquire)
            if let known = unsafe Strand.permits(at: seen) { return unsafe known.takeUnretainedValue() }
            let made = unsafe Unmanaged.passRetained(
                Permits(capacity: Strand.observingCapacity, stallTimeout: Strand.defaultStallTimeout))
            let address = unsafe UInt64(UInt(bitPattern: made.toOpaque()))
            let result = observingWord.compareExchange(0, address, .acquireRelease)
            if result.won { return unsafe made.takeUnretainedValue() }
            unsafe made.release()
            guard let known = unsafe Strand.permits(at: result.seen) else { preconditionFailure("permits have gone") }
            return unsafe known.takeUnretainedValue()
        }

        private static func permits(at address: UInt64) -> Unmanaged<Permits>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
            return unsafe Unmanaged<Permits>.fromOpaque(pointer)
        }

        /// How many may wait to observe.
        private static let observingCapacity: UInt64 = 1024

        /// Puts work in order, and never runs anything: takes the strand if it is idle, else queues the node, which is only
        /// made then. Never waits: who is through with whatever it holds calls ``settle()``.
        ///
        /// - Returns: Whether the caller owns the strand now. Then it has to run the work itself, and to leave.
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

        /// Waits for a place in what this thread has filled past its bound, unless it owns a strand.
        @inlinable @inline(__always)
        static func settle() {
            let thread = ThreadState.current
            if thread.owned == ThreadState.deferredWaitOnly { thread.blockingWaitForDeferred() }
        }

        /// Pushes the node; or, if the strand is idle, takes it and returns true: the node is the caller's to run.
        private func place(_ node: StrandNode, by thread: ThreadState) -> Bool {
            let retained = unsafe Unmanaged.passRetained(node)
            let address = unsafe UInt64(UInt(bitPattern: retained.toOpaque()))
            var seen = StrandWord(bits: word.load(.relaxed))
            var turn = 0
            while true {
                if seen.isEdited, turn < Strand.editTurns {
                    word.spin(turn: turn)
                    turn += 1
                    seen = StrandWord(bits: word.load(.relaxed))
                    continue
                }
                let (next, arrival) = seen.arriving(with: address)
                if case .wait(let older) = arrival {
                    PlainAccess.write(node)
                    unsafe node.next = Strand.node(at: older)
                }
                // release: publishes the node's contents to the owner that takes it. acquire: if the strand was idle,
                // sees what its last owner did. Pairs with `takeAll()`, `drain()` and `leave()`.
                let result = word.compareExchange(seen.bits, next.bits, .acquireRelease)
                guard result.won else {
                    seen = StrandWord(bits: result.seen)
                    continue
                }
                guard arrival == .own else {
                    Probe.contended(self)
                    return false
                }
                PlainAccess.write(self)
                unsafe retained.release()
                thread.owned &+= 2
                giveBack(node.places)
                return true
            }
        }

        /// A derived signal runs inside its source's delivery: the same strand serialises both.
        @inlinable @inline(__always)
        func derived() -> Strand { self }

        @inlinable @inline(__always)
        func enterDerived() {}

        @inlinable @inline(__always)
        func leaveDerived() {}

        // MARK: Edits

        /// Begins a change of a signal's state, in which no code of the user's runs, if the strand is idle.
        @inlinable @inline(__always)
        func beginEdit() -> Bool {
            // acquire: as in `tryEnter()`.
            guard word.compareExchange(StrandWord.idle.bits, StrandWord.edited.bits, .acquire).won else { return false }
            PlainAccess.write(self)
            return true
        }

        /// Ends it. What was queued meanwhile is left to others.
        @inlinable @inline(__always)
        func endEdit() {
            PlainAccess.write(self)
            // release: as in `leave()`.
            if !word.compareExchange(StrandWord.edited.bits, StrandWord.idle.bits, .release).won { endEditOfQueued() }
        }

        @usableFromInline
        @inline(never)
        func endEditOfQueued() {
            // relaxed: only this thread clears the bit. What it has done, who adopts the strand sees.
            word.fetchSubtract(StrandWord.edited.bits - StrandWord.owned.bits, .relaxed)
            offer()
        }

        /// Reads or changes a signal's state. Called by the strand's owner.
        @inlinable @inline(__always)
        func withState<Result: ~Copyable>(_ body: () -> Result) -> Result { body() }

        // MARK: Draining

        /// Runs what was queued, and leaves; or hands the strand on. Called by its owner.
        @usableFromInline
        @inline(never)
        func drain() {
            if ThreadState.current.ends > 0 { drainOwn() } else { drain(forOthers: false) }
        }

        /// - Parameters:
        ///   - isForOthers: Whether this thread only drains: then it has to wait for nothing that its own nodes fill.
        ///   - isAlone: Whether it has nothing else to do: then it goes on as long as others wait for places.
        private func drain(forOthers isForOthers: Bool, alone isAlone: Bool = false) {
            let thread = ThreadState.current
            // What this thread's own event has filled. It waits for that when it has left; nobody else's events fill it meanwhile.
            var mine = thread.takeDeferredWaits()
            var mayBeFull = mine != nil
            defer { if let mine { thread.restore(mine) } }
            var bound = HelpingBound(after: thread.helped)
            defer { if isForOthers, !isAlone { thread.helped = bound.count } }
            var places: UInt64 = 0
            while true {
                while let sender = nextSender {
                    let isForeign = isForOthers || sender != thread.token
                    if isForeign, mayBeFull, let mine {
                        mayBeFull = false
                        giveBack(places)
                        places = 0
                        PlainAccess.write(self)
                        if mine.stop(resumption, owning: self, holdsValue: false) { return }
                    }
                    guard let node = nextTaken() else { break }
                    node.run(node)
                    countDelivery()
                    places += node.places
                    if thread.hasDeferredWait, let waits = thread.takeDeferredWaits() {
                        if isForeign {
                            // What somebody else's event has filled is not this thread's to wait for: the strand stops.
                            giveBack(places)
                            places = 0
                            PlainAccess.write(self)
                            if waits.stop(resumption, owning: self) { return }
                        } else {
                            mine = waits.joined(to: mine)
                            mayBeFull = true
                        }
                    }
                    if places == 32 {
                        giveBack(places)
                        places = 0
                    }
                    if sender != thread.token, bound.isReached(), !(isAlone && limit.load(.relaxed) == 0) {
                        // relaxed: a hint.
                        giveBack(places)
                        handOver()
                        return
                    }
                }
                if places > 0 {
                    giveBack(places)
                    places = 0
                }
                PlainAccess.write(self)
                // release: as in `leave()`.
                if word.compareExchange(StrandWord.owned.bits, StrandWord.idle.bits, .release).won { return }
                takeAll()
            }
        }

        /// Runs what this thread has queued, as long as nothing of others' comes first, and leaves; or leaves the rest to
        /// others. Called by its owner.
        private func drainOwn() {
            let token = ThreadState.current.token
            while true {
                while let sender = nextSender {
                    guard sender == token else {
                        offer()
                        return
                    }
                    guard let node = nextTaken() else { break }
                    node.run(node)
                    countDelivery()
                    giveBack(node.places)
                }
                PlainAccess.write(self)
                // release: as in `leave()`.
                if word.compareExchange(StrandWord.owned.bits, StrandWord.idle.bits, .release).won { return }
                takeAll()
            }
        }

        /// Who has sent the oldest node that was taken and not run.
        private var nextSender: UInt64? { unsafe taken?._withUnsafeGuaranteedRef { $0.sender } }

        /// The oldest node that was taken and not run.
        private func nextTaken() -> StrandNode? {
            guard let oldest = unsafe taken?.takeRetainedValue() else { return nil }
            PlainAccess.read(oldest)
            taken = oldest.next
            // Another thread has written the next one: its cache lines come while this one runs.
            if let next = oldest.next { unsafe StrandNode.prefetch(next.toOpaque()) }
            return oldest
        }

        /// Takes every node that waits and puts them in the order in which they were pushed.
        private func takeAll() {
            // acquire: sees the contents of the nodes. Pairs with the release in `enqueue(_:)`; relaxed would let the
            // owner run a node before it is written. release: the nodes' senders go on from a word that says owned.
            let seen = StrandWord(bits: word.exchange(StrandWord.owned.bits, .acquireRelease))
            guard case .run(let newest) = seen.departing().departure else { return }
            var rest = unsafe Strand.node(at: newest)
            while let node = unsafe rest {
                let current = unsafe node._withUnsafeGuaranteedRef { $0 }
                PlainAccess.write(current)
                unsafe rest = current.next
                current.next = taken
                unsafe taken = node
            }
        }

        private static func node(at address: UInt64) -> Unmanaged<StrandNode>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
            return unsafe Unmanaged<StrandNode>.fromOpaque(pointer)
        }

        // MARK: Without a thread

        /// What has the strand go on that has stopped until there is a place in what it has filled. It stays owned: whoever
        /// sends to it waits, when its inbox is full.
        private var resumption: Resumable {
            ResumableAction { batch in
                self.batchOfResumed = batch
                self.submit(.handedOver)
            }
        }

        /// Leaves the rest to another thread. The strand stays owned: nothing can overtake.
        private func handOver() {
            Probe.handover(self)
            PlainAccess.write(self)
            submit(.handedOver)
        }

        /// The same, but the next thread that comes by may take it, too.
        private func offer() {
            Probe.handover(self)
            PlainAccess.write(self)
            submit(.offered)
        }

        private func submit(_ next: OrphanWord) {
            // release: publishes what its owner did. Pairs with `adopt(_:)`. acquire: sees what who adopted it before has left.
            let before = OrphanWord(bits: orphan.exchange(next.bits | OrphanWord.watched, .acquireRelease))
            if !before.isWatched { ProgressThread.watch(self) }
            Worker.submit { if self.tryAdopt() { self.resume(alone: true) } }
        }

        /// Takes it, if it has no thread.
        private func tryAdopt() -> Bool {
            var seen = OrphanWord(bits: orphan.load(.relaxed))
            while seen.isOrphaned {
                // acquire: sees what its last owner did. Pairs with `submit(_:)`.
                let result = orphan.compareExchange(seen.bits, seen.adopted.bits, .acquire)
                if result.won { return true }
                seen = OrphanWord(bits: result.seen)
            }
            return false
        }

        /// As its owner.
        ///
        /// - Parameter isAlone: Whether this thread has nothing else to do. As long as others wait for places, it would be in their
        ///   way to hand the strand on: each time takes as long as to wake a thread.
        private func resume(alone isAlone: Bool = false) {
            PlainAccess.write(self)
            let thread = ThreadState.current
            thread.use(batchOfResumed)
            batchOfResumed = .none
            // As a drain: it stops where it would have to wait.
            ThreadState.withoutWaiting {
                thread.owned &+= 2
                drain(forOthers: true, alone: isAlone)
                thread.owned &-= 2
            }
        }

        /// Takes it instead of sleeping, if it has no thread, and this thread has not helped enough in the send that it is in.
        override func adopt() -> Bool {
            guard ThreadState.current.helped < Strand.helpingBound, tryAdopt() else { return false }
            Probe.adopt(self)
            resume()
            return true
        }

        enum Look {
            /// It has a thread. Whoever leaves it without one asks for the next look.
            case found
            /// It has none. Perhaps one comes.
            case pending
            /// It has had none since the last look.
            case overdue
        }

        /// Looks whether it has a thread. Called by ``ProgressThread``.
        func lookForThread() -> Look {
            var seen = OrphanWord(bits: orphan.load(.relaxed))
            while true {
                if seen.isOrphaned, seen.isSeen { return .overdue }
                // relaxed: who makes it an orphan afterwards asks for the next look.
                let result = orphan.compareExchange(seen.bits, seen.looked.bits, .relaxed)
                if result.won { return seen.isOrphaned ? .pending : .found }
                seen = OrphanWord(bits: result.seen)
            }
        }

        /// Takes it if it still has no thread. Called by a thread that has nothing else to do.
        func adoptAlone() {
            guard tryAdopt() else { return }
            Probe.adopt(self)
            resume(alone: true)
        }
    }

    /// How much an owner has done for others: nodes, and time, which is looked at when their number has doubled.
    struct HelpingBound {
        /// In nanoseconds. Code that isn't optimised takes many times as long.
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

        /// Counts a node, and says whether that was enough.
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
