/// The word of an ``OwnerFlag``: the thread that holds it, and whether others sleep.
///
///      63 ……………………… 1     0
///     | the holder's token | waiters |
///
/// Invariant: waiters imply a holder.
@frozen
@usableFromInline
struct OwnerWord: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    @inlinable @inline(__always)
    static var free: OwnerWord { OwnerWord(bits: 0) }

    @inlinable @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    @inlinable
    var isFree: Bool {
        @inline(__always)
        get { self == .free }
    }

    /// The token of the thread that holds the flag, or 0.
    var holder: UInt64 { bits & ~1 }

    /// Whether other threads may sleep.
    @inlinable
    var hasWaiters: Bool {
        @inline(__always)
        get { bits & 1 != 0 }
    }

    /// The word after a thread has taken the flag; nil if another thread holds it.
    ///
    /// - Parameters:
    ///   - token: The token of the thread.
    ///   - hasSlept: Whether the thread has slept. Others may still sleep then.
    @inlinable @inline(__always)
    func acquiring(by token: UInt64, afterSleep hasSlept: Bool = false) -> OwnerWord? {
        isFree ? OwnerWord(bits: hasSlept ? token | 1 : token) : nil
    }

    /// The word when a thread is about to sleep; nil if the flag is free.
    func waiting() -> OwnerWord? { isFree ? nil : OwnerWord(bits: bits | 1) }
}
