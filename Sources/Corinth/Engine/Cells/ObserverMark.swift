/// What an observer can be disposed of by.
@usableFromInline
class ObserverMark: @unchecked Sendable {  // An atomic word.
    @usableFromInline final let state: AtomicState<ObserverState>

    @inlinable
    init(_ state: ObserverState = .ended) {
        self.state = AtomicState(state)
    }

    /// In the slot of an observer that was removed.
    static let removed = ObserverMark(.disposed)

    /// Releases the signal, because it sends no more events to this observer. Called when the observer leaves the signal's list.
    @usableFromInline
    final func end() {
        // relaxed: publishes nothing. Whoever changes the word owns the reference, which the word published when it was made.
        let (old, new) = state.update(.relaxed) { $0.ending() }
        if new != nil { unsafe old.observed?.release() }
    }
}

/// Whether an observer was disposed of, and the signal that it is observing.
///
///     | 63 ………………………………… 1            | 0        |
///     | address of the signal, retained | disposed |
///
///     observing ──▶ ended ──▶ disposed ◀──▶ left
///         └────────────────────▲
///
/// Whoever changes the word from observing owns the reference to the signal: the owner of the strand when the observer ends, or the
/// one thread that disposes of it. That thread may leave the removal, and a reference, to the owner of the strand: ``left(_:)``.
@frozen
@usableFromInline
struct ObserverState: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// It observes `signal`. Takes over the reference.
    @inlinable @inline(__always)
    static func observing(_ signal: Unmanaged<AnyObject>) -> ObserverState {
        unsafe ObserverState(bits: UInt64(UInt(bitPattern: signal.toOpaque())))
    }

    /// The signal sends it nothing any more.
    @inlinable @inline(__always)
    static var ended: ObserverState { ObserverState(bits: 0) }

    @inlinable @inline(__always)
    static var disposed: ObserverState { ObserverState(bits: 1) }

    /// Disposed of, but still in the list of `signal`, whose strand's owner takes over the reference.
    static func left(_ signal: Unmanaged<AnyObject>) -> ObserverState {
        unsafe ObserverState(bits: observing(signal).bits | 1)
    }

    @inlinable
    var isDisposed: Bool {
        @inline(__always)
        get { bits & 1 != 0 }
    }

    /// Whether the signal may still send it something.
    @inlinable
    var isObserving: Bool {
        @inline(__always)
        get { bits & 1 == 0 && bits != 0 }
    }

    /// The signal, to which the word has a reference.
    @inlinable
    var observed: Unmanaged<AnyObject>? {
        @inline(__always)
        get {
            unsafe UnsafeRawPointer(bitPattern: UInt(bits & ~1)).map { unsafe Unmanaged<AnyObject>.fromOpaque($0) }
        }
    }

    /// The state after the disposal; nil if it was disposed of.
    @inlinable @inline(__always)
    func disposing() -> ObserverState? { isDisposed ? nil : .disposed }

    /// The state after the last event; nil if it has no reference to the signal any more, or is about to be removed.
    @inlinable @inline(__always)
    func ending() -> ObserverState? { isObserving ? .ended : nil }
}
