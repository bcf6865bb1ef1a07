#if NATS
public import Corinth
internal import Foundation

/// How far a group is: see ``JetStream/status(of:over:)``.
public struct NATSGroupStatus: Equatable, Sendable {
    /// A partition of a group.
    public struct Partition: Equatable, Sendable {
        public var number: Int
        /// All messages up to this sequence were handled, and their state is stored.
        public var position: UInt64
        /// How many messages the stream has for it behind that.
        public var lag: Int
        /// How many workers have begun with it since something was stored. More than 2, and growing: they die of a message.
        public var fruitlessClaims: Int
    }

    /// In the order of their numbers.
    public var partitions: [Partition]

    /// The sum of all.
    public var lag: Int { partitions.reduce(0) { $0 + $1.lag } }
}

extension JetStream {
    /// Looks at each start how far a group is, without being one of its workers.
    ///
    /// ```swift
    /// jetStream.status(of: totals, over: orders).startWithResult { metrics.record(try? $0.get().lag) }
    /// ```
    ///
    /// A message counts until its state is stored: up to ``NATSGroup/snapshotWithin`` longer than it takes to handle it. Fails as
    /// ``aggregate(_:as:by:of:state:undecodable:windows:at:outputs:_:)`` does if the stream, the bucket or the group isn't there.
    ///
    /// - Parameters:
    ///   - group: The group. Only its name and its bucket matter.
    ///   - partitions: The messages of the group.
    /// - Complexity: Three requests to the server for each partition, 16 partitions at a time. A consumer for each of them lives for as
    ///   long as its request.
    public func status(
        of group: NATSGroup, over partitions: NATSPartitions
    ) -> SignalProducer<NATSGroupStatus, NATSError> {
        do throws(NATSError) {
            try group.check()
            try Subject.checkName(partitions.stream)
        } catch {
            return SignalProducer(error: error)
        }
        return SignalProducer<Int, NATSError>(0..<partitions.count)
            .flatMap(.concurrent(limit: 16)) { status(of: $0, group, partitions) }
            .collect()
            .map { NATSGroupStatus(partitions: $0.sorted { $0.number < $1.number }) }
    }

    private func status(
        of partition: Int, _ group: NATSGroup, _ partitions: NATSPartitions
    ) -> SignalProducer<NATSGroupStatus.Partition, NATSError> {
        let subject = group.subject(of: partition)
        return newest(subject, in: group.bucket).flatMap(.latest) {
            found -> SignalProducer<NATSGroupStatus.Partition, NATSError> in
            guard let head = found.flatMap({ SnapshotStore.Head($0.data) }) else {
                return SignalProducer(error: .stateLost(subject: subject, position: 0))
            }
            let position = head.snapshot.position
            return makeOrderedConsumer(
                of: partitions.stream, on: partitions.subject(of: partition), from: .after(position)
            )
            .flatMap(.concat) { consumer, info in
                // It would go by itself, after a while.
                call("CONSUMER.DELETE.\(consumer.stream).\(consumer.name)")
                    .map { _ in info }
                    .flatMapError { _ in SignalProducer(value: info) }
            }
            .map { info in
                NATSGroupStatus.Partition(
                    number: partition, position: position, lag: info["num_pending"]?.int ?? 0,
                    fruitlessClaims: head.claims)
            }
        }
    }
}
#endif
