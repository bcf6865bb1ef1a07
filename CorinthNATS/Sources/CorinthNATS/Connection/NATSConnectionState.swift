#if NATS
/// The state of a connection.
///
///     connecting -> connected <-> reconnecting
///          |            |              |
///          |         draining          |
///          v            v              v
///        closed      closed         closed
public enum NATSConnectionState: Equatable, Sendable {
    /// The first connection is being made.
    case connecting
    /// A server answers.
    case connected
    /// The connection is lost, and is being made again.
    case reconnecting
    /// No new message arrives. What has arrived is delivered, what was published is sent; then the connection closes.
    case draining
    /// Nothing more happens. The error is nil if the program has closed the connection.
    case closed(NATSError?)
}

/// What a connection has sent and received.
public struct NATSStatistics: Equatable, Sendable {
    /// Messages that were received, and the bytes of their payloads.
    public var messagesIn = 0
    public var bytesIn = 0
    /// Messages that were published, and the bytes of their payloads.
    public var messagesOut = 0
    public var bytesOut = 0
    /// How often the connection was made again.
    public var reconnections = 0
    /// Payloads that a codec could not decode.
    public var undecodable = 0
    /// How often a stream has deleted messages before a worker of a group has read them. See ``NATSError/deleted(stream:subject:from:to:)``.
    public var deleted = 0
    /// Messages that came too late for a window, counted for each window. See ``NATSWindows``.
    public var late = 0
}
#endif
