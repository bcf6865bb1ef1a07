/// Something that happens once, and that threads may wait for.
@usableFromInline
final class Gate: @unchecked Sendable {  // One atomic word.
    /// 0 while it is closed, 1 while it is closed and somebody may sleep, 2 when it is open.
    private var stateStorage: UInt64 = 0

    @usableFromInline
    init() {}

    private var state: AtomicWord { AtomicWord(of: self) }

    /// Opens it, for ever.
    @usableFromInline
    func open() {
        // release: publishes what was done before. Pairs with the acquire of whoever waits.
        if state.exchange(2, .release) == 1 { state.wake() }
    }

    /// Waits until it is open: with a short spin, then asleep.
    @usableFromInline
    func blockingWaitUntilOpen() {
        var turn = 0
        while true {
            // acquire: as said in `open()`.
            let seen = state.load(.acquire)
            if seen == 2 { return }
            if turn < 100 {
                state.spin(turn: turn)
                turn += 1
            } else if seen == 1 || state.compareExchange(0, 1, .relaxed).won {
                state.blockingWait(while: 1)
            }
        }
    }
}
