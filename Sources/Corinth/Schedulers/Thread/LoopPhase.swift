/// The lifecycle of a ``ThreadLoop``.
///
///     running ──▶ finishing ───────────────▶ ended
///        │            └─────▶ stopping ─────────▲
///        └───────────────────────▲
///
/// Invariant: the phase never goes back.
enum LoopPhase: UInt64, WordState, CaseIterable, Sendable {
    /// The scheduler exists.
    case running
    /// The scheduler was deinitialised. The thread ends when no work is left.
    case finishing
    /// The scheduler was stopped. The thread ends when it has run the queued work items.
    case stopping
    /// The thread runs nothing any more.
    case ended

    /// Whether work items are accepted.
    var isOpen: Bool {
        switch self {
        case .running, .finishing: true
        case .stopping, .ended: false
        }
    }

    /// Whether the thread may end when no work item is queued.
    ///
    /// - Parameter hasTimers: Whether delayed actions are pending.
    func mayEnd(hasTimers: Bool) -> Bool {
        switch self {
        case .running: false
        case .finishing: !hasTimers
        case .stopping, .ended: true
        }
    }

    /// The phase after a request to end; nil if the loop is already in this phase or a later one.
    ///
    /// - Parameter next: ``finishing`` or ``stopping``.
    func advancing(to next: LoopPhase) -> LoopPhase? { rawValue < next.rawValue ? next : nil }
}
