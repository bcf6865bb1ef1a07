/// What the schedulers of a pool have in common: how it ends.
///
/// A pool that is shut down has ended when none of its schedulers has anything to do. As an action may schedule another one
/// on any of them, that each is found idle once isn't enough: they are looked at twice, and if nothing has come to any of
/// them in between, there was a moment at which all were idle; and then no action is left that could schedule another.
@usableFromInline
final class PoolCore: Sendable {
    let ledgers: [PoolLedger]

    /// Counts operators that have something in hand which no scheduler knows of yet.
    let held = PoolLedger()

    /// Disposed of when the pool is shut down.
    @usableFromInline let closing = CompositeDisposable()

    /// Disposed of when the work on it is dropped, or when it has ended: interrupts what streams there are.
    @usableFromInline let interrupting = CompositeDisposable()

    /// Disposed of when it has ended.
    let ended = CompositeDisposable()

    init(count: Int) {
        ledgers = (0..<count).map { _ in PoolLedger() }
    }

    /// Whether the calling thread runs an action of the pool's.
    var isInside: Bool { ledgers.contains { $0.runsHere } }

    /// Counts off an action of one of the ledgers'.
    func finish(_ ledger: PoolLedger) {
        if ledger.finish() { endIfQuiet() }
    }

    func close(_ phase: PoolWord.Phase) {
        // First, so that an errand which is cancelled finds that there is nobody left to deliver to.
        if phase == .cancelling { interrupting.dispose() }
        for ledger in ledgers { ledger.close(phase) }
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

    private var words: [PoolWord] { ledgers.map { $0.look() } + [held.look()] }

    // MARK: Operators

    /// Keeps the pool from ending until ``release()``, for an operator that has something in hand.
    ///
    /// - Returns: Whether the pool takes anything.
    @usableFromInline
    func hold() -> Bool { held.admit { isInside } }

    @usableFromInline
    func release() { finish(held) }
}
