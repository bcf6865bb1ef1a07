public import Corinth

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Finds lines, and keeps the beginning of the one that a chunk cuts.
struct LineDecoder: ByteDecoder {
    private let limit: Int
    private var begun: [UInt8] = []

    init(limit: Int) {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        self.limit = limit
    }

    mutating func decode(_ chunk: [UInt8], into send: (String) -> Void) throws(DecodingFailure<Never>) {
        try unsafe chunk.withUnsafeBufferPointer { bytes throws(DecodingFailure<Never>) in
            var rest = unsafe bytes[...]
            while let newline = unsafe LineDecoder.newline(in: rest) {
                let piece = unsafe UnsafeBufferPointer(rebasing: rest[..<newline])
                if begun.isEmpty {
                    send(try unsafe line(piece))
                } else {
                    unsafe begun.append(contentsOf: piece)
                    try complete(into: send)
                }
                unsafe rest = rest[(newline + 1)...]
            }
            unsafe begun.append(contentsOf: rest)
        }
        // One more byte may be a carriage return before the newline.
        if begun.count > limit, begun.count - limit > 1 || begun.last != 13 { throw .tooLong(limit: limit) }
    }

    mutating func complete(into send: (String) -> Void) throws(DecodingFailure<Never>) {
        if begun.isEmpty { return }
        send(
            try unsafe begun.withUnsafeBufferPointer { bytes throws(DecodingFailure<Never>) in try unsafe line(bytes) })
        begun.removeAll(keepingCapacity: true)
    }

    private func line(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodingFailure<Never>) -> String {
        let text = unsafe bytes.last == 13 ? bytes.dropLast() : bytes[...]
        if unsafe text.count > limit { throw .tooLong(limit: limit) }
        return unsafe String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self)
    }

    private static func newline(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let base = unsafe bytes.base.baseAddress,
            let found = unsafe memchr(base + bytes.startIndex, 10, bytes.count)
        else {
            return nil
        }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}

extension Signal where Value == [UInt8] {
    /// The lines of a text in UTF-8 whose bytes come in chunks. A chunk may end anywhere, also inside a character.
    ///
    /// ```swift
    /// SignalProducer.bytes(of: connection, on: scheduler).lines(limit: 4_096).startWithResult { print($0) }
    /// ```
    ///
    /// A line ends with `\n` or `\r\n`, which isn't part of it. The last one may end with the stream. What isn't UTF-8 becomes
    /// “\u{FFFD}”, as in `String(decoding:as:)`. A failure or an interruption drops the line that has begun.
    ///
    /// - Parameter limit: How many bytes a line may have. At least 1. At a longer one, the stream fails with
    ///   ``DecodingFailure/tooLong(limit:)``, before the line's end has come.
    /// - Complexity: O(*n*) for *n* bytes in chunks of any size. One allocation for each line of more than 15 bytes. It keeps the
    ///   line that has begun, and the memory of the longest one that was cut.
    public func lines(limit: Int) -> Signal<String, DecodingFailure<Error>> { decoded(by: LineDecoder(limit: limit)) }
}

extension SignalProducer where Value == [UInt8] {
    /// The lines of a text in UTF-8 whose bytes come in chunks. See ``Signal/lines(limit:)``.
    public func lines(limit: Int) -> SignalProducer<String, DecodingFailure<Error>> {
        let decoder = LineDecoder(limit: limit)
        return lift { $0.decoded(by: decoder) }
    }
}
