/// The result of `observe`: an observer's place in a signal.
///
/// `dispose()` raises the flag, and delivery checks it. After `dispose()` has returned, no later event reaches the
/// observer (law E7), even if the change of the list is still queued on the strand.
// The strand's owner owns what isn't atomic.
@usableFromInline
final class Observation: ObserverMark, Disposable, StackNode, @unchecked Sendable {
    /// See ``slot``.
    @usableFromInline let slotWord = AtomicWord()

    /// The identifier in the observer list, 0 before the observer is in it and afterwards. Written by the owner of the signal's
    /// strand.
    // relaxed: the strand orders its owners. See also `SignalState.unused(without:)`.
    @inlinable
    var slot: UInt64 {
        @inline(__always)
        get { slotWord.load(.relaxed) }
        @inline(__always)
        set { slotWord.store(newValue, .relaxed) }
    }

    /// The observed signal's state. It may outlive the signal's termination.
    @usableFromInline let source: SignalState

    /// The observation that was left to the strand's owner before this one.
    @safe @exclusivity(unchecked)
    var below: UInt64 = 0

    @inlinable
    init(of source: SignalState) {
        self.source = source
        super.init()
        LiveCounts.add(.observations)
    }

    #if DEBUG && !Exploration
        deinit { LiveCounts.remove(.observations) }
    #endif

    @inlinable
    var isDisposed: Bool {
        // acquire: sees the writes made before the disposal. Pairs with `SignalState.remove(_:)`.
        @inline(__always)
        get { flag.isRaised(.acquire) }
    }

    /// The observation that was left to the strand's owner before this one.
    @usableFromInline
    func takeNextRemoved() -> Observation? { takeBelow() }

    @usableFromInline
    func dispose() {
        if !isDisposed { source.remove(self).release(source) }
    }

    /// The identifier in the observer list, for the first caller. The list gives the same one to a later observer.
    func takeSlot() -> UInt64 {
        let taken = slot
        slot = 0
        return taken
    }
}
