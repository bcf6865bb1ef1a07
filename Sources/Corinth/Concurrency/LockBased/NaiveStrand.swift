#if NaiveLocks
    /// The naive strand: a mutex that is held during delivery, as in the libraries that people use today.
    ///
    /// A thread that finds it locked waits. The thread that holds it queues what it sends from inside its callbacks, and
    /// runs it before it unlocks: what a recursive mutex would nest, against the grammar of streams (law E1). There is no
    /// inbox, no bound and no helping; a second mutex, never held while user code runs, guards the signal's state.
    @usableFromInline
    final class Strand: @unchecked Sendable {  // What the mutexes are for.
        @usableFromInline static let defaultCapacity = 16_384

        private let delivery = Mutex()
        @usableFromInline let state = Mutex()

        /// The token of the thread that holds `delivery`, or 0. Written by that thread.
        private var ownerStorage: UInt64 = 0

        /// How many nodes are in `posted`: what spares the holder a look under the mutex.
        private var postedCountStorage: UInt64 = 0

        /// What the holder queued. Touched by the holder only.
        private var deferred: [StrandNode] = []

        /// What others left to the holder. Guarded by `state`, so that a disposal, which goes against the direction in which
        /// locks are taken, waits for none of them.
        private var posted: [StrandNode] = []

        /// - Parameter capacity: Checked, and otherwise of no use to a strand on which everybody waits.
        @usableFromInline
        init(capacity: Int = Strand.defaultCapacity) {
            precondition(capacity > 0, "inboxCapacity is \(capacity), but must be at least 1")
        }

        private var owner: AtomicWord { AtomicWord(of: self, at: 16) }
        private var postedCount: AtomicWord { AtomicWord(of: self, at: 24) }

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

        /// Whether there is work that the thread that posted it couldn't do because the mutex was locked.
        ///
        /// acquireRelease, and read by a change: either this comes after the one in `enqueueAtOnce(_:)` and sees it, or
        /// that one comes after this, and its `tryLock()` after the unlocking.
        private var hasPosted: Bool { postedCount.fetchAdd(0, .acquireRelease) > 0 }

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
            state.withLock {
                posted.append(node)
                // acquireRelease: as in `hasPosted`.
                postedCount.fetchAdd(1, .acquireRelease)
            }
            if tryEnterAtOnce() { leave() }
        }

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

        /// Nobody waits for room.
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

        /// Reads or changes a signal's state from a delivery.
        @inlinable
        func withState<Result: ~Copyable>(_ body: () -> Result) -> Result {
            state.lock()
            defer { state.unlock() }
            return body()
        }
    }
#endif
