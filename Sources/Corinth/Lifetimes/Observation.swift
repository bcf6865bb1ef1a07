/// What `observe` returns: an observer's place in a signal, to be given up.
///
/// Raising the flag comes first, and delivery checks it: once `dispose()` has returned, no event that starts later reaches
/// the observer (law E7), even while the change of the list still waits for the strand.
@usableFromInline
final class Observation: Disposable, @unchecked Sendable {  // One atomic flag, the rest is immutable or the strand's.
    private var flagStorage: UInt64 = 0

    /// What is observed. It may outlive its end: an empty shell.
    @usableFromInline let source: SignalState

    /// The place in the observer list, 0 until it is there. Owned by whoever owns the signal's strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var slot: UInt64 = 0

    /// The address of the one that was left to the owner of the strand before it. Written by whoever disposes of it, then owned
    /// by whoever owns the strand.
    @safe @exclusivity(unchecked)
    final var nextRemoved: UInt64 = 0

    @usableFromInline let remove: (SignalState, Observation) -> SignalState.Leftovers

    @inlinable
    init(
        of source: SignalState, remove: @escaping (SignalState, Observation) -> SignalState.Leftovers
    ) {
        self.source = source
        self.remove = remove
        LiveCounts.add(.observations)
    }

    #if DEBUG && !Exploration
        deinit { LiveCounts.remove(.observations) }
    #endif

    @inlinable
    var isDisposed: Bool {
        @inline(__always)
        get { DisposalFlag(of: self).isRaised }
    }

    /// The one at an address in a list that is the caller's; nil at the end.
    static func removed(at address: UInt64) -> Observation? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
        // Retained where it was put into the list.
        return unsafe Unmanaged<Observation>.fromOpaque(pointer).takeRetainedValue()
    }

    /// The rest of such a list.
    @usableFromInline
    func takeNextRemoved() -> Observation? {
        let next = nextRemoved
        nextRemoved = 0
        return Observation.removed(at: next)
    }

    @usableFromInline
    func dispose() {
        if DisposalFlag(of: self).raise() { remove(source, self).release() }
    }
}
