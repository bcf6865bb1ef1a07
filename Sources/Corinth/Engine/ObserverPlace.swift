/// What an observer in a list can be disposed of by: an object, which the list retains, and a flag in it.
@frozen
@usableFromInline
struct ObserverPlace {
    @usableFromInline let object: AnyObject

    /// Raised when the observer is disposed of.
    @usableFromInline let flag: AtomicFlag

    @inlinable @inline(__always)
    init(_ object: __owned AnyObject, _ flag: AtomicFlag) {
        self.object = object
        self.flag = flag
    }
}
