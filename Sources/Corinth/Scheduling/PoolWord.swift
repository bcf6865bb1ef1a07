/// Whether a scheduler of a pool takes actions, and how many it has: one word, so that no action slips in as it closes.
///
///      63 ………… 32   31 ………… 2    1  0
///     |  admitted  | unfinished | phase |
///
/// `admitted` counts modulo 2³²: it tells two looks apart between which an action has come and gone.
///
/// Invariant: the phase never goes back.
struct PoolWord: Equatable, Sendable {
    enum Phase: UInt64, Sendable, CaseIterable {
        /// Whatever comes is taken.
        case open
        /// What waits is run, and what that schedules.
        case draining
        /// Nothing more is begun.
        case cancelling
    }

    let bits: UInt64

    static let open = PoolWord(bits: 0)

    private static let oneUnfinished: UInt64 = 1 << 2
    private static let oneAdmitted: UInt64 = 1 << 32

    /// How many actions fit.
    static let most: UInt64 = (1 << 30) - 1

    init(bits: UInt64) {
        self.bits = bits
    }

    var phase: Phase { Phase(rawValue: bits & 3) ?? .cancelling }

    /// How many actions wait or run.
    var unfinished: UInt64 { bits >> 2 & PoolWord.most }

    var admitted: UInt64 { bits >> 32 }

    /// Whether nothing waits or runs, and nothing can come but from another scheduler of the pool.
    var isQuiet: Bool { phase != .open && unfinished == 0 }

    /// What becomes of the word when an action comes; nil if it is refused.
    ///
    /// - Parameter isInside: Whether it comes from inside an action of the pool's.
    func admitting(fromInside isInside: Bool) -> PoolWord? {
        guard phase == .open || phase == .draining && isInside else { return nil }
        precondition(unfinished < PoolWord.most, "a scheduler has \(unfinished) unfinished actions, which is the most")
        return PoolWord(bits: bits &+ PoolWord.oneUnfinished &+ PoolWord.oneAdmitted)
    }

    /// What becomes of the word when an action has run, or is not going to.
    func finishing() -> PoolWord { PoolWord(bits: bits - PoolWord.oneUnfinished) }

    /// What becomes of the word when the pool is shut down.
    func closing(_ phase: Phase) -> PoolWord {
        PoolWord(bits: bits & ~3 | max(self.phase.rawValue, phase.rawValue))
    }
}
