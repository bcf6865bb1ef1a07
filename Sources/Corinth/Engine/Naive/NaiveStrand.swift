#if NaiveLocks
    /// The naive strand: a mutex that is held during delivery, as in common libraries today.
    ///
    /// A thread that finds it locked waits. The thread that holds it queues the events that it sends from inside its
    /// callbacks, and runs them before it unlocks. A recursive mutex would nest them, against the grammar of streams (law
    /// E1). There is no inbox, no bound and no helping. A second mutex guards the signal's state. It is never held while user
    /// code runs.
    @usableFromInline
    final class Strand: @unchecked Sendable {  // The mutexes guard the mutable state.
        @usableFromInline static let defaultCapacity = 16_384

        /// Whether a hop without a policy is bounded.
        @usableFromInline static let boundsHops = false

        /// The token of the thread that holds `delivery`, or 0. Written by that thread.
        let owner = AtomicWord()

        /// How many nodes are in `posted`. It saves the holder from locking the mutex to check.
        private let postedCount = AtomicWord()

        /// The observations that were disposed of while another thread or this one delivered.
        let removals = AtomicStack()

        /// At offset 24.
        private var deliveryStorage = Mutex.Storage()

        /// Keeps the next fields off the cache line that threads write while they wait for `delivery`.
        private var deliveryPadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
            0, 0, 0, 0, 0, 0, 0, 0
        )

        /// After the padding.
        private var stateStorage = Mutex.Storage()

        /// Nodes queued by the holder. Accessed by the holder only.
        @safe @exclusivity(unchecked)
        private var deferred: [StrandNode] = []

        /// Nodes that other threads have posted to the holder. Guarded by `state`. A disposal goes against the lock order, so
        /// it must not wait for `delivery`.
        @safe @exclusivity(unchecked)
        private var posted: [StrandNode] = []

        @usableFromInline static let defaultStallTimeout: UInt64 = 100_000_000

        /// - Parameters:
        ///   - capacity: Checked, otherwise unused: senders wait for the lock.
        ///   - stallTimeout: Unused.
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

        private var delivery: Mutex { Mutex(of: self, at: 24) }

        @inlinable
        var state: Mutex { Mutex(of: self, at: 24 + MemoryLayout<Mutex.Storage>.stride + 64) }

        /// Whether this thread holds the lock.
        var isHeldHere: Bool { owner.load(.relaxed) == ThreadState.current.token }

        /// Locks; nil if this thread already holds the lock.
        @usableFromInline
        func enter() -> Owned? {
            let me = ThreadState.current.token
            // relaxed: only this thread can have written its own token.
            if owner.load(.relaxed) == me { return nil }
            delivery.lock()
            return begin(me)
        }

        /// Locks if this takes no waiting.
        @usableFromInline
        func enterAtOnce() -> Owned? {
            let me = ThreadState.current.token
            guard owner.load(.relaxed) != me, delivery.tryLock() else { return nil }
            return begin(me)
        }

        /// Begins with what was posted just before the last unlock, perhaps by the same task (law E4).
        private func begin(_ me: UInt64) -> Owned {
            owner.store(me, .relaxed)
            // relaxed: what this thread or its task has posted is seen, unless it has been run.
            if postedCount.load(.relaxed) > 0 { runQueued() }
            return Owned()
        }

        /// Runs the queued nodes and unlocks.
        @usableFromInline
        func leave(_ owned: consuming Owned) {
            var owned = owned
            while true {
                runQueued()
                owned.end()
                owner.store(0, .relaxed)
                delivery.unlock()
                // No other thread runs nodes that were posted just before the unlock.
                guard hasPosted, let again = enterAtOnce() else { return }
                owned = again
            }
        }

        private func runQueued() {
            // relaxed: `hasPosted` sees nodes posted after this check.
            while !deferred.isEmpty || postedCount.load(.relaxed) > 0 {
                let batch = deferred + takePosted()
                deferred = []
                ThreadState.current.during(.none) {
                    for node in batch { node.run(node) }
                }
            }
        }

        /// Whether there is work whose posting thread found the mutex locked. Called after the unlock.
        ///
        /// sequential: either the holder sees the count, or the posting thread sees the mutex unlocked. The holder unlocks,
        /// then loads. The posting thread adds, also sequentially, then tries to lock. Neither pair can be reordered. An
        /// unlock is at least a release. On x86-64 it is a locked instruction, which no later load overtakes. On arm64 a
        /// sequential load doesn't overtake a release. The attempt to lock is at least an acquire, which doesn't overtake the
        /// sequential change before it. So a plain load is sufficient here, on the path of each event, and the locked
        /// instruction is on the posting side.
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

        /// Runs the node after the current event if this thread is inside one. Otherwise now; but one that must not wait is left
        /// to the thread that holds the lock.
        @usableFromInline
        func enqueue(_ node: StrandNode, _ mode: PermitMode) {
            let node = ChangeNode.keeping(node, by: .current)
            if isHeldHere {
                if mode != .atOnce { Probe.contended(self) }
                return deferred.append(node)
            }
            if mode != .atOnce, let owned = enter() {
                node.run(node)
                return leave(owned)
            }
            state.withLock {
                posted.append(node)
                // sequential: as in `hasPosted`.
                postedCount.fetchAdd(1, .sequential)
            }
            if let owned = enterAtOnce() { leave(owned) }
        }

        /// Whether the caller may queue work: it is inside a delivery, and its work runs after that.
        @usableFromInline
        func tryTake() -> Bool { isHeldHere }

        /// A task never waits: its events are posted to the thread that holds the lock.
        @usableFromInline
        func tryTake(for task: TaskWaiter?) -> Bool { task != nil || tryTake() }

        /// Empty: there are no permits.
        @usableFromInline
        func takeInTurn() {}

        @usableFromInline
        func attempt(_ node: StrandNode, _ mode: PermitMode, suspending suspends: Bool) -> SendAttempt {
            enqueue(node, .atOnce)
            return .sent
        }

        @inlinable
        func setWaitsAside(_ owned: consuming Owned) -> NonblockingDelivery { NonblockingDelivery(owned: owned) }

        @usableFromInline
        func leave(_ delivery: consuming NonblockingDelivery, suspending suspends: Bool) -> SendAttempt {
            leave(delivery.owned)
            return .sent
        }

        /// Nothing ever stops.
        @usableFromInline
        static var mustStop: Bool { false }

        /// Runs the work of a scheduler's thread. It waits in place, like any other thread.
        @inlinable
        static func withoutWaiting(_ body: () -> Void) { body() }

        /// Never needed: an edit always begins in place.
        func remember(_ follower: DeliveryFollower) -> Bool { false }

        /// Nothing ever stops.
        @inlinable
        static func stops(owning own: Permits?, thenResumes action: @escaping @Sendable () -> Void) -> Bool { false }

        @inlinable
        func queue<Target: EventTarget>(_ value: Target.QueuedValue, for target: Target, isKeptByList: Bool) {
            enqueue(EventNode(value, for: target, isKeptByList: isKeptByList), .inTurn)
        }

        /// Queues the node behind the current event. Called by the thread that is inside it.
        @usableFromInline
        func enqueueInOrder(_ node: StrandNode) { deferred.append(ChangeNode.keeping(node, by: .current)) }

        /// No thread waits for a permit.
        @usableFromInline
        static func waitForDeferred() {}

        @inlinable
        static var isShared: Bool { false }

        /// Every signal has its own mutex, including derived ones.
        @usableFromInline
        func derived() -> Strand { Strand() }

        /// Enters on the way downstream, inside the source's delivery. Recursion queues at the source, so a thread never
        /// waits for itself, with one exception: the termination of a source from which a signal is derived by two paths.
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

        /// How often the holder has entered again. Accessed by the holder only.
        @safe @exclusivity(unchecked)
        private var depth = 0

        @usableFromInline
        func leaveDerived() {
            if depth > 0 {
                depth -= 1
            } else {
                // `enterDerived()` has taken it.
                leave(Owned())
            }
        }

        /// Changes of a signal's state don't wait for callbacks.
        @usableFromInline
        func beginEdit() -> Edit? {
            state.lock()
            return Edit()
        }

        @usableFromInline
        func endEdit(_ edit: consuming Edit) {
            edit.end()
            state.unlock()
        }

        /// Never needed: an edit always begins in place.
        @usableFromInline
        func enqueueEdit(_ work: @escaping () -> Void) { work() }

        /// Nothing ever stops.
        @usableFromInline
        func endWaits() {}

        /// The same as ``enqueueEdit(_:)``.
        @usableFromInline
        func enqueueObserving(_ work: @escaping () -> Void) { work() }

        /// Reads or changes a signal's state during a delivery.
        @inlinable
        func withState<Result: ~Copyable>(_ body: () -> Result) -> Result {
            state.lock()
            defer { state.unlock() }
            return body()
        }
    }

    /// A delivery that must not wait. Whoever delivers waits in place, and so for nothing later.
    @usableFromInline
    struct NonblockingDelivery: ~Copyable {
        @usableFromInline let owned: Owned

        @inlinable
        init(owned: consuming Owned) { self.owned = owned }
    }
#endif
