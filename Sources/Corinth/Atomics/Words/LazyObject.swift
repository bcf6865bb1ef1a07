/// An object that the first thread to need it makes, and that lives as long as its owner.
///
/// It is a word of the owner, whose deinitialiser calls ``release()``.
@frozen
@usableFromInline
@safe struct LazyObject<Object: AnyObject>: ~Copyable {
    @usableFromInline let address = LazyAddress()

    @inlinable @inline(__always)
    init() {}

    @inlinable
    static func object(at address: UInt64) -> Unmanaged<Object>? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
        return unsafe Unmanaged<Object>.fromOpaque(pointer)
    }

    /// The object; nil if nobody has needed it.
    @inlinable
    var known: Object? { unsafe LazyObject.object(at: address.known)?.takeUnretainedValue() }

    /// Passes the object to `body` without retaining it, if somebody has needed it. The caller keeps the owner alive.
    ///
    /// - Returns: Whether there is an object.
    @inlinable @inline(__always)
    @discardableResult
    func withKnown(_ body: (Object) -> Void) -> Bool {
        guard let object = unsafe LazyObject.object(at: address.known) else { return false }
        unsafe object._withUnsafeGuaranteedRef { body($0) }
        return true
    }

    /// The object that this thread or another one has made.
    ///
    /// - Parameter make: Makes it. Other threads may do that at the same time; then all but one object are released, which
    ///   must have no effect.
    @inlinable
    func get(_ make: () -> Object) -> Object {
        let made = address.get {
            unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(make()).toOpaque()))
        } orFree: {
            unsafe LazyObject.object(at: $0)?.release()
        }
        return unsafe LazyObject.object(at: made).unsafelyUnwrapped.takeUnretainedValue()
    }

    /// Releases the object. Called once, by the deinitialiser of the owner.
    @inlinable
    func release() { unsafe LazyObject.object(at: address.known)?.release() }
}
