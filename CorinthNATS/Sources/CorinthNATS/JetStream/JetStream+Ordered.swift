internal import Corinth
internal import Foundation

extension JetStream {
    /// How long there may be only failures.
    static let failureLimit = 30.0

    /// The pause after a failure.
    static let pause: Duration = .milliseconds(100)

    /// The messages of a subject from a sequence on, in the order of the stream and without a gap, each once.
    ///
    /// Each start has a consumer of its own that waits for no acknowledgements, and makes another one whenever messages may have
    /// been lost on their way. Fails with ``NATSError/jetStreamUnavailable(_:)`` after 30 s without a consumer, and with errors
    /// that don't pass.
    func ordered(
        of stream: String, on filter: String, after position: UInt64, places: Int
    ) -> SignalProducer<NATSDelivery, NATSError> {
        SignalProducer<Void, NATSError>(value: ())
            .flatMap(.latest) { _ -> SignalProducer<NATSDelivery, NATSError> in
                let last = Atomic<UInt64>(position)
                let once = SignalProducer<Void, NATSError>(value: ())
                    .flatMap(.latest) { _ in makeOrderedConsumer(of: stream, on: filter, after: last.value) }
                    .flatMap(.latest) { consumer -> SignalProducer<NATSDelivery, NATSError> in
                        let number = Atomic<UInt64>(0)
                        return orderedDeliveries(of: consumer, places: places)
                            .attempt { delivery in
                                let expected = number.modify { number in
                                    number += 1
                                    return number
                                }
                                if delivery.consumerSequence != expected {
                                    return .failure(.consumerDeleted(consumer.name))
                                }
                                last.value = delivery.sequence
                                return .success(())
                            }
                    }
                return connection.persistently(once).mapError { error in
                    if case .consumerDeleted(let name) = error {
                        .jetStreamUnavailable("the consumer \(name) gives no messages")
                    } else {
                        error
                    }
                }
            }
    }

    private func makeOrderedConsumer(
        of stream: String, on filter: String, after position: UInt64
    ) -> SignalProducer<NATSConsumer, NATSError> {
        let consumer = NATSConsumer("corinth-\(Inbox.random())", of: stream)
        return call(
            "CONSUMER.CREATE.\(stream).\(consumer.name).\(filter)",
            [
                "stream_name": .string(stream),
                "config": .object([
                    "name": .string(consumer.name), "ack_policy": .string("none"), "filter_subject": .string(filter),
                    "deliver_policy": .string("by_start_sequence"),
                    "opt_start_seq": .integer(Int64(clamping: position + 1)), "replay_policy": .string("instant"),
                    "inactive_threshold": .integer(Duration.seconds(30).nanoseconds), "mem_storage": .bool(true),
                    "num_replicas": .integer(1),
                ]),
            ]
        ).map { _ in consumer }
    }

    private func orderedDeliveries(
        of consumer: NATSConsumer, places: Int
    ) -> SignalProducer<NATSDelivery, NATSError> {
        let core = connection.core
        let subject: SubjectName
        do throws(NATSError) {
            subject = try SubjectName(publishing: "\(prefix)CONSUMER.MSG.NEXT.\(consumer.stream).\(consumer.name)")
        } catch {
            return SignalProducer(error: error)
        }
        return SignalProducer { observer, lifetime in
            // The places are the bound.
            let (signal, input) = Signal<NATSDelivery, NATSError>.pipe(buffering: .unbounded)
            lifetime += signal.observe(observer)
            let start = PullStart(connection, consumer, subject, places: places, isOrdered: true, into: input)
            let number = core.attach(start)
            lifetime.observeEnded {
                start.cancel()
                core.detach(number)
            }
        }
    }
}

extension NATSError {
    /// Whether the same attempt may succeed later, without the program doing anything.
    var mayPass: Bool {
        switch self {
        case .consumerDeleted, .jetStreamUnavailable, .noResponders, .timedOut, .notYetConnected, .disconnected: true
        default: false
        }
    }
}

extension NATSConnection {
    /// Starts again after 100 ms when it fails with an error that may pass. Fails when it has sent nothing and has failed again
    /// and again for 30 s in which the connection stood.
    func persistently<Value: Sendable>(
        _ producer: SignalProducer<Value, NATSError>
    ) -> SignalProducer<Value, NATSError> {
        let core = core
        return SignalProducer<Void, NATSError>(value: ())
            .flatMap(.latest) { _ -> SignalProducer<Value, NATSError> in
                let failingSince = Atomic<Date?>(nil)
                return
                    producer
                    .on(value: { _ in failingSince.value = nil })
                    .map { Result<Value, NATSError>.success($0) }
                    .flatMapError { error -> SignalProducer<Result<Value, NATSError>, NATSError> in
                        guard error.mayPass else { return SignalProducer(value: .failure(error)) }
                        let now = core.timers.currentDate
                        let since = failingSince.modify { since -> Date in
                            // The connection has deadlines of its own.
                            let first = core.state.value == .connected ? since ?? now : now
                            since = first
                            return first
                        }
                        let isOver = now.timeIntervalSince(since) > JetStream.failureLimit
                        return isOver ? SignalProducer(value: .failure(error)) : SignalProducer(error: error)
                    }
                    .retry(upTo: .max, interval: JetStream.pause, on: core.timers)
                    .attemptMap { $0 }
            }
    }
}
