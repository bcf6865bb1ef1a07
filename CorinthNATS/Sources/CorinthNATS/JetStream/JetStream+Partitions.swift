#if NATS
public import Corinth

extension JetStream {
    /// Makes the consumers of the partitions unless they exist. See ``declare(_:onDrift:)-(NATSConsumer,_)``. The stream must
    /// exist.
    public func declare(
        _ partitions: NATSPartitions, onDrift policy: DriftPolicy = .fail
    ) -> SignalProducer<Never, NATSError> {
        SignalProducer<Int, NATSError>(0..<partitions.count)
            .flatMap(.concurrent(limit: 16)) { declare(partitions.consumer($0), onDrift: policy) }
            .then(SignalProducer<Never, NATSError>.empty)
    }

    /// Handles the messages of all partitions, in the order of each key. Each start is a worker.
    ///
    /// As ``process(_:as:places:retryAfter:within:deadLetter:_:)``. While a message waits for its repetition, its partition waits.
    ///
    /// - Complexity: Each start has one subscription, and so one thread of libnats, for each partition. A message costs one request
    ///   to the server, beside its acknowledgement.
    /// ## Concurrency
    /// The handler is called for several partitions at the same time, on different threads.
    public func process<Codec: NATSCodec, Output, Failure: Error>(
        _ partitions: NATSPartitions, as codec: Codec, retryAfter delay: Duration = .seconds(1),
        within deadline: Duration? = nil, deadLetter policy: DeadLetterPolicy? = nil,
        _ handler: @escaping @Sendable (Codec.Value, NATSDelivery) -> SignalProducer<Output, Failure>
    ) -> SignalProducer<NATSOutcome, NATSError> {
        SignalProducer<NATSOutcome, NATSError>.merge(
            (0..<partitions.count).map { partition in
                process(
                    partitions.consumer(partition), as: codec, places: 1, retryAfter: delay, within: deadline,
                    deadLetter: policy, handler
                )
            })
    }
}
#endif
