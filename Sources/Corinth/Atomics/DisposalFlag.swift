/// One bit that tells whether an object has been disposed of, and decides which caller disposes of it.
@frozen
@usableFromInline
struct DisposalFlag {
    @usableFromInline let word: AtomicWord

    /// The flag in the first stored property of `object`.
    @inlinable @inline(__always)
    init(of object: AnyObject) {
        word = AtomicWord(of: object)
    }

    @inlinable
    var isRaised: Bool {
        // acquire: sees the writes made before `raise()`. Pairs with `raise()`.
        @inline(__always)
        get { word.load(.acquire) != 0 }
    }

    /// Raises the flag. Returns true only for the first call.
    @inlinable
    func raise() -> Bool {
        // acquireRelease: the state that the winner takes was written before, and is owned by the winner from here on.
        word.exchange(1, .acquireRelease) == 0
    }
}
