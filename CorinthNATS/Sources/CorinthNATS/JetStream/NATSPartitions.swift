#if NATS
/// The messages of a stream, divided by key, for workers that keep the order of each key.
///
/// ```swift
/// let orders = NATSPartitions(24, of: "ORDERS", subjects: "orders.partition", consumer: "billing")
/// jetStream.declare(orders).start()
///
/// // Publishers.
/// NATSOutgoing(order.json, to: orders.subject(forKey: order.customer), id: order.id)
///
/// // Any number of workers, on any machines.
/// jetStream.process(orders, as: .json(Order.self)) { order, _ in ledger.book(order) }.start()
/// ```
///
/// A key belongs to one partition, and each partition is a subject and a consumer. A consumer has one message at a time with a
/// worker. So the messages of a partition are handled one after the other, in order, whichever workers handle them, also if one
/// fails, or dies: the next message comes after it was acknowledged, terminated or dead-lettered. Workers share the partitions
/// through the server. If one joins, it gets the next messages of all partitions; if one dies, another one gets its messages
/// after `ackWait`.
///
/// The number of partitions bounds how many messages are handled at the same time, over all workers. A group refuses another
/// number than it was made with: ``JetStream/move(_:over:to:over:)`` makes another group of its states.
public struct NATSPartitions: Equatable, Sendable {
    /// How many there are.
    public let count: Int
    /// The name of the stream. It must store the subjects.
    public let stream: String
    /// What their subjects begin with: a dot and a number follow.
    public let subjects: String
    /// What the names of their consumers begin with: a hyphen and a number follow.
    public let consumer: String
    /// After this time without an acknowledgement, a message goes to another worker. At least 1 ms.
    public var ackWait: Duration = .seconds(30)

    /// - Parameters:
    ///   - count: How many there are. From 1 to 1,024.
    ///   - stream: The name of the stream. It must store the subjects.
    ///   - subjects: What their subjects begin with.
    ///   - consumer: What the names of their consumers begin with.
    public init(_ count: Int, of stream: String, subjects: String, consumer: String) {
        precondition((1...1024).contains(count), "count is \(count), but must be from 1 to 1024")
        self.count = count
        self.stream = stream
        self.subjects = subjects
        self.consumer = consumer
    }

    /// The partition of a key: the same on every machine and in every version.
    ///
    /// - Complexity: O(the length of the key).
    public func partition(ofKey key: some StringProtocol) -> Int {
        // FNV-1a, with its bits mixed, since the remainder depends on the low ones.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15
        return Int((hash >> 32) % UInt64(count))
    }

    /// The subject to publish a message of this key to.
    public func subject(forKey key: some StringProtocol) -> String { subject(of: partition(ofKey: key)) }

    /// The subject of a partition.
    func subject(of partition: Int) -> String { "\(subjects).\(partition)" }

    /// The consumer of a partition.
    func consumer(_ partition: Int) -> NATSConsumer {
        var consumer = NATSConsumer("\(consumer)-\(partition)", of: stream)
        consumer.filter = subject(of: partition)
        consumer.ackWait = ackWait
        // The order depends on it.
        consumer.maxUnacknowledged = 1
        return consumer
    }
}
#endif
