/// The word of an ``OwnerFlag``: the thread that holds it, and whether others sleep.
///
///      63 … 61      60 …………… 4           3        2           1         0
///     | generation | the holder's token | biased | unclaimed | waiters | held |
///
/// Invariants: held implies a holder, and waiters and unclaimed imply held. Biased, unclaimed and the generation are those of a
/// ``BiasedWord``; only a ``BiasedFlag`` has them. A biased flag isn't held, and the token is that of the thread that has the
/// bias; so it is in an unclaimed one.
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
    var holder: UInt64 { bits & BiasedWord.tokens }

    /// Whether the flag is biased to a thread, which may be inside.
    var isBiased: Bool { bits & BiasedWord.biased != 0 }

    /// Whether other threads may sleep.
    @inlinable
    var hasWaiters: Bool {
        @inline(__always)
        get { bits & 2 != 0 }
    }

    /// Whether the flag was biased to a thread, and is held from now on by that one or by the one that took the bias.
    var isUnclaimed: Bool { bits & BiasedWord.unclaimed != 0 }

    /// The word after a thread has taken the flag; nil if another thread holds it.
    ///
    /// - Parameters:
    ///   - token: The token of the thread.
    ///   - hasSlept: Whether the thread has slept. Others may still sleep then.
    @inlinable @inline(__always)
    func acquiring(by token: UInt64, afterSleep hasSlept: Bool = false) -> OwnerWord? {
        isFree ? OwnerWord(bits: hasSlept ? token | 3 : token | 1) : nil
    }

    /// The word when a thread is about to sleep; nil if the flag isn't held.
    func waiting() -> OwnerWord? { bits & 1 == 0 ? nil : OwnerWord(bits: bits | 2) }
}
