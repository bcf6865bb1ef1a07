#if NATS
public import Corinth
internal import Foundation

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
    public func process<Codec: NATSCodec, Output, Failure: Error>(
        _ consumer: NATSConsumer, as codec: Codec, places: Int = 16, retryAfter delay: Duration = .seconds(1),
        within deadline: Duration? = nil, deadLetter policy: DeadLetterPolicy? = nil,
        _ handler: @escaping @Sendable (Codec.Value, NATSDelivery) -> SignalProducer<Output, Failure>
    ) -> SignalProducer<NATSOutcome, NATSError> {
        deadline?.requireMillisecond("deadline")
        precondition(delay >= .zero, "delay is \(delay), but must be at least 0")
        let core = connection.core
        let running = RunningDeliveries(core.timers, extendedWithin: consumer.ackWait)
        let work = deliveries(of: consumer, places: places, acknowledgement: .manual)
            .flatMap(.concurrent(limit: UInt(places))) { delivery -> SignalProducer<NATSOutcome, NATSError> in
                // A handler that ends its process fails without a word.
                if let policy, delivery.deliveries > policy.afterDeliveries {
                    let reason =
                        "it was delivered \(delivery.deliveries - 1) times, and no worker has said what became of it"
                    return giveUp(delivery, to: policy.subject, retryAfter: delay, because: reason)
                }
                let value: Codec.Value
                switch core.decode(delivery.message, sequence: delivery.sequence, as: codec) {
                case .success(let decoded): value = decoded
                case .failure(let error):
                    return giveUp(delivery, to: policy?.subject, retryAfter: delay, because: "\(error)")
                }
                return handle(delivery, in: running, deadline) {
                    handler(value, delivery)
                } failed: { reason in
                    if let policy, delivery.deliveries >= policy.afterDeliveries {
                        return giveUp(delivery, to: policy.subject, retryAfter: delay, because: reason)
                    }
                    delivery.giveBack(after: delay)
                    return SignalProducer(value: NATSOutcome(.givenBack(reason: reason), of: delivery))
                }
            }
        guard let subject = policy?.subject else { return work }
        return requireStored(subject).then(work)
    }

    /// Runs a handler, and extends its delivery meanwhile. Acknowledges it if the handler completes.
    ///
    /// - Parameter failed: What happens if it fails, because of its reason.
    private func handle<Output, Failure: Error>(
        _ delivery: NATSDelivery, in running: RunningDeliveries, _ deadline: Duration?,
        _ work: @escaping @Sendable () -> SignalProducer<Output, Failure>,
        failed: @escaping @Sendable (String) -> SignalProducer<NATSOutcome, NATSError>
    ) -> SignalProducer<NATSOutcome, NATSError> {
        let timers = connection.core.timers
        return SignalProducer { observer, lifetime in
            let run = running.begin(delivery)
            lifetime.observeEnded { if run.settles() { delivery.giveBackAtDisposal() } }
            let working = deadline.map { deadline in
                let working = SerialDisposable()
                lifetime += timers.schedule(after: timers.currentDate.addingTimeInterval(deadline.seconds)) {
                    guard run.settles() else { return }
                    working.dispose()
                    lifetime += failed("its handler has taken longer than \(deadline)").start(observer)
                }
                return working
            }
            let start = work().start(
                Signal<Output, Failure>.Observer(
                    failed: { if run.settles() { lifetime += failed("\($0)").start(observer) } },
                    completed: {
                        guard run.settles() else { return }
                        delivery.acknowledge()
                        observer.send(value: NATSOutcome(.acknowledged, of: delivery))
                        observer.sendCompleted()
                    },
                    interrupted: {
                        // If the start is being disposed of, that gives it back in time.
                        guard !lifetime.hasEnded, run.settles() else { return }
                        delivery.giveBack()
                        observer.sendInterrupted()
                    }))
            working?.inner = start
            lifetime += start
        }
    }

    /// Publishes a message to the dead-letter subject, and terminates its delivery.
    private func giveUp(
        _ delivery: NATSDelivery, to subject: String?, retryAfter delay: Duration, because reason: String
    ) -> SignalProducer<NATSOutcome, NATSError> {
        let outcome = NATSOutcome(.deadLettered(reason: reason), of: delivery)
        guard let subject else {
            delivery.terminate()
            return SignalProducer(value: outcome)
        }
        return publishLetter(of: delivery, by: delivery.origin, to: subject, because: reason)
            .map { _ in
                delivery.terminate()
                return outcome
            }
            .flatMapError { error in
                connection.core.report(error)
                delivery.giveBack(after: delay)
                return SignalProducer(value: NATSOutcome(.givenBack(reason: "\(reason); \(error)"), of: delivery))
            }
    }
}

extension NATSOutcome {
    init(_ kind: Kind, of delivery: NATSDelivery) {
        self.init(
            kind: kind, subject: delivery.subject, sequence: delivery.sequence, deliveries: delivery.deliveries)
    }
}
#endif
