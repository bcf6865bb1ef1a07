/// Which thread owns the action of a ``TimerEntry`` or of a ``DelayedAction``.
///
///     waiting ── begin ──▶ running ── finish ──▶ waiting …    if it is repeated
///     waiting ── begin ──▶ over                               if it runs once
///     waiting or running ── dispose ──▶ over
///
/// The thread that changes the word from ``waiting`` owns the action. While it runs, a disposal only changes the word. The
/// running thread then releases the action after the run. An action that runs once is over when it begins.
enum TimerPhase: UInt64, WordState, CaseIterable, Sendable {
    case waiting
    /// It is repeated and is running.
    case running
    /// It was disposed of, or its last run has begun.
    case over

    /// The phase when its time has come; nil if it was disposed of.
    func beginning(isRepeated: Bool) -> TimerPhase? {
        switch self {
        case .waiting: isRepeated ? .running : .over
        case .running, .over: nil
        }
    }

    /// The phase after a run of a repeated action; nil if it was disposed of meanwhile.
    func finishing() -> TimerPhase? {
        switch self {
        case .running: .waiting
        case .waiting, .over: nil
        }
    }
}
