/// How queued work gets its permit.
@frozen
@usableFromInline
enum PermitMode {
    /// It waits for one, in FIFO order. A thread that owns a strand exceeds the bound, and waits later.
    case inTurn
    /// It takes one, even beyond the bound, and never waits. For terminations, events of the owner itself, and other work that
    /// is no event.
    case atOnce
    /// It has one.
    case taken
}
