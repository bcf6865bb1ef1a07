public import Corinth

/// The order of the bytes of a number.
public enum ByteOrder: Hashable, Sendable {
    /// The most significant byte comes first, as in most protocols of the Internet.
    case bigEndian
    /// The least significant byte comes first.
    case littleEndian
}

/// Finds frames, and keeps the beginning of the one that a chunk cuts.
struct FrameDecoder: ByteDecoder {
    /// How many bytes a prefix has.
    private let prefixSize: Int

    private let order: ByteOrder
    private let limit: Int

    /// How many bytes the frame has that has begun; nil until its prefix is complete.
    private var length: Int?

    /// The bytes of that frame, or those of its prefix.
    private var begun: [UInt8] = []

    init<Prefix>(prefix: Prefix.Type, _ order: ByteOrder, limit: Int) {
        let size = MemoryLayout<Prefix>.size
        precondition(size <= 8, "prefix is \(Prefix.self), but must have 8 bytes or less")
        precondition(limit >= 0, "limit is \(limit), but must be at least 0")
        prefixSize = size
        self.order = order
        self.limit = limit
    }

    mutating func decode(_ chunk: [UInt8], into send: ([UInt8]) -> Void) throws(DecodingFailure<Never>) {
        try unsafe chunk.withUnsafeBufferPointer { bytes throws(DecodingFailure<Never>) in
            var start = 0
            while true {
                let missing = (length ?? prefixSize) - begun.count
                let end = start + min(missing, bytes.count - start)
                let piece = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
                if piece.count < missing { return unsafe begun.append(contentsOf: piece) }
                if length == nil {
                    unsafe begun.append(contentsOf: piece)
                    length = try decodedLength()
                    begun.removeAll(keepingCapacity: true)
                } else if begun.isEmpty {
                    length = nil
                    send(unsafe [UInt8](piece))
                } else {
                    unsafe begun.append(contentsOf: piece)
                    length = nil
                    send(begun)
                    begun = []
                }
                start = end
            }
        }
    }

    func complete(into send: ([UInt8]) -> Void) throws(DecodingFailure<Never>) {
        if length != nil || !begun.isEmpty { throw .truncated }
    }

    private func decodedLength() throws(DecodingFailure<Never>) -> Int {
        let shifted = { (length: UInt64, byte: UInt8) in length << 8 | UInt64(byte) }
        let length = order == .bigEndian ? begun.reduce(0, shifted) : begun.reversed().reduce(0, shifted)
        guard length <= limit else { throw .tooLong(limit: limit) }
        return Int(length)
    }
}

extension Signal where Value == [UInt8] {
    /// The frames of a stream of bytes: each is a number, its prefix, and then as many bytes as that says.
    ///
    /// ```swift
    /// SignalProducer.bytes(of: connection, on: scheduler).frames(limit: 65_536).startWithResult { handle($0) }
    /// ```
    ///
    /// A value has the bytes of a frame without its prefix. There may be none. A failure or an interruption drops the frame that
    /// has begun. A completion inside a frame fails with ``DecodingFailure/truncated``.
    ///
    /// - Parameters:
    ///   - prefix: The type of the prefix, which has one, two, four or eight bytes.
    ///   - order: The order of the prefix's bytes.
    ///   - limit: How many bytes a frame may have, without its prefix. At least 0. At a larger one, the stream fails with
    ///     ``DecodingFailure/tooLong(limit:)``, as soon as it has the prefix.
    /// - Complexity: O(*n*) for *n* bytes in chunks of any size. One allocation for each frame; more, of which the larger ones
    ///   become rarer, for one that comes in several chunks. It takes no memory for bytes that haven't come.
    public func frames<Prefix: FixedWidthInteger & UnsignedInteger>(
        prefix: Prefix.Type = UInt32.self, order: ByteOrder = .bigEndian, limit: Int
    ) -> Signal<[UInt8], DecodingFailure<Error>> {
        decoded(by: FrameDecoder(prefix: prefix, order, limit: limit))
    }
}

extension SignalProducer where Value == [UInt8] {
    /// The frames of a stream of bytes. See ``Signal/frames(prefix:order:limit:)``.
    public func frames<Prefix: FixedWidthInteger & UnsignedInteger>(
        prefix: Prefix.Type = UInt32.self, order: ByteOrder = .bigEndian, limit: Int
    ) -> SignalProducer<[UInt8], DecodingFailure<Error>> {
        let decoder = FrameDecoder(prefix: prefix, order, limit: limit)
        return lift { $0.decoded(by: decoder) }
    }
}
