#if NATS
public import Corinth

extension JetStream {
    /// Handles the messages of a consumer: at least once each, several at the same time.
    ///
    /// ```swift
    /// jetStream.process(billing, as: .json(Order.self), deadLetter: DeadLetterPolicy(to: "dead.orders")) { order, _ in
    ///     ledger.book(order)  // a producer
    /// }
    /// .startWithValues { log($0) }
    /// ```
    ///
    /// When the producer of a handler completes, its message is acknowledged. While it runs, the consumer's `ackWait` is extended
    /// every third of it. When it fails, the message is given back, and comes again after `delay`. After
    /// ``DeadLetterPolicy/afterDeliveries`` failed deliveries, or at once if its payload doesn't decode, it is published to the
    /// dead-letter subject with the headers `Corinth-Subject`, `Corinth-Stream-Sequence` and `Corinth-Reason`, and doesn't come
    /// again. Its own headers are kept, but for those that begin with `Nats-`. If it is too large then, its payload and its own
    /// headers are left out: the stream has them. If that publication fails, the message is given back, and
    /// ``NATSConnection/failures`` says why. A message that was delivered more often than that goes there before its handler is
    /// called: the handler may have ended its process each time. If a handler's producer is interrupted, or the start is
    /// disposed of, the message is given back at once.
    ///
    /// Ends as ``deliveries(of:places:acknowledgement:)`` does, and fails with ``NATSError/invalidSubject(_:reason:)`` if no stream
    /// stores the dead-letter subject.
    ///
    /// - Parameters:
    ///   - consumer: The consumer. Its `maxDeliveries` should be nil: the server doesn't tell that it has given up.
    ///   - codec: Decodes the payloads.
    ///   - places: How many messages are handled at the same time. At least 1.
    ///   - delay: After which time a message comes again whose handler has failed. At least 0.
    ///   - deadline: How long a handler may take. Then its producer is disposed of, and it counts as failed. At least 1 ms; nil for as
    ///     long as it likes.
    ///   - policy: When a message is given up, and where to it goes. nil to give none up; what doesn't decode is then dropped.
    ///   - handler: Makes the work for a message. Its values are ignored. Called on the thread that delivers.
    /// - Returns: A producer of what has become of each delivery.
    @inlinable
    public func process<Codec: NATSCodec, Output, Failure: Error>(
        _ consumer: NATSConsumer, as codec: Codec, places: Int = 16, retryAfter delay: Duration = .seconds(1),
        within deadline: Duration? = nil, deadLetter policy: DeadLetterPolicy? = nil,
        _ handler: @escaping @Sendable (Codec.Value, NATSDelivery) -> SignalProducer<Output, Failure>
    ) -> SignalProducer<NATSOutcome, NATSError> {
        // Compiled where its types are known: otherwise each message asks the runtime for them.
        process(consumer, places: places, retryAfter: delay, within: deadline, deadLetter: policy) {
            delivery, handling in
            let value: Codec.Value
            do { value = try codec.decode(delivery.message) } catch {
                handling.end(.undecodable("\(error)"))
                return nil
            }
            return handler(value, delivery).start { event in
                switch event {
                case .value: break
                case .failed(let error): handling.end(.failed("\(error)"))
                case .completed: handling.end(.completed)
                case .interrupted: handling.end(.interrupted)
                }
            }
        }
    }

    @usableFromInline
    func process(
        _ consumer: NATSConsumer, places: Int, retryAfter delay: Duration, within deadline: Duration?,
        deadLetter policy: DeadLetterPolicy?, _ handler: @escaping Processing.Handler
    ) -> SignalProducer<NATSOutcome, NATSError> {
        deadline?.requireMillisecond("deadline")
        precondition(delay >= .zero, "delay is \(delay), but must be at least 0")
        let settings = Processing.Settings(ackWait: consumer.ackWait, delay: delay, deadline: deadline, policy: policy)
        let deliveries = deliveries(of: consumer, places: places, acknowledgement: .manual)
        let work = SignalProducer<NATSOutcome, NATSError> { observer, lifetime in
            let processing = Processing(self, settings, handler, to: observer)
            lifetime.observeEnded { processing.dispose() }
            lifetime += deliveries.start(
                Signal<NATSDelivery, NATSError>.Observer(
                    value: { processing.receive($0) }, failed: { observer.send(error: $0) },
                    completed: { processing.complete() }, interrupted: { observer.sendInterrupted() }))
        }
        guard let subject = policy?.subject else { return work }
        return requireStored(subject).then(work)
    }
}
#endif
