/// Something that can be cancelled or freed, once, from any thread.
public protocol Disposable: AnyObject, Sendable {
    /// Whether it has been disposed of.
    var isDisposed: Bool { get }

    /// Disposes of it. A second time does nothing.
    func dispose()
}

/// The one bit that says whether something has been disposed of, and settles who does it.
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
        // acquire: whoever sees it also sees what was done before. Pairs with `raise()`.
        @inline(__always)
        get { word.load(.acquire) != 0 }
    }

    /// Raises it, and says whether it was this call that did.
    @inlinable
    func raise() -> Bool {
        // acquireRelease: what the winner goes on to take was written before, and is its own from here on.
        word.exchange(1, .acquireRelease) == 0
    }
}
