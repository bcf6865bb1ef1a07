#if NATS
/// What has become of one delivery. See ``JetStream/process(_:as:places:retryAfter:within:deadLetter:_:)``.
public struct NATSOutcome: Equatable, Sendable {
    /// The end of the work for a delivery.
    public enum Kind: Equatable, Sendable {
        /// The handler has completed.
        case acknowledged
        /// The handler has failed. The message comes again.
        case givenBack(reason: String)
        /// The handler has failed too often, or the payload doesn't decode. The message doesn't come again.
        case deadLettered(reason: String)
    }

    public var kind: Kind
    public var subject: String
    /// The number of the message in its stream.
    public var sequence: UInt64
    /// How often it was delivered.
    public var deliveries: Int
}

/// Where messages go that can't be handled.
public struct DeadLetterPolicy: Sendable {
    /// The subject, which a stream must store. nil to drop them.
    public var subject: String?
    /// After how many failed deliveries. At least 1.
    public var afterDeliveries: Int

    /// - Parameters:
    ///   - subject: The subject, which a stream must store. nil to drop the messages.
    ///   - afterDeliveries: After how many failed deliveries. At least 1.
    public init(to subject: String?, afterDeliveries: Int = 5) {
        precondition(afterDeliveries >= 1, "afterDeliveries is \(afterDeliveries), but must be at least 1")
        self.subject = subject
        self.afterDeliveries = afterDeliveries
    }
}
#endif
