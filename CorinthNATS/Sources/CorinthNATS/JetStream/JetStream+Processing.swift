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
    /// again. If that publication fails, the message is given back. If a handler's producer is interrupted, or the start is
    /// disposed of, the message is given back at once.
    ///
    /// Ends as ``deliveries(of:places:acknowledgement:)`` does.
    ///
    /// - Parameters:
    ///   - consumer: The consumer. Its `maxDeliveries` should be nil: the server doesn't tell that it has given up.
    ///   - codec: Decodes the payloads.
    ///   - places: How many messages are handled at the same time. At least 1.
    ///   - delay: After which time a message comes again whose handler has failed. At least 0.
    ///   - policy: When a message is given up, and where to it goes. nil to give none up; what doesn't decode is then dropped.
    ///   - handler: Makes the work for a message. Its values are ignored. Called on the thread that delivers.
    /// - Returns: A producer of what has become of each delivery.
    public func process<Codec: NATSCodec, Output, Failure: Error>(
        _ consumer: NATSConsumer, as codec: Codec, places: Int = 16, retryAfter delay: Duration = .seconds(1),
        deadLetter policy: DeadLetterPolicy? = nil,
        _ handler: @escaping @Sendable (Codec.Value, NATSDelivery) -> SignalProducer<Output, Failure>
    ) -> SignalProducer<NATSOutcome, NATSError> {
        precondition(delay >= .zero, "delay is \(delay), but must be at least 0")
        if let subject = policy?.subject {
            do throws(NATSError) { try Subject.checkPublishing(subject) } catch { return SignalProducer(error: error) }
        }
        let core = connection.core
        let third = DispatchTimeInterval.nanoseconds(Int(max(consumer.ackWait.nanoseconds / 3, 1_000_000)))
        return deliveries(of: consumer, places: places, acknowledgement: .manual)
            .flatMap(.concurrent(limit: UInt(places))) { delivery -> SignalProducer<NATSOutcome, NATSError> in
                let value: Codec.Value
                switch core.decode(delivery.message, sequence: delivery.sequence, as: codec) {
                case .success(let decoded): value = decoded
                case .failure(let error):
                    return giveUp(delivery, to: policy?.subject, retryAfter: delay, because: "\(error)")
                }
                let work = SignalProducer<String?, Never> { observer, lifetime in
                    let isOver = AnyDisposable()
                    lifetime.observeEnded { if !isOver.isDisposed { delivery.giveBackAtDisposal() } }
                    lifetime += core.timers.schedule(after: third, interval: third) { delivery.extend() }
                    lifetime += handler(value, delivery).start(
                        Signal<Output, Failure>.Observer(
                            failed: { error in
                                // Settled by what follows.
                                isOver.dispose()
                                observer.send(value: "\(error)")
                                observer.sendCompleted()
                            },
                            completed: {
                                isOver.dispose()
                                delivery.acknowledge()
                                observer.send(value: nil)
                                observer.sendCompleted()
                            },
                            interrupted: {
                                // Has no effect if the start is being disposed of: it does this in time.
                                if !lifetime.hasEnded {
                                    isOver.dispose()
                                    delivery.giveBack()
                                }
                                observer.sendInterrupted()
                            }))
                }
                return work.promoteError(NATSError.self)
                    .flatMap(.latest) { reason -> SignalProducer<NATSOutcome, NATSError> in
                        guard let reason else {
                            return SignalProducer(value: NATSOutcome(.acknowledged, of: delivery))
                        }
                        if let policy, delivery.deliveries >= policy.afterDeliveries {
                            return giveUp(delivery, to: policy.subject, retryAfter: delay, because: reason)
                        }
                        delivery.giveBack(after: delay)
                        return SignalProducer(value: NATSOutcome(.givenBack(reason: reason), of: delivery))
                    }
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
        var headers = delivery.message.headers
        headers["Corinth-Subject"] = delivery.subject
        headers["Corinth-Stream-Sequence"] = "\(delivery.sequence)"
        headers["Corinth-Reason"] = String(reason.map { $0.isNewline ? " " : $0 })
        let letter = NATSOutgoing(
            delivery.data, to: subject, id: "\(delivery.origin).\(delivery.sequence)", headers: headers)
        return publish(letter)
            .map { _ in
                delivery.terminate()
                return outcome
            }
            .flatMapError { error in
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
