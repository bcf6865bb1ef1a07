/// An object that was made in order to find out where its fields lie, which the compiler says of no class: the words in it are
/// known.
@safe struct LayoutSample {
    private let start: UnsafeRawPointer

    /// - Parameter start: Where the object begins. It outlives this.
    init(at start: UnsafeRawPointer) { unsafe self.start = start }

    /// - Parameter object: Outlives this.
    init(_ object: AnyObject) { unsafe self.init(at: Unmanaged.passUnretained(object).toOpaque()) }

    /// The offset of the first place that has a word, in bytes.
    ///
    /// - Parameter word: It is somewhere in the object.
    func offset(of word: UInt) -> UInt64 {
        var offset = 0
        while unsafe start.load(fromByteOffset: offset, as: UInt.self) != word { offset += MemoryLayout<UInt>.stride }
        return UInt64(offset)
    }

    /// The same, of the address of another object.
    func offset(of object: AnyObject) -> UInt64 { offset(of: Registry.address(of: object)) }

    /// The offset of a field, in bytes.
    func offset(of field: UnsafeRawPointer) -> UInt64 { UInt64(unsafe field - start) }
}
