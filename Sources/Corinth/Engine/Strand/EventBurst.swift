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
    struct BurstWord: WordState {
        let bits: UInt64

        init(bits: UInt64) { self.bits = bits }

        /// One event.
        static var first: BurstWord { BurstWord(bits: 1) }

        private static var closing: UInt64 { 1 << 63 }

        var count: UInt64 { bits & ~BurstWord.closing }

        var isClosed: Bool { bits & BurstWord.closing != 0 }

        var closed: BurstWord { BurstWord(bits: bits | BurstWord.closing) }

        /// The binary logarithm of how many events a burst has room for if permits are scarce: of 4, or the power of two above what its
        /// thread's last burst has got. So a thread that sends no more doesn't leave many unused.
        static func size(after count: UInt64) -> Int { max(2, UInt64.bitWidth - count.leadingZeroBitCount) }

        /// With one event more; nil if there is no room, or it is closed.
        func adding(room: UInt64) -> BurstWord? { isClosed || count >= room ? nil : BurstWord(bits: bits + 1) }
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
        let word = AtomicState(BurstWord.first)

        /// How many events have run. Owned by the strand's owner.
        @safe @exclusivity(unchecked)
        private var position: UInt64 = 0

        /// Of as many values as it has permits. Those from ``position`` up to the count are initialised.
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

        /// Its events are those of this state.
        @safe func isOf(_ state: Unmanaged<AnyObject>) -> Bool { unsafe self.state?.toOpaque() == state.toOpaque() }

        /// For the thread that has pushed it: where the next event is written; nil if there is no room, or it is closed.
        var freeIndex: UInt64? {
            // relaxed: only this thread adds.
            let seen = word.load(.relaxed)
            return seen.adding(room: permits) == nil ? nil : seen.count
        }

        /// How many events it has got.
        // relaxed: a hint.
        var count: UInt64 { word.load(.relaxed).count }

        /// Adds the event at an index, unless the burst is closed.
        // release: publishes the value. Pairs with the acquire in `close()`.
        func publish(_ index: UInt64) -> Bool {
            noteAccess(index)
            return word.tryUpdate(from: BurstWord(bits: index), .release) { $0.adding(room: permits) }.won
        }

        // MARK: By the owner of the strand

        /// Begins the next event.
        ///
        /// - Returns: How many permits are free when it has run, with the first one those that weren't used; and whether it is the last.
        func begin() -> (permits: UInt64, isLast: Bool) {
            if position == 0 {
                let open = close()
                return (1 + permits - open.count, open.count == 1)
            }
            // relaxed: it is closed.
            return (1, word.load(.relaxed).count == position + 1)
        }

        /// - Returns: How it was.
        // acquire: sees the events. Pairs with the release in `publish(_:)`.
        private func close() -> BurstWord { word.update(.acquire) { $0.closed }.old }

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
        /// The binary logarithm of how many events a burst has room for, at most: four cache lines, or four events.
        @export(implementation) @inline(__always)
        static var largestBurst: Int {
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
        fileprivate var lastQueued: LastQueued { unsafe LastQueued(bits: state.pointee.queued) }

        /// The burst that this thread has queued last, for tests.
        var burst: Unmanaged<EventBurst>? { unsafe lastQueued.burst }

        /// Whether this thread has queued something.
        var hasQueued: Bool { lastQueued.bits != 0 }

        /// This thread ends.
        func forgetQueued() { if hasQueued { note(queued: .nothing) } }

        /// Notes what this thread has queued last, and lets go what it had before.
        func note(queued: LastQueued) {
            let use = UseOfLastQueued()
            unsafe state.pointee.queued = queued.bits
            if let burst = unsafe use.end().burst { unsafe burst.release() }
        }
    }

    /// The right to what this thread has queued last. A signal handler that sends meanwhile notes nothing and adds to no burst, since the
    /// thread holds something: see ``ThreadState/mayWait``.
    @usableFromInline
    struct UseOfLastQueued: ~Copyable {
        private let holding: Holding
        let last: LastQueued

        init() {
            holding = ThreadState.beginHolding()
            AsymmetricBarrier.light()
            last = ThreadState.current.lastQueued
        }

        /// - Returns: What that was.
        @discardableResult
        consuming func end() -> LastQueued {
            let last = last
            AsymmetricBarrier.light()
            ThreadState.endHolding(holding)
            // A signal handler may have exceeded a bound.
            Strand.waitForDeferred()
            return last
        }
    }

    /// The burst to which this thread adds an event, and where.
    @usableFromInline
    @safe struct BurstPlace: ~Copyable {
        let use: UseOfLastQueued
        @usableFromInline let burst: Unmanaged<EventBurst>
        @usableFromInline let index: UInt64
    }

    /// How a thread queues an event.
    @usableFromInline
    enum Queueing: ~Copyable {
        /// In its last node.
        case adding(BurstPlace)
        /// In a new node, which others can follow. It has its permits.
        ///
        /// - Parameter size: The binary logarithm of how many events there is room for.
        case beginning(size: Int)
        case alone
    }

    extension Strand {
        /// Queues an event for its owner.
        ///
        /// - Parameters:
        ///   - target: Whose event it is.
        ///   - isKeptByList: Only if `target` is the object whose strand it is.
        @export(implementation) @inline(__always)
        func queue<Target: EventTarget>(_ value: Target.QueuedValue, for target: Target, isKeptByList: Bool) {
            switch unsafe isKeptByList ? queueing(of: .passUnretained(target), most: Target.largestBurst) : .alone {
            case .adding(let place):
                let slot = unsafe place.burst._withUnsafeGuaranteedRef { unsafe $0.slot(place.index, of: Target.self) }
                unsafe slot.initialize(to: value)
                guard let unused = publish(place) else { return }
                unsafe slot.deinitialize(count: 1)
                leave(unused)
            case .beginning(let size):
                return begin(EventBurst.make(value, for: target, size: size))
            case .alone: break
            }
            enqueue(EventNode(value, for: target, isKeptByList: isKeptByList), .inTurn)
        }

        /// How this thread queues an event of `state`.
        ///
        /// - Parameter most: The binary logarithm of how many events a burst has room for, at most.
        @usableFromInline
        @inline(never)
        @safe func queueing(of state: Unmanaged<AnyObject>, most: Int) -> Queueing {
            let thread = ThreadState.current
            guard thread.hasQueued, most > 0, mayBurst(thread) else { return .alone }
            let use = UseOfLastQueued()
            let isNewest = isNewest(use.last)
            var before: UInt64 = 0
            if let last = unsafe use.last.burst, unsafe last._withUnsafeGuaranteedRef({ $0.isOf(state) }) {
                if isNewest, let index = unsafe last._withUnsafeGuaranteedRef({ $0.freeIndex }) {
                    return unsafe .adding(BurstPlace(use: use, burst: last, index: index))
                }
                unsafe before = last._withUnsafeGuaranteedRef { $0.count }
            }
            use.end()
            // A burst that others have interrupted early, or the owner has begun to run, didn't pay.
            guard isNewest || before >= 4 else { return .alone }
            let size = isHalfTaken ? min(most, BurstWord.size(after: before)) : most
            return tryTakeMore(1 << UInt64(size)) ? .beginning(size: size) : .alone
        }

        /// Queues a burst that has its permits. If this is still what this thread has queued last then, the thread keeps it, so that it
        /// can add to it.
        @usableFromInline
        @inline(never)
        func begin(_ burst: EventBurst) {
            enqueue(burst, .taken)
            let thread = ThreadState.current
            let address = unsafe Unmanaged.passUnretained(burst)
            if unsafe thread.lastQueued.bits == UInt(bitPattern: address.toOpaque()) {
                thread.note(queued: unsafe .burst(address.retain()))
            }
        }

        /// Adds the event that was written at a place.
        ///
        /// - Returns: The place, if the owner has closed the burst before.
        @usableFromInline
        @inline(never)
        func publish(_ place: consuming BurstPlace) -> BurstPlace? {
            if unsafe !place.burst._withUnsafeGuaranteedRef({ $0.publish(place.index) }) { return place }
            place.use.end()
            Probe.contended(self)
            endQueueing(.current)
            return nil
        }

        /// Leaves a place where nothing is written.
        @usableFromInline
        @inline(never)
        func leave(_ place: consuming BurstPlace) { place.use.end() }

        /// Whether a thread's events may follow each other in one node. A leader counts each event of its term, and what is part of a
        /// change is a node of its own. A small inbox counts exactly.
        @inline(__always)
        private func mayBurst(_ thread: ThreadState) -> Bool {
            #if !Exploration
                if !state.isLarge { return false }
            #endif
            return thread.mayWait && thread.change == .none && !thread.batch.isTerm
        }

        /// Whether the newest node is the calling thread's.
        @inline(__always)
        private func isNewest(_ last: LastQueued) -> Bool {
            #if Exploration
                if Explorer.limit(.overtaking, usually: 0) > 0 { return true }
            #endif
            // relaxed: if it is, then nothing that this thread could know of is behind it.
            return StrandWord(bits: word.load(.relaxed)).newest == last.address
        }
    }
#endif
