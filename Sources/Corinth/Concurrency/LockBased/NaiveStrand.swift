#if NaiveLocks
    /// The naive strand: a mutex that is held during delivery, as in the libraries that people use today.
    ///
    /// A thread that finds it locked waits. The thread that holds it queues what it sends from inside its callbacks, and
    /// runs it before it unlocks: what a recursive mutex would nest, against the grammar of streams (law E1). There is no
    /// inbox, no bound and no helping; a second mutex, never held while user code runs, guards the signal's state.
    @usableFromInline
    final class Strand: @unchecked Sendable {  // What the mutexes are for.
        @usableFromInline static let defaultCapacity = 16_384

        /// The token of the thread that holds `delivery`, or 0. Written by that thread. At offset 0.
        private var ownerStorage: UInt64 = 0

        /// How many nodes are in `posted`: what spares the holder a look under the mutex. At offset 8.
        private var postedCountStorage: UInt64 = 0

        /// At offset 16.
        private var deliveryStorage = Mutex.Storage()

        /// Keeps what follows off the cache line that threads write to which wait for `delivery`.
        private var deliveryPadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
            0, 0, 0, 0, 0, 0, 0, 0
        )

        /// Behind that.
        private var stateStorage = Mutex.Storage()

        /// What the holder queued. Touched by the holder only.
        @safe @exclusivity(unchecked)
        private var deferred: [StrandNode] = []

        /// What others left to the holder. Guarded by `state`, so that a disposal, which goes against the direction in which
        /// locks are taken, waits for none of them.
        @safe @exclusivity(unchecked)
        private var posted: [StrandNode] = []

        @usableFromInline static let defaultStallTimeout: UInt64 = 100_000_000

        /// - Parameters:
        ///   - capacity: Checked, and otherwise of no use to a strand on which everybody waits.
        ///   - stallTimeout: Of no use either.
        @usableFromInline
        init(capacity: Int = Strand.defaultCapacity, stallTimeout: UInt64 = Strand.defaultStallTimeout) {
            precondition(capacity > 0, "inboxCapacity is \(capacity), but must be at least 1")
            delivery.create(in: &deliveryStorage)
            state.create(in: &stateStorage)
        }

        deinit {
            delivery.destroy()
            state.destroy()
        }

        private var owner: AtomicWord { AtomicWord(of: self) }
        private var postedCount: AtomicWord { AtomicWord(of: self, at: 8) }
        private var delivery: Mutex { Mutex(of: self, at: 16) }

        @inlinable
        var state: Mutex { Mutex(of: self, at: 16 + MemoryLayout<Mutex.Storage>.stride + 64) }

        /// Whether this thread holds the lock.
        var isHeldHere: Bool { owner.load(.relaxed) == ThreadState.current.token }

        /// Locks; false if this thread holds the lock already.
        @usableFromInline
        func tryEnter() -> Bool {
            let me = ThreadState.current.token
            // relaxed: only this thread can have written its own token.
            if owner.load(.relaxed) == me { return false }
            delivery.lock()
            owner.store(me, .relaxed)
            return true
        }

        /// Locks, if that takes no waiting.
        @usableFromInline
        func tryEnterAtOnce() -> Bool {
            let me = ThreadState.current.token
            guard owner.load(.relaxed) != me, delivery.tryLock() else { return false }
            owner.store(me, .relaxed)
            return true
        }

        /// Runs what was queued meanwhile, and unlocks.
        @usableFromInline
        func leave() {
            repeat {
                runQueued()
                owner.store(0, .relaxed)
                delivery.unlock()
                // What was posted just before the unlocking is nobody else's business.
            } while hasPosted && tryEnterAtOnce()
        }

        private func runQueued() {
            // relaxed: what is posted after this look, `hasPosted` sees.
            while !deferred.isEmpty || postedCount.load(.relaxed) > 0 {
                let batch = deferred + takePosted()
                deferred = []
                for node in batch { node.run(node) }
            }
        }

        /// Whether there is work that the thread that posted it couldn't do because the mutex was locked. Called after the
        /// unlocking.
        ///
        /// sequential: one of two must see the other, the holder this count or the thread that posts the mutex unlocked. The
        /// holder unlocks and then loads; the other one adds, sequentially too, and then tries to lock. Neither order can be
        /// turned round. An unlocking is at least a release, on x86-64 a locked instruction, which no later load overtakes;
        /// on arm64 a sequential load doesn't overtake a release. The locking that is tried is at least an acquire, which
        /// doesn't overtake the sequential change before it. So a plain load is enough here, on the path of each event, and
        /// the locked instruction is where something is posted.
        private var hasPosted: Bool { postedCount.load(.sequential) > 0 }

        private func takePosted() -> [StrandNode] {
            state.withLock {
                defer {
                    postedCount.fetchSubtract(UInt64(posted.count), .relaxed)
                    posted = []
                }
                return posted
            }
        }

        /// Leaves the node to whoever holds the lock.
        @usableFromInline
        func enqueueAtOnce(_ node: StrandNode) {
            if isHeldHere { return deferred.append(node) }
            state.withLock {
                posted.append(node)
                // sequential: as in `hasPosted`.
                postedCount.fetchAdd(1, .sequential)
            }
            if tryEnterAtOnce() { leave() }
        }

        /// Whether the caller may queue work: it is inside a delivery, and its work comes after that.
        @usableFromInline
        func tryTake() -> Bool { isHeldHere }

        /// There are no places, and nobody waits for one.
        @usableFromInline
        func takeInTurn() {}

        @usableFromInline
        func enqueueTaken(_ node: StrandNode) { enqueue(node) }

        @usableFromInline
        func enqueueWithoutWaiting(_ node: StrandNode, hasPlace: Bool) { enqueueAtOnce(node) }

        @usableFromInline
        func takeOuterWaits() -> DeferredWaits? { nil }

        @usableFromInline
        func leaveAtOnce(restoring outer: DeferredWaits?) { leave() }

        /// Whoever delivers waits in place, and so for nothing later.
        @usableFromInline
        struct DeferredWaits {}

        /// Nothing stops.
        @usableFromInline
        static var mustStop: Bool { false }

        /// Runs the node after the event in progress if this thread is in one, else now.
        @usableFromInline
        func enqueue(_ node: StrandNode) {
            if tryEnter() {
                node.run(node)
                leave()
            } else {
                Probe.contended(self)
                deferred.append(node)
            }
        }

        /// Queues the node behind the event in progress. Called by the thread that is in one.
        @usableFromInline
        func enqueueInOrder(_ node: StrandNode) { deferred.append(node) }

        /// Nobody waits for a place.
        @usableFromInline
        static func settle() {}

        /// Every signal has its own mutex, derived ones too.
        @usableFromInline
        func derived() -> Strand { Strand() }

        /// Entered on the way down, inside the source's delivery. Recursion queues at the source, so it never waits for
        /// its own thread, but in one case: the end of a source that is derived from twice over.
        @usableFromInline
        func enterDerived() {
            let me = ThreadState.current.token
            if owner.load(.relaxed) == me {
                depth += 1
                return
            }
            delivery.lock()
            owner.store(me, .relaxed)
        }

        /// How often the holder has entered again. Touched by the holder only.
        @safe @exclusivity(unchecked)
        private var depth = 0

        @usableFromInline
        func leaveDerived() {
            if depth > 0 {
                depth -= 1
            } else {
                leave()
            }
        }

        /// Changes of a signal's state wait for nobody's callbacks.
        @usableFromInline
        func beginEdit() -> Bool {
            state.lock()
            return true
        }

        @usableFromInline
        func endEdit() { state.unlock() }

        /// Never needed: an edit that begins is in place.
        @usableFromInline
        func enqueueEdit(_ work: @escaping () -> Void) { work() }

        /// Nothing stops.
        @usableFromInline
        func cancelStops() {}

        /// The same as ``enqueueEdit(_:)``.
        @usableFromInline
        func enqueueObserving(_ work: @escaping () -> Void) { work() }

        /// Reads or changes a signal's state from a delivery.
        @inlinable
        func withState<Result: ~Copyable>(_ body: () -> Result) -> Result {
            state.lock()
            defer { state.unlock() }
            return body()
        }
    }
#endif
