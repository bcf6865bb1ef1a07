#if NATS
public import Corinth

/// Who acknowledges the deliveries of a start.
public enum AcknowledgementPolicy: Sendable {
    /// Each delivery is acknowledged when the observers have returned, unless they have settled it. If there is a hop downstream,
    /// that is when it has taken the delivery: what it holds is lost with the process.
    case afterReturn
    /// The program settles each delivery, on any thread.
    case manual
}

extension JetStream {
    /// Fetches messages of a consumer. Each start is a worker: the workers of a consumer share its messages.
    ///
    /// ```swift
    /// jetStream.deliveries(of: billing, places: 64, acknowledgement: .manual)
    ///     .observe(on: workers)
    ///     .startWithValues { delivery in
    ///         book(delivery.data)
    ///         delivery.acknowledge()
    ///     }
    /// ```
    ///
    /// The stream never has more than `places` deliveries that are requested or not settled. So nothing overflows, whatever the
    /// observers do: the server keeps the rest. The consumer must exist.
    ///
    /// Deliveries come on a thread of libnats, or on a thread that leaves a hop. Their order is that of the stream, apart from
    /// those that come again. The stream goes on after a reconnection, and while a cluster elects a leader. It completes when the
    /// program closes the connection, and fails with ``NATSError/consumerDeleted(_:)`` if there is no such consumer, with
    /// ``NATSError/jetStreamUnavailable(_:)`` after 45 s without an answer of the consumer, or if the connection closes by itself.
    /// After the disposal, what was on its way is given back, for other workers.
    ///
    /// - Parameters:
    ///   - consumer: The consumer.
    ///   - places: How many deliveries may wait for their settlement. At least 1.
    ///   - policy: Who acknowledges.
    /// - Complexity: As ``NATSConnection/messages(on:queueGroup:bufferingPolicy:statistics:)``, one allocation more, and one
    ///   request for each half of the places.
    public func deliveries(
        of consumer: NATSConsumer, places: Int = 256, acknowledgement policy: AcknowledgementPolicy = .afterReturn
    ) -> SignalProducer<NATSDelivery, NATSError> {
        precondition(places >= 1, "places is \(places), but must be at least 1")
        let subject: SubjectName
        do throws(NATSError) {
            try consumer.check()
            subject = try SubjectName(publishing: "\(prefix)CONSUMER.MSG.NEXT.\(consumer.stream).\(consumer.name)")
        } catch {
            return SignalProducer(error: error)
        }
        let core = connection.core
        let deliveries = SignalProducer<NATSDelivery, NATSError> { observer, lifetime in
            // The places are the bound.
            let (signal, input) = Signal<NATSDelivery, NATSError>.pipe(buffering: .unbounded)
            switch policy {
            case .manual: lifetime += signal.observe(observer)
            case .afterReturn:
                lifetime += signal.observe { event in
                    observer.send(event)
                    event.value?.completeStep()
                }
            }
            let find = call("CONSUMER.INFO.\(consumer.stream).\(consumer.name)")
            let start = PullStart(
                connection, consumer, subject, places: places, failureLimit: failureLimit, find: find, into: input)
            let number = core.attach(start)
            lifetime.observeEnded {
                start.cancel()
                core.detach(number)
            }
        }
        return policy == .manual ? deliveries : deliveries.on(value: { $0.completeStep() })
    }
}
#endif
