#if !NaiveLocks
    /// How many permits of a strand may be taken out of order, or how long a thread leads that: see `Leader.swift`.
    ///
    ///      63      62         61 … 48   47 ……… 0
    ///     | leads | promoted | left   | address of the permits' state |
    ///
    /// Two states may look alike: the address may be reused, and has more bits on some systems. Then a little of their order is
    /// lost, and a thread counts as the leader of a strand that has none; a leader has no rights.
    @frozen
    @usableFromInline
    struct Batch: Sendable {
        @usableFromInline private(set) var bits: UInt64

        @inlinable
        static var none: Batch { Batch(bits: 0) }

        @inlinable
        init(bits: UInt64) { self.bits = bits }

        init(_ count: UInt64, of permits: PermitStateAddress) {
            assert(count <= Batch.most, "a batch of \(count)")
            bits = permits.bits & Batch.owner | count * Batch.one
        }

        /// A leader's term: how many events it delivers or queues before it waits.
        init(term count: UInt64, of permits: PermitStateAddress) {
            self.init(count, of: permits)
            bits |= Batch.leads
        }

        private static var owner: UInt64 { 1 << 48 - 1 }
        private static var one: UInt64 { 1 << 48 }
        private static var most: UInt64 { 1 << 14 - 1 }
        private static var leads: UInt64 { 1 << 63 }
        private static var promoted: UInt64 { 1 << 62 }

        var isNone: Bool { bits == 0 }

        /// Whether it is one of these permits.
        func belongs(to permits: PermitStateAddress) -> Bool { !isNone && (bits ^ permits.bits) & Batch.owner == 0 }

        var isTerm: Bool { bits & Batch.leads != 0 }
        var hasPromoted: Bool { bits & Batch.promoted != 0 }

        /// How many events are left.
        @usableFromInline var left: UInt64 { bits >> 48 & Batch.most }

        /// One event less.
        var less: Batch { less(1) }

        /// Some events less.
        func less(_ count: UInt64) -> Batch {
            assert(left >= count)
            return Batch(bits: bits - count * Batch.one)
        }

        /// The term of a leader that has promoted the next one.
        var promoting: Batch { Batch(bits: bits | Batch.promoted) }
    }
#endif
