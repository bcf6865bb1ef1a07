#if NATS
public import Foundation

/// A message to publish to a stream.
public struct NATSOutgoing: Sendable {
    public var payload: Data
    /// The subject, without wildcards. A stream must store it.
    public var subject: String
    /// The server stores only one message with this id within the stream's `duplicateWindow`. nil for a new one.
    public var id: String?
    public var headers: NATSHeaders

    public init(_ payload: Data, to subject: String, id: String? = nil, headers: NATSHeaders = [:]) {
        self.payload = payload
        self.subject = subject
        self.id = id
        self.headers = headers
    }
}

/// A message that a stream has stored.
public struct NATSPublication: Equatable, Sendable {
    /// The name of the stream.
    public var stream: String
    /// The number of the message in the stream.
    public var sequence: UInt64
    /// Whether the stream had a message with this id already. Then the sequence is that message's.
    public var isDuplicate: Bool

    public init(stream: String, sequence: UInt64, isDuplicate: Bool) {
        self.stream = stream
        self.sequence = sequence
        self.isDuplicate = isDuplicate
    }

    /// Reads `{"stream":"ORDERS","seq":7,"duplicate":true}`, or the error in it.
    static func result(_ message: NATSMessage) -> Result<NATSPublication, NATSError> {
        let read = unsafe message.withUnsafeBytes { bytes in
            var reader = unsafe AcknowledgementReader(bytes)
            return reader.read()
        }
        if let read { return .success(read) }
        return JetStream.response(message.data).flatMap { response in
            guard let stream = response["stream"]?.stringValue, let sequence = response["seq"]?.int else {
                return .failure(.jetStream(code: 0, "the acknowledgement of a message has no stream and no sequence"))
            }
            return .success(
                NATSPublication(
                    stream: stream, sequence: UInt64(clamping: sequence),
                    isDuplicate: response["duplicate"] == .bool(true)))
        }
    }
}
#endif
