#if !NaiveLocks
    /// What ``Permits`` write: in memory of their own, because a strand needs it only after threads have met there.
    ///
    /// Each group of fields has its own cache line.
    @safe struct PermitState {
        // Written by all threads.
        private var used: UInt64 = 0
        private var limit: UInt64

        /// The address of the permits of observers that are being added to a strand's signals, or 0.
        private var observing: UInt64 = 0

        /// The permits that the next owner of a strand may take out of order. Owned by the thread that orphans the strand, then
        /// by the thread that adopts it.
        var batchOfResumed = Batch.none
        private let padding: (UInt64, UInt64, UInt64) = (0, 0, 0)

        // Rarely written. See the properties of ``Permits`` with these names.
        let capacity: UInt64
        let stallTimeout: UInt64
        let server: SerialContext?
        var blockedOn: Unmanaged<Permits>?
        var mayStop = true
        let countsPosts: Bool
        var statistics: BufferStatistics?
        var queue: WaitQueue?

        /// Not 0 when all elements will be dropped: then none is queued any more.
        private var over: UInt64 = 0

        // Written for each element by the delivering side.
        private var progress: UInt64 = 0

        /// Nodes that were taken from a strand's word but not run yet, oldest first. Owned by the strand's owner.
        var taken: Unmanaged<StrandNode>?

        /// Written with the flag of ``WaitGraph`` held.
        private var handing = HandingOut.batches.bits

        /// Not 0 while ``ProgressThread`` has a request for the strand.
        private var watched: UInt64 = 0

        /// See ``Permits/leader``.
        private var leader: UInt64 = 0

        private init(capacity: UInt64, stallTimeout: UInt64, servedBy server: SerialContext?, countsPosts: Bool) {
            limit = capacity
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
            assert(MemoryLayout<PermitState>.offset(of: \.observing) == 16)
            assert(MemoryLayout<PermitState>.offset(of: \.capacity) == CacheLinePadding.size)
            assert(MemoryLayout<PermitState>.offset(of: \.over) == 2 * CacheLinePadding.size - 8)
            assert(MemoryLayout<PermitState>.offset(of: \.progress) == 2 * CacheLinePadding.size)
            assert(MemoryLayout<PermitState>.offset(of: \.handing) == 2 * CacheLinePadding.size + 16)
            assert(MemoryLayout<PermitState>.offset(of: \.watched) == 2 * CacheLinePadding.size + 24)
            assert(MemoryLayout<PermitState>.offset(of: \.leader) == 2 * CacheLinePadding.size + 32)
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

    /// The address of a ``PermitState``, and its words. The offsets are those of its fields.
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

        @inlinable @inline(__always) var used: AtomicWord { word(at: 0) }
        @inlinable @inline(__always) var limit: AtomicWord { word(at: 8) }
        @inlinable @inline(__always) var observing: AtomicWord { word(at: 16) }
        @inlinable @inline(__always) var capacity: UInt64 { unsafe raw.load(fromByteOffset: 64, as: UInt64.self) }
        @inlinable @inline(__always) var over: AtomicWord { word(at: 120) }
        @inlinable @inline(__always) var progress: AtomicWord { word(at: 128) }
        var handing: AtomicState<HandingOut> { AtomicState(word(at: 144)) }
        var watched: AtomicWord { word(at: 152) }
        var leader: AtomicWord { word(at: 160) }

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

        /// The other fields.
        var fields: UnsafeMutablePointer<PermitState> { unsafe raw.assumingMemoryBound(to: PermitState.self) }

        @inlinable @inline(__always)
        func word(at offset: Int) -> AtomicWord {
            unsafe AtomicWord((raw + offset).assumingMemoryBound(to: UInt64.self))
        }
    }
#endif
