/// Something that may have to wait for the end of a delivery, and then edits the strand: a derived signal that has ended leaves the
/// list of its source, over which the delivery walks.
@usableFromInline
class DeliveryFollower: @unchecked Sendable {  // No state.
    @inlinable @inline(__always)
    init() {}

    /// Called by the thread that was in the delivery, when it has left the strand.
    @usableFromInline
    func followDelivery() {}
}
