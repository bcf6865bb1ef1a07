/// The shared state of a pool's schedulers: how the pool ends.
///
/// A pool that is shut down has ended when none of its schedulers has work. An action may schedule another one on any of
/// them, so seeing each scheduler idle once isn't enough. All are read twice. If no scheduler has admitted work in between,
/// all were idle at the same moment. Then no action is left that could schedule another one.
@usableFromInline
final class PoolCore: Sendable {
    let states: [PoolSchedulerState]

    /// Counts values held by operators that no scheduler knows of yet.
    let held = PoolSchedulerState()

    /// Disposed of when the pool is shut down.
    @usableFromInline let closing = CompositeDisposable()

    /// Disposed of when the pool drops its work, or when it has ended. Interrupts the pool's streams.
    @usableFromInline let interrupting = CompositeDisposable()

    /// Disposed of when the pool has ended.
    let ended = CompositeDisposable()

    init(count: Int) {
        states = (0..<count).map { _ in PoolSchedulerState() }
    }

    /// Whether the calling thread runs an action of the pool.
    var isInside: Bool { states.contains { $0.runsHere } }

    /// Counts a finished action of one of the states.
    func finish(_ state: PoolSchedulerState) {
        if state.finish() { endIfQuiet() }
    }

    func close(_ phase: PoolWord.Phase) {
        // First, so that a cancelled work item finds no receiver left.
        if phase == .cancelling { interrupting.dispose() }
        for state in states { state.close(phase) }
        held.close(phase)
        closing.dispose()
        endIfQuiet()
    }

    private func endIfQuiet() {
        let first = words
        guard first.allSatisfy(\.isQuiet), words == first else { return }
        interrupting.dispose()
        ended.dispose()
    }

    private var words: [PoolWord] { states.map { $0.look() } + [held.look()] }

    // MARK: Operators

    /// Keeps the pool from ending until ``release()``, for an operator that holds values.
    ///
    /// - Returns: Whether the pool accepts work.
    @usableFromInline
    func hold() -> Bool { held.admit { isInside } }

    @usableFromInline
    func release() { finish(held) }
}
