/// Whether a scheduler of a pool accepts actions, and how many it has: one word, so that no action is admitted during the
/// close.
///
///      63 ………… 32   31 ………… 2    1  0
///     |  admitted  | unfinished | phase |
///
/// `admitted` counts modulo 2³². It differs between two reads if an action was admitted and finished in between.
///
/// Invariant: the phase never goes back.
struct PoolWord: WordState, Equatable, Sendable {
    enum Phase: UInt64, Sendable, CaseIterable {
        /// All actions are accepted.
        case open
        /// Queued actions run, and so do the actions that they schedule.
        case draining
        /// No further action begins.
        case cancelling
    }

    let bits: UInt64

    static let open = PoolWord(bits: 0)

    private static let oneUnfinished: UInt64 = 1 << 2
    private static let oneAdmitted: UInt64 = 1 << 32

    /// The greatest number of actions.
    static let most: UInt64 = (1 << 30) - 1

    init(bits: UInt64) {
        self.bits = bits
    }

    var phase: Phase { Phase(rawValue: bits & 3) ?? .cancelling }

    /// How many actions are queued or running.
    var unfinished: UInt64 { bits >> 2 & PoolWord.most }

    var admitted: UInt64 { bits >> 32 }

    /// Whether no action is queued or running, and only other schedulers of the pool can schedule one.
    var isQuiet: Bool { phase != .open && unfinished == 0 }

    /// The word after an action is admitted; nil if it is refused.
    ///
    /// - Parameter isInside: Whether an action of the pool schedules it.
    func admitting(fromInside isInside: Bool) -> PoolWord? {
        guard phase == .open || phase == .draining && isInside else { return nil }
        precondition(
            unfinished < PoolWord.most,
            "a scheduler would have \(unfinished + 1) unfinished actions, but may have at most \(PoolWord.most)")
        return PoolWord(bits: bits &+ PoolWord.oneUnfinished &+ PoolWord.oneAdmitted)
    }

    /// The word after an action has run or was cancelled.
    func finishing() -> PoolWord { PoolWord(bits: bits - PoolWord.oneUnfinished) }

    /// The word after the pool is shut down.
    func closing(_ phase: Phase) -> PoolWord {
        PoolWord(bits: bits & ~3 | max(self.phase.rawValue, phase.rawValue))
    }
}
