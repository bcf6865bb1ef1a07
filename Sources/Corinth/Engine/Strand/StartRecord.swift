public import CCorinth

/// The start that a thread makes for a user: none, its innermost run so far, or what its handle will hold.
///
///      63 ……… 1                                  0
///     | address of the run                      | 0 |
///     | address of the composite, retained      | 1 |
@frozen
@usableFromInline
struct StartRecord: Equatable {
    @usableFromInline let bits: UInt

    @inlinable @inline(__always)
    init(bits: UInt) { self.bits = bits }

    @inlinable @inline(__always)
    static var none: StartRecord { StartRecord(bits: 0) }

    /// Whether a handle has to hold something.
    @inlinable
    var holds: Bool {
        @inline(__always)
        get { bits & 1 != 0 }
    }
}

extension ThreadState {
    @inlinable @inline(__always)
    var start: StartRecord {
        get { unsafe StartRecord(bits: state.pointee.start) }
        nonmutating set { unsafe state.pointee.start = newValue.bits }
    }
}
