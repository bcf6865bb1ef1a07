#if !NaiveLocks
    /// What ``Permits`` write: in memory of their own, because a strand needs it only after threads have met there.
    ///
    /// Each group of fields has its own cache line.
    @usableFromInline
    @safe struct PermitState: ~Copyable {
        // Written by all threads.
        @usableFromInline let used = AtomicWord()
        @usableFromInline let limit: AtomicWord

        /// The permits of observers that are being added to a strand's signals.
        let observing = LazyObject<Permits>()

        /// The permits that the next owner of a strand may take out of order. Owned by the thread that orphans the strand, then
        /// by the thread that adopts it.
        var batchOfResumed = Batch.none
        private let padding: (UInt64, UInt64, UInt64) = (0, 0, 0)

        // Rarely written. See the properties of ``Permits`` with these names.
        @usableFromInline let capacity: UInt64
        let stallTimeout: UInt64
        let server: SerialContext?
        var blockedOn: Unmanaged<Permits>?
        var mayStop = true
        let countsPosts: Bool
        var statistics: BufferStatistics?
        var queue: WaitQueue?

        /// Not 0 when all elements will be dropped: then none is queued any more.
        @usableFromInline let over = AtomicWord()

        // Written for each element by the delivering side.
        @usableFromInline let progress = AtomicWord()

        /// Nodes that were taken from a strand's word but not run yet, oldest first. Owned by the strand's owner.
        var taken: Unmanaged<StrandNode>?

        /// Written with the flag of ``WaitGraph`` held.
        let handing = AtomicState<HandingOut>(.batches)

        /// Not 0 while ``ProgressThread`` has a request for the strand.
        let watched = AtomicWord()

        /// See ``Permits/leader``.
        let leader = AtomicWord()

        private init(capacity: UInt64, stallTimeout: UInt64, servedBy server: SerialContext?, countsPosts: Bool) {
            limit = AtomicWord(capacity)
            self.capacity = capacity
            self.stallTimeout = stallTimeout
            self.server = server
            self.countsPosts = countsPosts
            unsafe blockedOn = nil
            unsafe taken = nil
        }

        /// Allocates a state.
        static func make(
            capacity: UInt64, stallTimeout: UInt64, servedBy server: SerialContext? = nil, countsPosts: Bool = false
        ) -> PermitStateAddress {
            let bytes = UnsafeMutableRawPointer.allocate(
                byteCount: MemoryLayout<PermitState>.size, alignment: CacheLinePadding.size)
            unsafe bytes.initializeMemory(
                as: PermitState.self,
                to: PermitState(
                    capacity: capacity, stallTimeout: stallTimeout, servedBy: server, countsPosts: countsPosts))
            return unsafe PermitStateAddress(bytes)
        }

        /// Deallocates a state.
        static func free(_ state: PermitStateAddress) {
            unsafe state.fields.deinitialize(count: 1)
            unsafe state.raw.deallocate()
        }
    }

    /// The address of a ``PermitState``.
    @frozen
    @usableFromInline
    @safe struct PermitStateAddress {
        @usableFromInline let raw: UnsafeMutableRawPointer

        @inlinable @inline(__always)
        init(_ raw: UnsafeMutableRawPointer) { unsafe self.raw = raw }

        @inlinable @inline(__always)
        init(bits: UInt64) { unsafe raw = UnsafeMutableRawPointer(bitPattern: UInt(bits)).unsafelyUnwrapped }

        /// The address as a number.
        var bits: UInt64 { unsafe UInt64(UInt(bitPattern: raw)) }

        @inlinable
        var fields: UnsafeMutablePointer<PermitState> {
            @inline(__always)
            get { unsafe raw.assumingMemoryBound(to: PermitState.self) }
        }

        @inlinable
        var used: AtomicWord {
            @inline(__always) unsafeAddress { unsafe address(of: fields.pointee.used) }
        }

        @inlinable
        var limit: AtomicWord {
            @inline(__always) unsafeAddress { unsafe address(of: fields.pointee.limit) }
        }

        var observing: LazyObject<Permits> {
            unsafeAddress { unsafe address(of: fields.pointee.observing) }
        }

        @inlinable
        var capacity: UInt64 {
            @inline(__always)
            get { unsafe fields.pointee.capacity }
        }

        @inlinable
        var over: AtomicWord {
            @inline(__always) unsafeAddress { unsafe address(of: fields.pointee.over) }
        }

        @inlinable
        var progress: AtomicWord {
            @inline(__always) unsafeAddress { unsafe address(of: fields.pointee.progress) }
        }

        var handing: AtomicState<HandingOut> {
            unsafeAddress { unsafe address(of: fields.pointee.handing) }
        }

        var watched: AtomicWord {
            unsafeAddress { unsafe address(of: fields.pointee.watched) }
        }

        var leader: AtomicWord {
            unsafeAddress { unsafe address(of: fields.pointee.leader) }
        }

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
            // release: the drain is done with the elements. Pairs with the acquire in `Permits.taken(_:)`.
            progress.store(delivered, .release)
        }
    }
#endif
