#if NATS
/// Reads the acknowledgement of a published message: one flat object of JSON, whose texts have no escapes. It comes for each
/// message, and a general decoder takes many times as long as the message itself.
@safe
struct AcknowledgementReader {
    private let bytes: UnsafeRawBufferPointer
    private let count: Int
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        count = bytes.count
    }

    /// The publication. nil if this isn't the acknowledgement of one, or if it needs a general decoder.
    mutating func read() -> NATSPublication? {
        var publication = NATSPublication(stream: "", sequence: 0, isDuplicate: false)
        guard take("{") else { return nil }
        repeat {
            guard let key = text(), take(":") else { return nil }
            switch key {
            case "stream":
                guard let text = text() else { return nil }
                publication.stream = text
            case "seq":
                guard let number = number() else { return nil }
                publication.sequence = number
            case "duplicate":
                guard word() == "true" else { return nil }
                publication.isDuplicate = true
            case "domain": if text() == nil { return nil }
            default: return nil
            }
        } while take(",")
        guard take("}"), position == count, publication.sequence > 0, !publication.stream.isEmpty else {
            return nil
        }
        return publication
    }

    private var next: UInt8? { position < count ? unsafe bytes[position] : nil }

    private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
        while next == 0x20 { position += 1 }
        guard next == UInt8(ascii: symbol) else { return false }
        position += 1
        while next == 0x20 { position += 1 }
        return true
    }

    private mutating func characters(while isIn: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, isIn(byte) { position += 1 }
        return unsafe String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func text() -> String? {
        guard next == 0x22 else { return nil }
        position += 1
        let text = characters { $0 != 0x22 && $0 != 0x5C }
        guard next == 0x22 else { return nil }
        position += 1
        while next == 0x20 { position += 1 }
        return text
    }

    private mutating func number() -> UInt64? { UInt64(characters { (0x30...0x39).contains($0) }) }

    private mutating func word() -> String { characters { (0x61...0x7A).contains($0) } }
}
#endif
