#if NATS
public import Corinth
internal import Foundation

extension NATSConnection {
    /// Subscribes to a subject, and decodes the payloads. See ``messages(on:queueGroup:bufferingPolicy:statistics:)``.
    ///
    /// - Parameters:
    ///   - codec: Decodes on the thread that delivers.
    ///   - undecodable: What happens when a payload doesn't decode.
    public func values<Codec: NATSCodec>(
        on subject: String, as codec: Codec, undecodable: UndecodablePolicy = .skip, queueGroup: String? = nil,
        bufferingPolicy policy: BufferingPolicy<NATSError> = .dropNewest(capacity: 65_536),
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Codec.Value, NATSError> {
        let core = core
        let messages = messages(on: subject, queueGroup: queueGroup, bufferingPolicy: policy, statistics: statistics)
        switch undecodable {
        case .skip: return messages.compactMap { try? core.decode($0, as: codec).get() }
        case .fail: return messages.attemptMap { core.decode($0, as: codec) }
        }
    }

    /// Encodes a value and publishes it. See ``publish(_:to:headers:replyTo:)``.
    ///
    /// - Throws: Also ``NATSError/unencodable(subject:reason:)``.
    public func publish<Codec: NATSCodec>(
        _ value: Codec.Value, as codec: Codec, to subject: String, headers: NATSHeaders = [:]
    ) throws(NATSError) {
        let message = try core.encode(value, as: codec, for: subject, headers)
        try publish(message.payload, to: subject, headers: message.headers)
    }

    /// A binding target that encodes and publishes each value. See ``publisher(to:headers:)``.
    public func publisher<Codec: NATSCodec>(
        to subject: String, as codec: Codec, headers: NATSHeaders = [:]
    ) throws(NATSError) -> BindingTarget<Codec.Value> {
        try headers.check()
        let name = try SubjectName(publishing: subject)
        return target { core, value throws(NATSError) in
            let message = try core.encode(value, as: codec, for: subject, headers)
            try core.publish(message.payload, to: name, message.headers, reply: nil)
        }
    }

    /// A binding target that encodes each value and publishes it to a subject of its own.
    ///
    /// - Parameter subject: The subject of a value, without wildcards. An illegal one is reported by ``failures``.
    public func publisher<Codec: NATSCodec>(
        as codec: Codec, to subject: @escaping @Sendable (Codec.Value) -> String
    ) -> BindingTarget<Codec.Value> {
        target { core, value throws(NATSError) in
            let subject = subject(value)
            let message = try core.encode(value, as: codec, for: subject)
            try core.publish(message.payload, to: SubjectName(publishing: subject), message.headers, reply: nil)
        }
    }

    /// Sends a value as a request at each start, and decodes the reply. See ``request(_:to:headers:within:)``.
    ///
    /// Also fails with ``NATSError/unencodable(subject:reason:)`` and ``NATSError/undecodable(subject:sequence:reason:)``.
    public func request<Codec: NATSCodec, Reply: NATSCodec>(
        _ value: Codec.Value, as codec: Codec, to subject: String, replyAs replyCodec: Reply,
        headers: NATSHeaders = [:],
        within time: Duration = .seconds(5)
    ) -> SignalProducer<Reply.Value, NATSError> {
        let core = core
        do throws(NATSError) {
            let message = try core.encode(value, as: codec, for: subject, headers)
            return request(message.payload, to: subject, headers: message.headers, within: time)
                .attemptMap { core.decode($0, as: replyCodec) }
        } catch {
            return SignalProducer(error: error)
        }
    }
}

extension ConnectionCore {
    /// The payload of a value, and its headers behind the given ones, which are legal.
    func encode<Codec: NATSCodec>(
        _ value: Codec.Value, as codec: Codec, for subject: String, _ given: NATSHeaders = [:]
    ) throws(NATSError) -> (payload: Data, headers: NATSHeaders) {
        let payload: Data
        do {
            payload = try codec.encode(value)
        } catch {
            throw .unencodable(subject: subject, reason: "\(error)")
        }
        let own = codec.headers(of: value)
        if own.isEmpty { return (payload, given) }
        try own.check()
        var headers = given
        headers.fields += own.fields
        return (payload, headers)
    }

    /// Decodes a payload. A failure is counted and reported.
    func decode<Codec: NATSCodec>(
        _ message: NATSMessage, as codec: Codec
    ) -> Result<Codec.Value, NATSError> {
        decoded(on: message.subject, sequence: nil) { try codec.decode(message) }
    }

    /// What a decoder gives. A failure is counted and reported.
    func decoded<Value>(
        on subject: @autoclosure () -> String, sequence: UInt64?, _ decode: () throws -> Value
    ) -> Result<Value, NATSError> {
        do {
            return .success(try decode())
        } catch {
            return .failure(undecodable(subject(), sequence, because: "\(error)"))
        }
    }

    /// The error of a payload that doesn't decode, which is counted and reported.
    func undecodable(_ subject: String, _ sequence: UInt64?, because reason: String) -> NATSError {
        let failure = NATSError.undecodable(subject: subject, sequence: sequence, reason: reason)
        countUndecodable()
        report(failure)
        return failure
    }

    func undecodable(_ delivery: NATSDelivery, because reason: String) -> NATSError {
        undecodable(delivery.subject, delivery.sequence, because: reason)
    }
}
#endif
