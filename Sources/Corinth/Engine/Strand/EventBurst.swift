#if !NaiveLocks
    internal import CCorinth

    // A thread that sends on a busy strand mostly finds that nobody else has queued anything since its last event. Then it adds the
    // next one to the same node. That costs one compare-exchange on a cache line of its own: no allocation, no permit, and no write to
    // what other threads write. For the owner, too, one node with many values is cheaper than many nodes, each of which another
    // processor has written.
    //
    // The order of events stays that of their sends. An event is added only behind the newest one: whatever this thread could know of
    // is before it.

    /// How many events a burst has, and whether its thread may add some.
    ///
    ///      63      62 …… 0
    ///     | closed | count |
    @frozen
    @usableFromInline
    struct BurstWord: WordState, Equatable {
        @usableFromInline let bits: UInt64

        @inlinable @inline(__always)
        init(bits: UInt64) { self.bits = bits }

        /// One event.
        @inlinable
        static var first: BurstWord { BurstWord(bits: 1) }

        @inlinable
        static var closing: UInt64 { 1 << 63 }

        @inlinable var count: UInt64 { bits & ~BurstWord.closing }

        @inlinable var isClosed: Bool { bits & BurstWord.closing != 0 }

        var closed: BurstWord { BurstWord(bits: bits | BurstWord.closing) }

        /// With one event more; nil if there is no room, or it is closed.
        @inlinable
        func adding(room: UInt64) -> BurstWord? {
            isClosed || count >= room ? nil : BurstWord(bits: bits + 1)
        }
    }

    /// Queued events of one thread that follow each other.
    ///
    /// The list has a reference, as to each node. The thread has another one until it queues elsewhere: so it never looks at a burst
    /// that is gone. The owner closes the burst before it runs the first event, and has run all when the last reference goes.
    ///
    /// Not generic: only what makes it, adds to it and runs it knows the type of the values.
    @usableFromInline
    @safe final class EventBurst: StrandNode, @unchecked Sendable {  // See the superclass, and ``word``.
        /// Only the thread that has pushed it adds; only the owner closes.
        @usableFromInline let word = AtomicState(BurstWord.first)

        /// How many events have run. Owned by the strand's owner.
        @safe @exclusivity(unchecked)
        @usableFromInline var position: UInt64 = 0

        /// Of as many values as the burst has permits. Those from ``position`` up to the count are initialised.
        @usableFromInline let memory: UnsafeMutableRawPointer

        #if Exploration
            /// Represent the values, which are plain memory, for the explorer.
            private let marks: [Mark]
            private final class Mark {}
        #endif

        /// A burst of one event, which `values` has.
        ///
        /// - Parameter size: The binary logarithm of how many events there is room for.
        @usableFromInline
        init(
            on state: Unmanaged<AnyObject>, size: Int, values: UnsafeMutableRawPointer,
            run: @escaping (StrandNode) -> Void
        ) {
            unsafe memory = values
            #if Exploration
                marks = (0..<1 << size).map { _ in Mark() }
            #endif
            super.init(on: state, isKeptByList: true, size: size, run: run)
            ccorinth_at_thread_end { ThreadState.current.forgetQueued() }
        }

        deinit {
            #if !Exploration
                // relaxed: nobody else has it. A seeded bug may lose events.
                assert(word.load(.relaxed).count == position, "a burst is released before all its events have run")
            #endif
            unsafe memory.deallocate()
        }

        @export(implementation) @inline(__always)
        static func make<Target: EventTarget>(_ value: Target.QueuedValue, for target: Target, size: Int) -> EventBurst
        {
            let values = UnsafeMutablePointer<Target.QueuedValue>.allocate(capacity: 1 << size)
            unsafe values.initialize(to: value)
            return unsafe EventBurst(on: .passUnretained(target), size: size, values: UnsafeMutableRawPointer(values)) {
                node in
                let burst = unsafe unsafeDowncast(node, to: EventBurst.self)
                let value = unsafe burst.slot(burst.nextIndex(), of: Target.self).move()
                burst.withState(Target.self) { $0.deliverQueued(value) }
            }
        }

        @export(implementation) @inline(__always)
        func slot<Target: EventTarget>(_ index: UInt64, of target: Target.Type) -> UnsafeMutablePointer<
            Target.QueuedValue
        > {
            unsafe memory.assumingMemoryBound(to: Target.QueuedValue.self) + Int(truncatingIfNeeded: index)
        }

        /// Adds an event. False if there is no room, or the owner has begun to run the burst.
        @export(implementation) @inline(__always)
        func add<Target: EventTarget>(_ value: Target.QueuedValue, for target: Target) -> Bool {
            guard let index = freeIndex() else { return false }
            let slot = unsafe slot(index, of: Target.self)
            unsafe slot.initialize(to: value)
            if publish(index) { return true }
            unsafe slot.deinitialize(count: 1)
            return false
        }

        /// Where the next event is written; nil if there is no room.
        @usableFromInline
        func freeIndex() -> UInt64? {
            // relaxed: only this thread adds.
            let seen = word.load(.relaxed)
            guard seen.adding(room: permits) != nil else { return nil }
            noteAccess(seen.count)
            return seen.count
        }

        /// Adds the event at an index, unless the burst is closed.
        // release: publishes the value. Pairs with the acquire in `close()`.
        @usableFromInline
        func publish(_ index: UInt64) -> Bool {
            word.tryUpdate(from: BurstWord(bits: index), .release) { $0.adding(room: permits) }.won
        }

        /// Whether it has room for an event of `state`.
        @safe func hasRoom(for state: Unmanaged<AnyObject>) -> Bool {
            // relaxed: only this thread adds, and then it looks again.
            unsafe self.state?.toOpaque() == state.toOpaque() && word.load(.relaxed).adding(room: permits) != nil
        }

        /// Whether it has some events of `state`.
        @safe func hasPaid(for state: Unmanaged<AnyObject>) -> Bool {
            // relaxed: a hint.
            unsafe self.state?.toOpaque() == state.toOpaque() && word.load(.relaxed).count >= 4
        }

        // MARK: By the owner of the strand

        /// Begins the next event.
        ///
        /// - Returns: How many permits are free when it has run, and whether it is the last one.
        func begin() -> (permits: UInt64, isLast: Bool) {
            if position == 0 { close() }
            // relaxed: it is closed.
            let isLast = word.load(.relaxed).count == position + 1
            return (isLast ? permits - position : 1, isLast)
        }

        // acquire: sees the events. Pairs with the release in `publish(_:)`.
        private func close() { word.update(.acquire) { $0.closed } }

        /// Where the next event is.
        @usableFromInline
        func nextIndex() -> UInt64 {
            noteAccess(position)
            position += 1
            return position - 1
        }

        private func noteAccess(_ index: UInt64) {
            #if Exploration
                PlainAccess.write(marks[Int(index)])
            #endif
        }
    }

    extension EventTarget {
        /// The binary logarithm of how many events a burst has room for: four cache lines, or four events.
        @export(implementation) @inline(__always)
        static var burstSize: Int {
            #if Exploration
                Explorer.limit(.bursting, usually: 0)
            #else
                switch MemoryLayout<QueuedValue>.stride {
                case ...8: 5
                case ...16: 4
                case ...32: 3
                default: 2
                }
            #endif
        }
    }

    /// What a thread has queued last, in one word: a burst, which it has retained, or the address of another node, which may be gone.
    struct LastQueued {
        let bits: UInt

        static var nothing: LastQueued { LastQueued(bits: 0) }

        /// - Parameter burst: Retained.
        @safe static func burst(_ burst: Unmanaged<EventBurst>) -> LastQueued {
            LastQueued(bits: unsafe UInt(bitPattern: burst.toOpaque()) | 1)
        }

        @safe static func other(_ node: Unmanaged<StrandNode>) -> LastQueued {
            LastQueued(bits: unsafe UInt(bitPattern: node.toOpaque()))
        }

        var address: UInt64 { UInt64(bits & ~3) }

        var burst: Unmanaged<EventBurst>? { unsafe TaggedReference.object(of: bits, tagged: 1) }
    }

    extension ThreadState {
        private var lastQueued: LastQueued { unsafe LastQueued(bits: state.pointee.queued) }

        /// From here to ``endUsing()`` the word is this thread's alone: a signal handler that sends meanwhile notes nothing and adds to no
        /// burst, since the thread holds something. See ``mayWait``.
        func beginUsing() -> LastQueued {
            hold()
            AsymmetricBarrier.light()
            return lastQueued
        }

        func endUsing() {
            AsymmetricBarrier.light()
            letGo()
            // A signal handler has exceeded a bound.
            if isDue { blockingWaitForDeferred() }
        }

        /// The burst that this thread has queued last, for tests.
        var burst: Unmanaged<EventBurst>? { unsafe lastQueued.burst }

        /// Whether this thread has queued something.
        var hasQueued: Bool { lastQueued.bits != 0 }

        /// This thread ends.
        func forgetQueued() { if hasQueued { note(queued: .nothing) } }

        /// Notes what this thread has queued last, and lets go what it had before.
        func note(queued: LastQueued) {
            let before = beginUsing()
            unsafe state.pointee.queued = queued.bits
            endUsing()
            if let burst = unsafe before.burst { unsafe burst.release() }
        }
    }

    extension Strand {
        /// Queues an event for its owner.
        ///
        /// - Parameters:
        ///   - target: Whose event it is.
        ///   - isKeptByList: Only if `target` is the object whose strand it is.
        @export(implementation) @inline(__always)
        func queue<Target: EventTarget>(_ value: Target.QueuedValue, for target: Target, isKeptByList: Bool) {
            if isKeptByList {
                let size = Target.burstSize
                if let burst = unsafe takeBurst(of: .passUnretained(target)) {
                    let isAdded = unsafe burst._withUnsafeGuaranteedRef { $0.add(value, for: target) }
                    endTaking(isAdded: isAdded)
                    if isAdded { return }
                } else if unsafe beginsBurst(of: .passUnretained(target), size: size) {
                    return enqueue(.make(value, for: target, size: size))
                }
            }
            enqueue(EventNode(value, for: target, isKeptByList: isKeptByList), .inTurn)
        }

        /// The burst to which this thread adds an event of `state`, until ``endTaking(isAdded:)``. Nil if there is none.
        @usableFromInline
        @inline(never)
        @safe func takeBurst(of state: Unmanaged<AnyObject>) -> Unmanaged<EventBurst>? {
            let thread = ThreadState.current
            guard thread.hasQueued, mayBurst(thread) else { return nil }
            let last = thread.beginUsing()
            if let burst = unsafe last.burst, isNewest(last),
                unsafe burst._withUnsafeGuaranteedRef({ $0.hasRoom(for: state) })
            {
                return unsafe burst
            }
            thread.endUsing()
            return nil
        }

        /// Whether this thread begins a burst of `state`. Then it has the permits.
        ///
        /// - Parameter size: The binary logarithm of how many events there is room for.
        @usableFromInline
        @inline(never)
        @safe func beginsBurst(of state: Unmanaged<AnyObject>, size: Int) -> Bool {
            let thread = ThreadState.current
            guard thread.hasQueued, size > 0, mayBurst(thread) else { return false }
            let last = thread.beginUsing()
            // A burst that others have interrupted early, or the owner has begun to run, didn't pay.
            let pays = unsafe last.burst?._withUnsafeGuaranteedRef { $0.hasPaid(for: state) } ?? false
            let begins = pays || isNewest(last)
            thread.endUsing()
            return begins && tryTake(1 << UInt64(size))
        }

        /// Whether a thread's events may follow each other in one node. A leader counts each event of its term, and what is part of a
        /// change is a node of its own.
        private func mayBurst(_ thread: ThreadState) -> Bool {
            thread.mayWait && thread.change == .none && !thread.batch.isTerm
        }

        /// Whether the newest node is the calling thread's.
        private func isNewest(_ last: LastQueued) -> Bool {
            #if Exploration
                if Explorer.limit(.overtaking, usually: 0) > 0 { return true }
            #endif
            // relaxed: if it is, then nothing that this thread could know of is behind it.
            return StrandWord(bits: word.load(.relaxed)).newest == last.address
        }

        /// Takes the permits of a burst, if they are free and this thread needn't wait for them.
        private func tryTake(_ count: UInt64) -> Bool {
            let thread = ThreadState.current
            let address = stateAddress
            #if !Exploration
                if !address.pointee.isLarge { return false }
            #endif
            // relaxed: counts, as in `blockingTake()`.
            var seen = address.pointee.used.load(.relaxed)
            while true {
                let limit = address.pointee.limit.load(.relaxed)
                let isOfBatch = limit == 0 && thread.batch.mayQueue(count) && thread.batch.belongs(to: address)
                if seen &+ count > (isOfBatch ? address.pointee.capacity : limit) { return false }
                let result = address.pointee.used.compareExchange(seen, seen &+ count, .relaxed)
                if result.won {
                    if isOfBatch { thread.takeFromBatch(count) }
                    Turns.pass(address)
                    return true
                }
                seen = result.seen
            }
        }

        /// Ends ``takeBurst(of:)``.
        @usableFromInline
        @inline(never)
        func endTaking(isAdded: Bool) {
            let thread = ThreadState.current
            thread.endUsing()
            if !isAdded { return }
            Probe.contended(self)
            endQueueing(thread)
        }

        /// Queues a burst that has its permits.
        @usableFromInline
        @inline(never)
        func enqueue(_ burst: EventBurst) {
            let thread = ThreadState.current
            guard let entered = unsafe push(.passRetained(burst), by: thread) else {
                thread.note(queued: unsafe .burst(.passRetained(burst)))
                return endQueueing(thread)
            }
            entered.node.run(entered.node)
            leave(entered.owned)
            thread.endHelping()
        }
    }
#endif
