/// The result of `observe`: an observer's place in a signal.
///
/// `dispose()` marks the observer, and delivery checks the mark. After `dispose()` has returned, no later event reaches the
/// observer (law E7), even if the change of the list is still queued on the strand. After the end or the disposal, nothing of the
/// signal is kept.
// The strand's owner owns what isn't atomic.
@usableFromInline
final class Observation: ObserverMark, EndingDisposable, StackNode, @unchecked Sendable {
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

    /// The observation that was left to the strand's owner before this one.
    @safe @exclusivity(unchecked)
    var below: UInt64 = 0

    @inlinable
    init(of source: __shared SignalState) {
        super.init(unsafe .observing(Unmanaged<AnyObject>.passRetained(source)))
        if Registry.isOn { Observation.enter(self, of: source) }
    }

    // One that was never in a list may still have its reference.
    deinit {
        if Registry.mayContainAny { Registry.leave(self) }
        end()
    }

    @usableFromInline
    @inline(never)
    static func enter(_ observation: AnyObject, of source: SignalState) {
        Registry.enter(observation, .observation, of: source.stream)
    }

    @inlinable
    var isDisposed: Bool {
        // acquire: sees the writes made before the disposal. Pairs with `dispose()`.
        @inline(__always)
        get { state.load(.acquire).isDisposed }
    }

    /// Whether a disposal would change nothing but ``isDisposed``.
    // acquire: as in `isDisposed`.
    @usableFromInline
    var hasEnded: Bool { !state.load(.acquire).isObserving }

    /// The observation that was left to the strand's owner before this one.
    @usableFromInline
    func takeNextRemoved() -> Observation? { takeBelow() }

    @usableFromInline
    func dispose() {
        // release: see `isDisposed`. Whoever changes the word owns the reference that was in it.
        let (old, new) = state.update(.release) { $0.disposing() }
        guard new != nil, let reference = unsafe old.observed else { return }
        let signal = unsafe Observation.signal(reference)
        signal.remove(self).release(signal)
    }

    /// Leaves the removal from the list of `signal` to the owner of the strand. Called once, by the thread that has disposed of this.
    func leave(to signal: SignalState) {
        // relaxed: the stack publishes it.
        state.store(unsafe .left(Unmanaged<AnyObject>.passRetained(signal)), .relaxed)
    }

    /// The signal to whose owner the removal was left. Called once, by that owner.
    func takeLeft() -> SignalState? {
        // relaxed: as in `leave(to:)`. Other threads only look whether this was disposed of.
        let left = state.load(.relaxed)
        state.store(.disposed, .relaxed)
        return unsafe left.observed.map { unsafe Observation.signal($0) }
    }

    /// Takes over a reference that was in the word.
    private static func signal(_ reference: Unmanaged<AnyObject>) -> SignalState {
        unsafe Unmanaged<SignalState>.fromOpaque(reference.toOpaque()).takeRetainedValue()
    }

    /// The identifier in the observer list, for the first caller. The list gives the same one to a later observer.
    func takeSlot() -> UInt64 {
        let taken = slot
        slot = 0
        return taken
    }
}
