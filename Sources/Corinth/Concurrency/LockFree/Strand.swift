#if !NaiveLocks
    internal import CCorinth

    /// Serialises work without anybody waiting for it.
    ///
    /// Whoever finds the strand idle owns it and runs its work in place. Whoever finds it owned pushes the work as a node
    /// and returns; the owner runs what was pushed, first in, first out, before it leaves.
    ///
    /// Three things keep that from going wrong under load:
    /// - An owner runs at most ``helpingBound`` nodes of other threads, then hands the strand, still owned, to a worker.
    /// - At most `capacity` events wait. A sender that owns no strand waits for room first. One that owns a strand never
    ///   waits: it goes past the bound, and waits when it has left its last strand. A drain stops, as said in ``Creditor``,
    ///   and so does a worker, with the strand that it was handed.
    /// - Work that the owner itself sends from inside its work is queued like any other, so nothing nests.
    @usableFromInline
    @safe final class Strand: Creditor, @unchecked Sendable {  // Its words are atomic, the rest belongs to its owner.
        /// How many nodes of other threads an owner runs before it hands the strand on.
        static var helpingBound: Int {
            #if Exploration
                Explorer.limit(.helping, usually: 256)
            #else
                256
            #endif
        }

        /// How many turns a sender spins for room before it sleeps.
        static var spinningTurns: Int {
            #if Exploration
                Explorer.limit(.spinning, usually: 128)
            #else
                128
            #endif
        }

        /// How many events may wait, unless said otherwise.
        ///
        /// While the owner is off its processor for some milliseconds, the senders on the others go on. With 1,024 they
        /// filled the inbox and waited: 8 threads on 2 cores, p99.9 of a send was 2.7 ms; with 16,384 it is 9 µs
        /// (`Benchmarks/run --filter contend-latency`).
        @usableFromInline static let defaultCapacity = 16_384

        // The word, what the waiting senders write, and what the owner writes are kept on cache lines of their own:
        // the language has no alignment for stored properties.

        private var wordStorage: UInt64 = 0
        private var wordPadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
        private var queuedStorage: UInt64 = 0
        private var waitersStorage: UInt64 = 0
        private var creditorStorage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

        private var deliveriesStorage: UInt64 = 0

        /// Nodes that were taken from the word and not run yet, oldest first. Owned by whoever owns the strand.
        @safe @exclusivity(unchecked)
        private var taken: Unmanaged<StrandNode>?

        private let inboxCapacity: UInt64

        @usableFromInline
        init(capacity: Int = Strand.defaultCapacity) {
            taken = nil
            precondition(capacity > 0, "inboxCapacity is \(capacity), but must be at least 1")
            inboxCapacity = UInt64(capacity)
            super.init()
        }

        deinit {
            // Nodes keep whatever they are for, and so the strand, alive: none is left here.
            assert(word.load(.relaxed) == StrandWord.idle.bits, "a strand went away while it was owned")
        }

        @inlinable @inline(__always)
        var word: AtomicWord { AtomicWord(of: self) }

        /// How many nodes wait or are promised a place.
        private var queued: AtomicWord { AtomicWord(of: self, at: 64) }

        /// How many threads sleep until there is room.
        private var waiters: AtomicWord { AtomicWord(of: self, at: 72) }

        /// The first of the creditor's words.
        private var stoppedList: AtomicWord { AtomicWord(of: self, at: 80) }

        /// How many nodes have been run. Written by the strand's owner.
        private var progress: AtomicWord { AtomicWord(of: self, at: 128) }

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
            if thread.owned == ThreadState.debtOnly { Strand.settleDebt() }
        }

        /// Runs the node after everything that was queued before it: here, if the strand is idle, else on its owner's
        /// thread. Waits for room, and for nothing else, and only on a thread that owns no strand.
        @usableFromInline
        @inline(never)
        func enqueue(_ node: StrandNode) {
            let thread = ThreadState.current
            reserveRoom(for: thread)
            push(node, by: thread)
        }

        /// Takes the strand if it is idle, as ``tryEnter()`` does. If it isn't, ``enqueueAtOnce(_:)``.
        @inlinable @inline(__always)
        func tryEnterAtOnce() -> Bool { tryEnter() }

        /// Runs the node after everything that was queued before it, without ever waiting for room.
        @usableFromInline
        @inline(never)
        func enqueueAtOnce(_ node: StrandNode) {
            queued.fetchAdd(1, .relaxed)
            push(node, by: ThreadState.current)
        }

        /// Runs a change of a signal's state after everything that was queued before it. It never waits for room: whoever
        /// observes or disposes waits for nobody's callbacks.
        @usableFromInline
        @inline(never)
        func enqueueEdit(_ work: @escaping () -> Void) {
            enqueueAtOnce(WorkNode(work))
        }

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
            let thread = ThreadState.current
            // relaxed: as in `reserveRoom(for:)`.
            if queued.fetchAdd(1, .relaxed) >= inboxCapacity { thread.incurDebt(to: self) }
            return place(node, by: thread)
        }

        /// Waits for room in the strand that this thread overfilled, unless it owns a strand.
        @inlinable @inline(__always)
        static func settle() {
            if ThreadState.current.owned == ThreadState.debtOnly { settleDebt() }
        }

        private func push(_ node: StrandNode, by thread: ThreadState) {
            if place(node, by: thread) {
                node.run(node)
                leave()
            }
        }

        /// Pushes the node; or, if the strand is idle, takes it and returns true: the node is the caller's to run.
        private func place(_ node: StrandNode, by thread: ThreadState) -> Bool {
            let retained = unsafe Unmanaged.passRetained(node)
            let address = unsafe UInt64(UInt(bitPattern: retained.toOpaque()))
            var seen = StrandWord(bits: word.load(.relaxed))
            while true {
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
                giveUpRoom(1)
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

        /// Changes of a signal's state are work for its owner, like any other.
        @inlinable @inline(__always)
        func beginEdit() -> Bool { tryEnter() }

        @inlinable @inline(__always)
        func endEdit() { leave() }

        /// Reads or changes a signal's state. Called by the strand's owner.
        @inlinable @inline(__always)
        func withState<Result: ~Copyable>(_ body: () -> Result) -> Result { body() }

        // MARK: Draining

        /// Runs what was queued, and leaves; or hands the strand on. Called by its owner.
        @usableFromInline
        @inline(never)
        func drain() { drain(canStop: false) }

        /// - Parameter canStop: Whether to stop, with the strand owned, where a node overfills something.
        private func drain(canStop: Bool) {
            let thread = ThreadState.current
            var helped = 0
            var room: UInt64 = 0
            while true {
                while let node = nextTaken() {
                    node.run(node)
                    room += 1
                    // relaxed: nobody else writes, and who waits for it asks again.
                    progress.store(progress.load(.relaxed) &+ 1, .relaxed)
                    if canStop, thread.hasDebt {
                        giveUpRoom(room)
                        room = 0
                        if stop() { return }
                    }
                    if room == 32 {
                        giveUpRoom(room)
                        room = 0
                    }
                    if node.sender != thread.token {
                        helped += 1
                        if helped == Strand.helpingBound {
                            giveUpRoom(room)
                            handOver()
                            return
                        }
                    }
                }
                if room > 0 {
                    giveUpRoom(room)
                    room = 0
                }
                PlainAccess.write(self)
                // release: as in `leave()`.
                if word.compareExchange(StrandWord.owned.bits, StrandWord.idle.bits, .release).won { return }
                takeAll()
            }
        }

        /// The oldest node that was taken and not run.
        private func nextTaken() -> StrandNode? {
            guard let oldest = unsafe taken?.takeRetainedValue() else { return nil }
            PlainAccess.read(oldest)
            taken = oldest.next
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

        /// Leaves the rest to a worker. The strand stays owned: nothing can overtake.
        private func handOver() {
            Probe.handover(self)
            PlainAccess.write(self)
            Worker.submit { self.resume() }
        }

        /// The worker's turn: as its owner, with the same bound.
        private func resume() {
            PlainAccess.write(self)
            // A worker counts as an owner from first to last: if it waited for room, the pool could run out of workers.
            ThreadState.withoutWaiting { drain(canStop: true) }
        }

        /// Stops until there is room in what this worker has overfilled. The strand stays owned: whoever sends to it waits,
        /// when its inbox is full.
        private func stop() -> Bool {
            guard let obstacle = ThreadState.current.takeObstacle(besides: self) else { return false }
            PlainAccess.write(self)
            obstacle.stop(ResumableAction { Worker.submit { self.resume() } })
            return true
        }

        private static func node(at address: UInt64) -> Unmanaged<StrandNode>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
            return unsafe Unmanaged<StrandNode>.fromOpaque(pointer)
        }

        // MARK: Room

        private func reserveRoom(for thread: ThreadState) {
            if thread.owned > ThreadState.debtOnly {
                // relaxed: a count; what the nodes hold is published by the push.
                if queued.fetchAdd(1, .relaxed) >= inboxCapacity { thread.incurDebt(to: self) }
                return
            }
            var turn = 0
            while true {
                let seen = queued.load(.relaxed)
                if seen < inboxCapacity {
                    if queued.compareExchange(seen, seen + 1, .relaxed).won { return }
                } else {
                    waitForRoom(turn: turn)
                    turn += 1
                }
            }
        }

        /// Waits a little: a pause, a yield, or asleep until nodes have been run.
        private func waitForRoom(turn: Int) {
            if turn < Strand.spinningTurns {
                queued.spin(turn: turn)
                return
            }
            Probe.wait(self)
            // sequential: this count and the load after it, against the subtraction and the load in `giveUpRoom(_:)`.
            // One of the two sides sees the other; else a sender could sleep beside an empty inbox.
            waiters.fetchAdd(1, .sequential)
            let seen = queued.load(.sequential)
            if seen >= inboxCapacity { queued.blockingWait(while: UInt32(truncatingIfNeeded: seen)) }
            waiters.fetchSubtract(1, .relaxed)
        }

        private func giveUpRoom(_ count: UInt64) {
            // sequential: with the load after it, as said in `waitForRoom(turn:)`.
            let left = queued.fetchSubtract(count, .sequential) - count
            if waiters.load(.sequential) != 0 { queued.wake() }
            if left <= inboxCapacity / 2, stoppedList.load(.sequential) != 0 { resumeStopped() }
        }

        // MARK: As a creditor

        override class var words: Int { 80 }

        // sequential: as said in `stop(_:)`.
        override var waitingCount: UInt64 { queued.load(.sequential) }

        override var capacity: UInt64 { inboxCapacity }

        // relaxed: who waits for one asks again.
        override var deliveries: UInt64 { progress.load(.relaxed) }

        override var usualPatience: Double { 0.1 }

        /// Waits for room in what this thread overfilled while it owned a strand.
        @usableFromInline
        @inline(never)
        static func settleDebt() { ThreadState.current.takeDebt()?.blockingWaitForRoom() }

        override func blockingWaitForRoom() {
            var turn = 0
            while queued.load(.relaxed) >= inboxCapacity {
                waitForRoom(turn: turn)
                turn += 1
            }
        }
    }
#endif
