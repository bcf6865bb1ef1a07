/// A one-time event that threads may wait for.
@usableFromInline
final class Latch: @unchecked Sendable {  // One atomic word.
    private let state = AtomicState<LatchState>(.closed)

    @usableFromInline
    init() {}

    /// Opens the latch for ever.
    @usableFromInline
    func open() {
        // release: publishes the writes made before. Pairs with the waiters' acquire.
        if state.exchange(.open, .release) == .awaited { state.wake() }
    }

    /// Waits until the latch is open: spins briefly, then sleeps.
    @usableFromInline
    func blockingWaitUntilOpen() {
        var spins = 0
        while true {
            // acquire: see `open()`.
            let seen = state.load(.acquire)
            if seen == .open { return }
            if spins < 100 {
                state.spin(iteration: spins)
                spins += 1
            } else if seen == .awaited || state.tryUpdate(from: .closed, .relaxed, { $0.waiting() }).won {
                state.blockingWait(while: .awaited)
            }
        }
    }
}

/// Whether a ``Latch`` is open, and whether threads have to be woken.
///
///     closed ──▶ awaited ──▶ open
///       └──────────────────────▲
enum LatchState: UInt64, WordState, CaseIterable, Sendable {
    case closed
    /// The latch is closed, and threads may sleep.
    case awaited
    case open

    /// The state when a thread is about to sleep; nil if another thread may already sleep, or if the latch is open.
    func waiting() -> LatchState? {
        switch self {
        case .closed: .awaited
        case .awaited, .open: nil
        }
    }
}
