/// Draws numbers from bytes, so that a mutation of a byte changes one decision. After the last byte it draws zeros.
struct ByteDice: RandomNumberGenerator {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// All bits depend on the byte, because `Bool.random` takes another bit than `Int.random`. The lowest bit is set: of 0,
    /// `Int.random` would draw again, for ever.
    mutating func next() -> UInt64 {
        UInt64(bytes.popFirst() ?? 0) &* 0x0101_0101_0101_0101 | 1
    }
}
