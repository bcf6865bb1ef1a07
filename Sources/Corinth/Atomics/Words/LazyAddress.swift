/// The address of something that the first thread to need it makes; 0 before. It stays there as long as the word exists.
@frozen
@usableFromInline
@safe struct LazyAddress: ~Copyable, Sendable {
    @usableFromInline let word: AtomicWord

    /// - Parameter known: The address, if something was made before this is shared.
    @inlinable @inline(__always)
    init(_ known: UInt64 = 0) { word = AtomicWord(known) }

    /// The address; 0 if nothing was made.
    @inlinable
    var known: UInt64 {
        // acquire: sees what lies there. Pairs with the release in `publish(_:orFree:)`.
        @inline(__always)
        get { word.load(.acquire) }
    }

    /// The address of what this thread or another one has made.
    ///
    /// - Parameters:
    ///   - make: Makes it. Other threads may do that at the same time.
    ///   - free: Receives what `make` has made if another thread was first.
    @inlinable
    func get(_ make: () -> UInt64, orFree free: (UInt64) -> Void) -> UInt64 {
        let known = known
        return known == 0 ? publish(make(), orFree: free) : known
    }

    @usableFromInline
    func publish(_ made: UInt64, orFree free: (UInt64) -> Void) -> UInt64 {
        // release: publishes what lies there. acquire: sees what another thread has made.
        let result = word.compareExchange(0, made, .acquireRelease)
        if result.won { return made }
        free(made)
        return result.seen
    }
}
