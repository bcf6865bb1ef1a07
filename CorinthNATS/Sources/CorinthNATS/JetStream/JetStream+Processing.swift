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
    ///   - policy: When a message is given up, and where to it goes. nil to give none up; what doesn't decode is then dropped.
    ///   - handler: Makes the work for a message. Its values are ignored. Called on the thread that delivers.
    /// - Returns: A producer of what has become of each delivery.
    public func process<Codec: NATSCodec, Output, Failure: Error>(
        _ consumer: NATSConsumer, as codec: Codec, places: Int = 16, retryAfter delay: Duration = .seconds(1),
        deadLetter policy: DeadLetterPolicy? = nil,
        _ handler: @escaping @Sendable (Codec.Value, NATSDelivery) -> SignalProducer<Output, Failure>
    ) -> SignalProducer<NATSOutcome, NATSError> {
        precondition(delay >= .zero, "delay is \(delay), but must be at least 0")
        let core = connection.core
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
                return handle(delivery, extendedWithin: consumer.ackWait) { handler(value, delivery) }
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
        guard let subject = policy?.subject else { return work }
        return requireStored(subject).then(work)
    }

    /// Completes if a stream stores what is published to a subject; fails otherwise.
    private func requireStored(_ subject: String) -> SignalProducer<Never, NATSError> {
        do throws(NATSError) { try Subject.checkPublishing(subject) } catch { return SignalProducer(error: error) }
        return persistently(call("STREAM.NAMES", ["subject": .string(subject)]))
            .attempt { response in
                // Without any, servers say null.
                response["streams"]?.arrayValue.isEmpty == false
                    ? .success(()) : .failure(.invalidSubject(subject, reason: "no stream stores it"))
            }
            .then(SignalProducer<Never, NATSError>.empty)
    }

    /// Runs a handler, and extends its delivery meanwhile. Acknowledges it if the handler completes.
    ///
    /// - Returns: A producer of why the handler has failed; of nil if it has completed.
    private func handle<Output, Failure: Error>(
        _ delivery: NATSDelivery, extendedWithin ackWait: Duration,
        _ work: @escaping @Sendable () -> SignalProducer<Output, Failure>
    ) -> SignalProducer<String?, NATSError> {
        let timers = connection.core.timers
        let third = DispatchTimeInterval.nanoseconds(Int(max(ackWait.nanoseconds / 3, 1_000_000)))
        return SignalProducer<String?, Never> { observer, lifetime in
            let isOver = AnyDisposable()
            lifetime.observeEnded { if !isOver.isDisposed { delivery.giveBackAtDisposal() } }
            lifetime += timers.schedule(after: third, interval: third) { delivery.extend() }
            lifetime += work().start(
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
        }.promoteError(NATSError.self)
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
        let letter = deadLetter(of: delivery, to: subject, because: reason)
        return publish(letter)
            .flatMapError { error -> SignalProducer<NATSPublication, NATSError> in
                guard error.isAboutSize else { return SignalProducer(error: error) }
                // The headers have made it too large. The stream has the payload.
                var short = letter
                short.payload = Data()
                short.headers.fields.removeAll { !$0.name.hasPrefix("Corinth-") }
                return publish(short)
            }
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

extension JetStream {
    /// How many characters of a reason are in a header.
    private static let longestReason = 1000

    private func deadLetter(of delivery: NATSDelivery, to subject: String, because reason: String) -> NATSOutgoing {
        var headers = delivery.message.headers
        headers.fields.removeAll { field in
            // They are instructions to the server, such as to expect a sequence, or to delete what is older.
            if field.name.hasPrefix("Nats-") { return true }
            // Other clients may have sent what can't be sent from here.
            var alone = NATSHeaders()
            alone.fields = [field]
            do throws(NATSError) { try alone.check() } catch { return true }
            return false
        }
        headers["Corinth-Subject"] = delivery.subject
        headers["Corinth-Stream-Sequence"] = "\(delivery.sequence)"
        let printable = reason.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }
        let text = String(printable.prefix(Self.longestReason)).trimmingCharacters(in: .whitespaces)
        headers["Corinth-Reason"] = text.isEmpty ? "no reason is given" : text
        return NATSOutgoing(
            delivery.data, to: subject, id: "\(delivery.origin).\(delivery.sequence)", headers: headers)
    }
}

extension NATSError {
    /// Whether a server or a stream refuses a message because it is too large.
    fileprivate var isAboutSize: Bool {
        switch self {
        case .messageTooLarge, .jetStream(10054, _): true
        default: false
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
