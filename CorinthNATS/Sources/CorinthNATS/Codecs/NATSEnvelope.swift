#if NATS
public import Foundation

/// A value, with the headers of its message. See ``NATSEnvelopeCodec``.
public struct NATSEnvelope<Value: Sendable>: Sendable {
    public var value: Value
    public var headers: NATSHeaders

    public init(_ value: Value, headers: NATSHeaders = [:]) {
        self.value = value
        self.headers = headers
    }
}

extension NATSEnvelope: Equatable where Value: Equatable {}

/// Values with the headers of their messages, so that what the headers say goes wherever values go: to a partition, through a group, to
/// an observer.
///
/// ```swift
/// let codec = NATSEnvelopeCodec(.json(Order.self))
/// jetStream.observe(orders, as: codec, by: group) { partition in
///     partition.map { order in NATSEnvelope(price(order.value), headers: order.headers) }
/// }
/// ```
///
/// What begins with `Nats-` is for servers, and left out. Buckets and stored states have payloads alone: their values come without headers.
public struct NATSEnvelopeCodec<Base: NATSCodec>: NATSCodec {
    private let base: Base

    /// - Parameter base: Encodes and decodes the payloads.
    public init(_ base: Base) { self.base = base }

    public func encode(_ value: NATSEnvelope<Base.Value>) throws -> Data { try base.encode(value.value) }

    public func decode(_ payload: Data) throws -> NATSEnvelope<Base.Value> { NATSEnvelope(try base.decode(payload)) }

    public func headers(of value: NATSEnvelope<Base.Value>) -> NATSHeaders { value.headers }

    /// - Complexity: Two allocations for each header.
    public func decode(_ message: NATSMessage) throws -> NATSEnvelope<Base.Value> {
        NATSEnvelope(try base.decode(message), headers: message.headers.withoutInstructions)
    }
}
#endif
