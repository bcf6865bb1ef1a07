/// A word that tells whether something has happened, or is the case.
@usableFromInline typealias AtomicFlag = AtomicState<FlagState>

/// The state of an ``AtomicFlag``.
@usableFromInline
enum FlagState: UInt64, WordState, CaseIterable, Sendable {
    case lowered
    case raised
}

extension AtomicState<FlagState> {
    /// A flag that isn't raised.
    @inlinable @inline(__always)
    init() { self.init(.lowered) }

    @inlinable @inline(__always)
    func isRaised(_ order: LoadOrder, site: StaticString = #function) -> Bool {
        load(order, site: site) == .raised
    }

    /// Raises the flag. Returns true only for the first call, if no other code lowers it.
    @inlinable @inline(__always)
    func tryRaise(_ order: UpdateOrder, site: StaticString = #function) -> Bool {
        exchange(.raised, order, site: site) == .lowered
    }

    /// Lowers the flag. Returns whether it was raised.
    @inlinable @inline(__always)
    func tryLower(_ order: UpdateOrder, site: StaticString = #function) -> Bool {
        exchange(.lowered, order, site: site) == .raised
    }
}
