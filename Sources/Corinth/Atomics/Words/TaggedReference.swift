/// A word of one thread that is a number, or retains an object and has its address. The two lowest bits of an object's address are 0:
/// in the word they are a tag, which says what it is.
enum TaggedReference {
    /// A word that retains `object`.
    ///
    /// - Parameter tag: 0 to 3.
    @inline(__always)
    static func word(retaining object: AnyObject, tag: UInt) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()) | tag
    }

    /// The object of a word that has this tag. The word retains it, unless the caller takes that over and writes another word.
    @inline(__always)
    static func object<Object: AnyObject>(of word: UInt, tagged tag: UInt) -> Unmanaged<Object>? {
        guard word & 3 == tag, let address = unsafe UnsafeRawPointer(bitPattern: word & ~3) else { return nil }
        return unsafe Unmanaged.fromOpaque(address)
    }
}
