#if NATS
/// A stream of JetStream: messages on some subjects, stored in order.
///
/// ```swift
/// var orders = NATSStream("ORDERS", subjects: ["orders.>"])
/// orders.replicas = 3
/// jetStream.declare(orders).start()
/// ```
///
/// A setting that is nil isn't declared: a new stream gets the server's default, and an existing one keeps its own.
public struct NATSStream: Equatable, Sendable {
    /// Where messages are stored.
    public enum Storage: String, Sendable { case file, memory }

    /// When messages are deleted, apart from the limits: never, when all consumers have acknowledged them, or when one has.
    public enum Retention: String, Sendable { case limits, interest, workQueue = "workqueue" }

    /// What happens to a message that exceeds a limit of the stream: the oldest is deleted, or the new one is refused.
    public enum Discard: String, Sendable { case old, new }

    /// The name. No spaces, and none of `. * > / \`.
    public var name: String
    /// The subjects whose messages are stored. Wildcards are allowed. Not empty.
    public var subjects: [String]
    public var storage = Storage.file
    /// How many servers store each message: 1 to 5.
    public var replicas = 1
    public var retention = Retention.limits
    public var discard: Discard?
    /// How many messages, and how many bytes, are stored at most.
    public var maxMessages: Int?
    public var maxBytes: Int?
    /// How many messages of each subject are stored at most.
    public var maxMessagesPerSubject: Int?
    /// The largest message, in bytes.
    public var maxMessageSize: Int?
    /// How long a message is stored at most.
    public var maxAge: Duration?
    /// For how long the server remembers the ids of messages, to refuse duplicates. The server's default is two minutes.
    public var duplicateWindow: Duration?

    /// A stream in files, with one replica and without limits.
    public init(_ name: String, subjects: [String]) {
        self.name = name
        self.subjects = subjects
    }

    /// Fails if a name or a subject is illegal. Stops the program if a number is out of its range.
    func check() throws(NATSError) {
        precondition((1...5).contains(replicas), "replicas is \(replicas), but must be from 1 to 5")
        precondition(!subjects.isEmpty, "subjects is empty, but must name at least one")
        try Subject.checkName(name)
        for subject in subjects { try Subject.checkSubscribing(subject) }
    }

    /// What is declared.
    var settings: [String: JSONValue] {
        var settings: [String: JSONValue] = [
            "name": .string(name), "subjects": .array(subjects.map { .string($0) }),
            "storage": .string(storage.rawValue),
            "num_replicas": .integer(Int64(replicas)), "retention": .string(retention.rawValue),
        ]
        settings["discard"] = discard.map { .string($0.rawValue) }
        settings["max_msgs"] = maxMessages.map { .integer(Int64($0)) }
        settings["max_bytes"] = maxBytes.map { .integer(Int64($0)) }
        settings["max_msgs_per_subject"] = maxMessagesPerSubject.map { .integer(Int64($0)) }
        settings["max_msg_size"] = maxMessageSize.map { .integer(Int64($0)) }
        settings["max_age"] = maxAge.map { .integer($0.nanoseconds) }
        settings["duplicate_window"] = duplicateWindow.map { .integer($0.nanoseconds) }
        return settings
    }
}

/// What a stream contains.
public struct NATSStreamInfo: Equatable, Sendable {
    public var name = ""
    public var messages = 0
    /// The size of the stored messages, in bytes.
    public var bytes = 0
    /// The sequences of the oldest and of the newest message.
    public var firstSequence = 0
    public var lastSequence = 0
    public var consumers = 0
    /// The name of the server that leads the stream. nil without a cluster, and while there is none.
    public var leader: String?

    init(_ response: JSONValue) {
        name = response["config"]?["name"]?.stringValue ?? ""
        let state = response["state"]
        messages = state?["messages"]?.int ?? 0
        bytes = state?["bytes"]?.int ?? 0
        firstSequence = state?["first_seq"]?.int ?? 0
        lastSequence = state?["last_seq"]?.int ?? 0
        consumers = state?["consumer_count"]?.int ?? 0
        leader = response["cluster"]?["leader"]?.stringValue
    }
}
#endif
