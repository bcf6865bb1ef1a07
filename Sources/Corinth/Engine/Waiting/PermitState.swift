#if !NaiveLocks
    /// What ``Permits`` write, and all that ``WaitGraph`` knows of them: in memory of their own, because a strand needs it only
    /// after threads have met there, and because the graph must not retain them. A release under its flag could be the last one,
    /// and their end takes the flag.
    ///
    /// Each group of fields has its own cache line.
    @usableFromInline
    @safe struct PermitState: ~Copyable {
        // Written by all threads.

        /// How many permits are taken, including those beyond the bound; of a mailbox, how many elements were ever posted.
        @usableFromInline let used = AtomicWord()

        /// If at least this many permits are taken, a taker goes to the slow path. It is the capacity; 0 while there is a
        /// waiter; `.max` if there is no bound, or none any more.
        @usableFromInline let limit: AtomicWord

        /// The permits of observers that are being added to a strand's signals.
        let observing = LazyObject<Permits>()

        /// The permits that the next owner of a strand may take out of order. Owned by the thread that orphans the strand, then
        /// by the thread that adopts it.
        var batchOfResumed = Batch.none
        private let padding: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        // Rarely written.

        /// The number of permits; `.max` if unbounded.
        @usableFromInline let capacity: UInt64

        /// After this time without a delivery, one more capacity is admitted. In nanoseconds; `.max` for never.
        let stallTimeout: UInt64

        /// The context whose work returns permits, if known.
        let server: SerialContext?

        /// Who waits for whom.
        var node = WaitGraph.Node()

        /// Whether ``used`` counts the elements that were ever posted. Otherwise it counts the taken permits.
        let countsPosts: Bool

        /// Whether there are so many that threads take a burst at once, and those that wait may be leader and followers.
        let isLarge: Bool

        /// Counts the queued elements, if statistics were requested. Written before the permits are published.
        @usableFromInline var statistics: BufferStatistics?

        /// Not 0 when all elements will be dropped: then none is queued any more.
        @usableFromInline let over = AtomicWord()

        /// How many elements have been delivered. Written for each one by the delivering side.
        @usableFromInline let progress = AtomicWord()

        /// Nodes that were taken from a strand's word but not run yet, oldest first. Owned by the strand's owner.
        var taken: Unmanaged<StrandNode>?

        /// The object whose strand this is, retained, if the list from which they were taken had a reference to it.
        var keeper: Unmanaged<AnyObject>?

        /// Written with the flag of ``WaitGraph`` held.
        let handing = AtomicState<HandingOut>(.batches)

        /// Not 0 while ``ProgressThread`` has a request for the strand.
        let watched = AtomicWord()

        /// The thread that has led last, by its token.
        let leader = AtomicWord()

        /// How often one more capacity was admitted because nothing was delivered, and how often a permit beyond the bound was
        /// taken because its taker would have waited for itself.
        let stalls = AtomicWord()
        let excesses = AtomicWord()

        private init(
            capacity: UInt64, stallTimeout: UInt64, servedBy server: SerialContext?, countsPosts: Bool, isLarge: Bool
        ) {
            limit = AtomicWord(capacity)
            self.capacity = capacity
            self.stallTimeout = stallTimeout
            self.server = server
            self.countsPosts = countsPosts
            self.isLarge = isLarge
            unsafe taken = nil
            unsafe keeper = nil
        }

        /// Allocates a state.
        static func make(
            capacity: UInt64, stallTimeout: UInt64, servedBy server: SerialContext? = nil, countsPosts: Bool = false,
            isLarge: Bool = false
        ) -> PermitStateAddress {
            let bytes = UnsafeMutableRawPointer.allocate(
                byteCount: MemoryLayout<PermitState>.size, alignment: CacheLinePadding.size)
            let state = unsafe bytes.initializeMemory(
                as: PermitState.self,
                to: PermitState(
                    capacity: capacity, stallTimeout: stallTimeout, servedBy: server, countsPosts: countsPosts,
                    isLarge: isLarge))
            return unsafe PermitStateAddress(state)
        }

        /// Deallocates a state.
        static func free(_ state: PermitStateAddress) {
            unsafe state.pointer.deinitialize(count: 1)
            unsafe UnsafeMutableRawPointer(state.pointer).deallocate()
        }

        /// How many permits are taken, including those beyond the bound. Of a mailbox maybe more, never less than this thread
        /// knows of.
        func taken(_ order: LoadOrder) -> UInt64 {
            guard countsPosts else { return used.load(order) }
            // acquire: an element that is seen as delivered is then seen as posted.
            let delivered = progress.load(.acquire)
            return used.load(order) &- delivered
        }

        /// Restores the limit when there is no waiter left.
        func raiseLimit() {
            // relaxed: a thread that reads the old value takes the slow path and finds no waiter there. Fails if the permits were
            // closed.
            _ = limit.compareExchange(0, capacity, .relaxed)
        }

        /// How many permits a waiter gets at once.
        var batch: UInt64 { max(1, min(256, capacity / 4)) }

        /// A follower becomes the leader when no more permits are taken: what was queued was almost delivered, so that it will find
        /// the strand idle.
        var mostTakenForLeader: UInt64 { batch / 4 }

        /// Counts a delivery. Called by the delivering side.
        @inlinable @inline(__always)
        func countDelivery() {
            // relaxed: no other thread writes, and a reader that sees an old value reads again.
            progress.store(progress.load(.relaxed) &+ 1, .relaxed)
        }

        /// Counts the elements that a mailbox's drain has delivered. Their permits are free.
        ///
        /// - Parameter delivered: How many were ever delivered.
        @inlinable @inline(__always)
        func count(delivered: UInt64) {
            // release: the drain is done with the elements. Pairs with the acquire in `taken(_:)`.
            progress.store(delivered, .release)
        }
    }

    /// The address of a ``PermitState``. It is valid as long as the permits; in ``WaitGraph``, as long as the flag is held.
    @frozen
    @usableFromInline
    @safe struct PermitStateAddress: Equatable {
        @usableFromInline let pointer: UnsafeMutablePointer<PermitState>

        init(_ pointer: UnsafeMutablePointer<PermitState>) { unsafe self.pointer = pointer }

        @inlinable @inline(__always)
        init(bits: UInt64) { unsafe pointer = UnsafeMutablePointer(bitPattern: UInt(bits)).unsafelyUnwrapped }

        @inlinable
        static func == (one: PermitStateAddress, other: PermitStateAddress) -> Bool {
            unsafe one.pointer == other.pointer
        }

        /// The address as a number.
        var bits: UInt64 { unsafe UInt64(UInt(bitPattern: pointer)) }

        @inlinable
        var pointee: PermitState {
            @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
            @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
        }
    }
#endif
