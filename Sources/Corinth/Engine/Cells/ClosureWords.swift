internal import CCorinth

/// The two words of a closure of any type: its code, and the object with its captures or 0.
@frozen
@usableFromInline
@safe struct ClosureWords {
    @usableFromInline var code: UInt64 = 0

    /// Retained.
    @usableFromInline var captures: Unmanaged<AnyObject>?

    @inlinable
    init() { unsafe captures = nil }

    /// Releases the captures. Afterwards there is no closure.
    @usableFromInline
    mutating func release() {
        let captures = unsafe captures
        self = ClosureWords()
        unsafe captures?.release()
    }

    /// Releases the captures of two closures, with one atomic operation if they are the same object.
    @usableFromInline
    static func release(_ first: ClosureWords, _ second: ClosureWords) {
        if let captures = unsafe first.captures, unsafe captures.toOpaque() == second.captures?.toOpaque() {
            unsafe ccorinth_release_twice(captures.toOpaque())
        } else {
            unsafe first.captures?.release()
            unsafe second.captures?.release()
        }
    }
}
