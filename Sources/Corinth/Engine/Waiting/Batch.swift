#if !NaiveLocks
    /// How many permits may be taken out of order, or how long a thread leads.
    @usableFromInline
    struct Batch: Sendable {
        /// The address of the permits' state. It may be reused by other permits, which then lose a little of their order.
        @usableFromInline let owner: UInt64
        @usableFromInline let count: UInt64

        @inlinable static var none: Batch { Batch(owner: 0, count: 0) }

        @inlinable
        init(owner: UInt64, count: UInt64) {
            self.owner = owner
            self.count = count
        }

        init(_ count: UInt64, of permits: PermitStateAddress) {
            self.init(owner: permits.bits, count: count)
        }
    }
#endif
