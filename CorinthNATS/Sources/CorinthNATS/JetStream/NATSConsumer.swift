#if NATS
/// A durable pull consumer of JetStream: a position in a stream that workers share.
///
/// ```swift
/// let billing = NATSConsumer("billing", of: "ORDERS")
/// jetStream.declare(billing).start()
/// ```
public struct NATSConsumer: Equatable, Sendable {
    /// Where a new consumer begins.
    public enum Start: Equatable, Sendable {
        /// With the oldest message, or with the first that comes after the declaration.
        case all, new
        case sequence(UInt64)
    }

    /// What an acknowledgement covers: its message, or also all before it.
    public enum Acknowledgement: String, Sendable { case explicit, all }

    /// The name. No spaces, and none of `. * > / \`.
    public var name: String
    /// The name of the stream.
    public var stream: String
    /// Only messages on this subject, possibly with wildcards. nil for all.
    public var filter: String?
    public var start = Start.all
    public var acknowledgement = Acknowledgement.explicit
    /// After this time without an acknowledgement, a message is delivered again. At least 1 ms.
    public var ackWait: Duration = .seconds(30)
    /// How often a message is delivered at most. nil for no limit. At least 1. The server doesn't tell that it has given up.
    public var maxDeliveries: Int?
    /// How many messages may be delivered and not acknowledged, over all workers. At least 1.
    public var maxUnacknowledged = 1000

    /// A consumer of all messages of a stream.
    public init(_ name: String, of stream: String) {
        self.name = name
        self.stream = stream
    }

    /// Fails if a name or a subject is illegal. Stops the program if a number is out of its range.
    func check() throws(NATSError) {
        ackWait.requireMillisecond("ackWait")
        precondition(maxDeliveries ?? 1 >= 1, "maxDeliveries is \(maxDeliveries ?? 1), but must be at least 1")
        precondition(maxUnacknowledged >= 1, "maxUnacknowledged is \(maxUnacknowledged), but must be at least 1")
        try Subject.checkName(name)
        try Subject.checkName(stream)
        if let filter { try Subject.checkSubscribing(filter) }
    }

    /// What is declared.
    var settings: [String: JSONValue] {
        var settings: [String: JSONValue] = [
            "durable_name": .string(name), "ack_policy": .string(acknowledgement.rawValue),
            "ack_wait": .integer(ackWait.nanoseconds), "max_deliver": .integer(Int64(maxDeliveries ?? -1)),
            "max_ack_pending": .integer(Int64(maxUnacknowledged)), "replay_policy": .string("instant"),
        ]
        settings["filter_subject"] = filter.map { .string($0) }
        switch start {
        case .all: settings["deliver_policy"] = .string("all")
        case .new: settings["deliver_policy"] = .string("new")
        case .sequence(let sequence):
            settings["deliver_policy"] = .string("by_start_sequence")
            settings["opt_start_seq"] = .integer(Int64(clamping: sequence))
        }
        return settings
    }
}

/// What a consumer has delivered.
public struct NATSConsumerInfo: Equatable, Sendable {
    public var name = ""
    /// Messages that wait to be delivered for the first time.
    public var pending = 0
    /// Messages that are delivered and not acknowledged.
    public var unacknowledged = 0
    /// Unacknowledged messages that were delivered more than once.
    public var redelivered = 0
    /// All messages up to this sequence are acknowledged.
    public var acknowledgedSequence = 0

    init(_ response: JSONValue) {
        name = response["name"]?.stringValue ?? ""
        pending = response["num_pending"]?.int ?? 0
        unacknowledged = response["num_ack_pending"]?.int ?? 0
        redelivered = response["num_redelivered"]?.int ?? 0
        acknowledgedSequence = response["ack_floor"]?["stream_seq"]?.int ?? 0
    }
}
#endif
