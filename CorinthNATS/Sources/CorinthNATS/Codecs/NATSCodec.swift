#if NATS
public import Foundation

/// How values become payloads, and payloads values.
///
/// ```swift
/// connection.values(on: "orders.*", as: .json(Order.self))
/// ```
///
/// ``DataCodec``, ``BytesCodec``, ``TextCodec`` and ``JSONCodec`` are given, and ``NATSEnvelopeCodec`` for headers. A type of your own
/// conforms for other formats.
///
/// ## Concurrency
/// The methods may be called on several threads at the same time.
public protocol NATSCodec<Value>: Sendable {
    associatedtype Value: Sendable

    /// The payload of a value. What it throws is reported with its description.
    func encode(_ value: Value) throws -> Data

    /// The value of a payload. What it throws is reported with its description.
    ///
    /// - Parameter payload: May share the memory of its message, which is released with it.
    func decode(_ payload: Data) throws -> Value

    /// The headers of a value's message. None, unless the codec says otherwise.
    func headers(of value: Value) -> NATSHeaders

    /// The value of a message. That of its payload, unless the codec says otherwise.
    func decode(_ message: NATSMessage) throws -> Value
}

extension NATSCodec {
    public func headers(of value: Value) -> NATSHeaders { NATSHeaders() }
    public func decode(_ message: NATSMessage) throws -> Value { try decode(message.data) }
}

/// Payloads as they are, without a copy.
public struct DataCodec: NATSCodec {
    public init() {}
    public func encode(_ value: Data) -> Data { value }
    public func decode(_ payload: Data) -> Data { payload }
}

/// Payloads as arrays of bytes.
public struct BytesCodec: NATSCodec {
    public init() {}
    public func encode(_ value: [UInt8]) -> Data { Data(value) }
    public func decode(_ payload: Data) -> [UInt8] { [UInt8](payload) }
}

/// Texts in UTF-8.
public struct TextCodec: NATSCodec {
    /// A payload isn't UTF-8.
    public struct NotUTF8: Error, CustomStringConvertible {
        public var description: String { "it isn't UTF-8" }
    }

    public init() {}
    public func encode(_ value: String) -> Data { Data(value.utf8) }
    public func decode(_ payload: Data) throws -> String {
        guard let text = String(validating: payload, as: UTF8.self) else { throw NotUTF8() }
        return text
    }
}

/// JSON, for any type that is `Codable`.
public struct JSONCodec<Value: Codable & Sendable>: NATSCodec {
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    /// - Parameters:
    ///   - encoder: Not to be changed afterwards.
    ///   - decoder: Not to be changed afterwards.
    public init(
        _ type: Value.Type = Value.self, encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()
    ) {
        self.encoder = encoder
        self.decoder = decoder
    }

    public func encode(_ value: Value) throws -> Data { try encoder.encode(value) }
    public func decode(_ payload: Data) throws -> Value { try decoder.decode(Value.self, from: payload) }
}

extension NATSCodec where Self == DataCodec {
    /// Payloads as they are, without a copy.
    public static var data: DataCodec { DataCodec() }
}

extension NATSCodec where Self == BytesCodec {
    /// Payloads as arrays of bytes.
    public static var bytes: BytesCodec { BytesCodec() }
}

extension NATSCodec where Self == TextCodec {
    /// Texts in UTF-8.
    public static var text: TextCodec { TextCodec() }
}

extension NATSCodec {
    /// JSON, with the default encoder and decoder.
    public static func json<Payload>(_ type: Payload.Type) -> JSONCodec<Payload> where Self == JSONCodec<Payload> {
        JSONCodec(type)
    }
}

/// What happens to a stream when a payload doesn't decode.
public enum UndecodablePolicy: Sendable {
    /// The message is left out. ``NATSConnection/failures`` reports it, and ``NATSStatistics/undecodable`` counts it.
    case skip
    /// The same, and the stream fails with ``NATSError/undecodable(subject:sequence:reason:)``.
    case fail
}
#endif
