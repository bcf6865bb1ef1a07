#if NATS
public import Corinth
internal import Foundation

extension SignalProducer where Error == NATSError, Value: Sendable {
    /// Makes a message of each value, for the partition of its key.
    ///
    /// ```swift
    /// orders
    ///     .partitioned(over: partitions, as: .json(Order.self), by: { $0.customer }, id: { $0.id })
    ///     .published(to: jetStream)
    ///     .start()
    /// ```
    ///
    /// Fails with ``NATSError/unencodable(subject:reason:)``.
    ///
    /// - Parameters:
    ///   - partitions: Where to.
    ///   - codec: Encodes the values.
    ///   - key: The key of a value.
    ///   - id: The id of a value, for the refusal of duplicates. nil for a new one.
    /// - Complexity: That of the codec, and two allocations.
    public func partitioned<Codec: NATSCodec>(
        over partitions: NATSPartitions, as codec: Codec, by key: @escaping @Sendable (Value) -> String,
        id: @escaping @Sendable (Value) -> String? = { _ in nil }
    ) -> SignalProducer<NATSOutgoing, NATSError> where Codec.Value == Value {
        attemptMap { value -> Result<NATSOutgoing, NATSError> in
            let subject = partitions.subject(forKey: key(value))
            do {
                let (payload, headers) = (try codec.encode(value), codec.headers(of: value))
                return .success(NATSOutgoing(payload, to: subject, id: id(value), headers: headers))
            } catch {
                return .failure(.unencodable(subject: subject, reason: "\(error)"))
            }
        }
    }
}

extension JetStream {
    /// `observe(on:by:)` across machines: the values of each partition go through `transform` on one worker at a time, in the
    /// order of each key. The results of this worker's partitions are merged. Each start is a worker.
    ///
    /// ```swift
    /// jetStream.observe(orders, as: .json(Order.self), by: NATSGroup("prices", in: "STATE")) { partition in
    ///     partition.map { price($0) }
    /// }
    /// .startWithResult { print($0) }
    /// ```
    ///
    /// The workers of the group share the partitions, and store the position of each partition, as those of
    /// ``aggregate(_:as:by:of:state:undecodable:windows:at:outputs:_:)`` do. A message is handled at least once. When a worker dies,
    /// another one handles again what came after the stored position: at most twice
    /// ``NATSGroup/snapshotEvery`` messages of each partition. It does so in order. A worker
    /// that is replaced because it was silent may handle some messages at the same time as the next one.
    ///
    /// A message counts as handled when `transform` and the observers have returned. If there is a hop downstream, that is when it
    /// has taken the value; what it holds is lost with the process. ``process(_:as:retryAfter:within:deadLetter:_:)`` waits for work that
    /// isn't synchronous, at one request for each message.
    ///
    /// Ends as `aggregate` does. Failures of `transform` end it, too.
    ///
    /// - Parameters:
    ///   - partitions: The messages. Their consumers aren't used.
    ///   - codec: Decodes the messages. What doesn't decode is left out, counted and reported.
    ///   - group: The workers. Its bucket must exist.
    ///   - transform: Called whenever this worker takes over a partition, with its values. The signal is interrupted when the
    ///     worker gives the partition up.
    /// - Complexity: No request for a message. A position is 200 bytes.
    /// ## Concurrency
    /// Operators of `transform` run for several partitions at the same time. Observers of the result run one at a time.
    @inlinable
    public func observe<Codec: NATSCodec, Output: Sendable>(
        _ partitions: NATSPartitions, as codec: Codec, by group: NATSGroup,
        _ transform: @escaping @Sendable (Signal<Codec.Value, NATSError>) -> Signal<Output, NATSError>
    ) -> SignalProducer<Output, NATSError> {
        // Compiled where its types are known, as in `process`.
        observe(partitions, by: group) { (observer: Signal<Output, NATSError>.Observer) in
            let (signal, input) = Signal<Codec.Value, NATSError>.pipe()
            transform(signal).observe(
                Signal<Output, NATSError>.Observer(
                    value: { observer.send(value: $0) }, failed: { observer.send(error: $0) }))
            return ObservedTable.Functions(
                send: { input.send(value: try codec.decode($0.message)) }, interrupt: { input.sendInterrupted() })
        }
    }

    @usableFromInline
    func observe<Output: Sendable>(
        _ partitions: NATSPartitions, by group: NATSGroup,
        _ begin: @escaping @Sendable (Signal<Output, NATSError>.Observer) -> ObservedTable.Functions
    ) -> SignalProducer<Output, NATSError> {
        let core = connection.core
        return work(partitions, group, shape: ["kind": .string("observe")]) { _, observer in
            ObservedTable(core, begin(observer))
        }
    }
}

/// Passes the messages of a partition on. There is no state but the position.
@usableFromInline
final class ObservedTable: PartitionTable {
    /// What a partition's values go through.
    @usableFromInline
    struct Functions: Sendable {
        /// Decodes a message, and sends its value.
        let send: @Sendable (NATSDelivery) throws -> Void
        let interrupt: @Sendable () -> Void

        @usableFromInline
        init(send: @escaping @Sendable (NATSDelivery) throws -> Void, interrupt: @escaping @Sendable () -> Void) {
            self.send = send
            self.interrupt = interrupt
        }
    }

    private let core: ConnectionCore
    private let functions: Functions
    private(set) var position: UInt64 = 0
    let newest = Int64.min

    init(_ core: ConnectionCore, _ functions: Functions) {
        self.core = core
        self.functions = functions
    }

    deinit { functions.interrupt() }

    func restore(_ claim: SnapshotStore.Claim, from store: SnapshotStore) {
        position = claim.head.snapshot.position
    }

    func skip(to sequence: UInt64) { position = sequence }

    func apply(_ delivery: NATSDelivery) -> LeftOut? {
        defer { position = delivery.sequence }
        do { try functions.send(delivery) } catch {
            return LeftOut("\(core.undecodable(delivery, because: "\(error)"))")
        }
        return nil
    }

    func hasRested(for time: Duration) -> Bool { false }

    func snapshot() -> PartitionSnapshot { PartitionSnapshot() }
}
#endif
