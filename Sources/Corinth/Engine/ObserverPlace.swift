/// The place of an observer in a list. Its flag is raised when the observer is disposed of.
@usableFromInline
class ObserverPlace: @unchecked Sendable {  // The flag is atomic; the strand's owner owns the rest.
    @usableFromInline final var flagStorage: UInt64 = 0

    /// The identifier in the observer list, 0 until the observer is in it. Owned by the owner of the signal's strand.
    @safe @exclusivity(unchecked)
    @usableFromInline final var slot: UInt64 = 0

    @inlinable
    init() {
        assert(flag.isStored(in: &flagStorage))
    }

    @inlinable
    final var flag: AtomicFlag {
        @inline(__always)
        get { AtomicFlag(of: self) }
    }

    @inlinable
    final var isDisposed: Bool {
        // acquire: sees the writes made before the disposal. Pairs with the exchange in `Observation.dispose()`.
        @inline(__always)
        get { flag.isRaised(.acquire) }
    }
}
