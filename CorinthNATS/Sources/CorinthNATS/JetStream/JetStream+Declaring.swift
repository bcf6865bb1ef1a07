#if NATS
public import Corinth

extension JetStream {
    static let streamNotFound = 10059
    static let consumerNotFound = 10014
    static let messageNotFound = 10037

    /// Makes a stream unless it exists, and compares its settings.
    ///
    /// Any number of processes may declare the same stream at the same time. Sends one value and completes. Fails with
    /// ``NATSError/drifted(_:_:)``, ``NATSError/jetStream(code:_:)``, ``NATSError/jetStreamUnavailable(_:)``, or the errors of a
    /// request.
    ///
    /// - Parameters:
    ///   - stream: The declaration.
    ///   - policy: What happens if the stream exists with other settings.
    public func declare(
        _ stream: NATSStream, onDrift policy: DriftPolicy = .fail
    ) -> SignalProducer<NATSStreamInfo, NATSError> {
        do throws(NATSError) { try stream.check() } catch { return SignalProducer(error: error) }
        let (name, settings) = (stream.name, stream.settings)
        return declare("the stream \(name)", settings, policy, notFound: JetStream.streamNotFound) {
            call("STREAM.INFO.\(name)")
        } make: {
            call("STREAM.CREATE.\(name)", $0)
        } update: {
            call("STREAM.UPDATE.\(name)", $0)
        }
        .map { NATSStreamInfo($0) }
    }

    /// Makes a consumer unless it exists, and compares its settings. See ``declare(_:onDrift:)-(NATSStream,_)``.
    public func declare(
        _ consumer: NATSConsumer, onDrift policy: DriftPolicy = .fail
    ) -> SignalProducer<NATSConsumerInfo, NATSError> {
        do throws(NATSError) { try consumer.check() } catch { return SignalProducer(error: error) }
        let (name, stream, settings) = (consumer.name, consumer.stream, consumer.settings)
        let make = { @Sendable (settings: [String: JSONValue]) in
            call(
                "CONSUMER.DURABLE.CREATE.\(stream).\(name)",
                ["stream_name": .string(stream), "config": .object(settings)])
        }
        return declare(
            "the consumer \(name) of \(stream)", settings, policy, notFound: JetStream.consumerNotFound,
            find: { call("CONSUMER.INFO.\(stream).\(name)") }, make: make, update: make
        )
        .map { NATSConsumerInfo($0) }
    }

    private func declare(
        _ what: String, _ settings: [String: JSONValue], _ policy: DriftPolicy, notFound: Int,
        find: () -> SignalProducer<JSONValue, NATSError>,
        make: @escaping @Sendable ([String: JSONValue]) -> SignalProducer<JSONValue, NATSError>,
        update: @escaping @Sendable ([String: JSONValue]) -> SignalProducer<JSONValue, NATSError>
    ) -> SignalProducer<JSONValue, NATSError> {
        find()
            .ifRefused(with: notFound) { _ in make(settings) }
            .flatMap(.latest) { response -> SignalProducer<JSONValue, NATSError> in
                let actual = response["config"]?.objectValue ?? [:]
                let drifts = NATSDrift.between(settings, and: actual)
                if drifts.isEmpty { return SignalProducer(value: response) }
                switch policy {
                case .fail: return SignalProducer(error: .drifted(what, drifts))
                case .update: return update(actual.merging(settings) { _, declared in declared })
                }
            }
    }

    /// What a stream contains.
    public func info(ofStream name: String) -> SignalProducer<NATSStreamInfo, NATSError> {
        do throws(NATSError) { try Subject.checkName(name) } catch { return SignalProducer(error: error) }
        return call("STREAM.INFO.\(name)").map { NATSStreamInfo($0) }
    }

    /// What a consumer has delivered.
    public func info(ofConsumer name: String, of stream: String) -> SignalProducer<NATSConsumerInfo, NATSError> {
        do throws(NATSError) {
            try Subject.checkName(name)
            try Subject.checkName(stream)
        } catch {
            return SignalProducer(error: error)
        }
        return call("CONSUMER.INFO.\(stream).\(name)").map { NATSConsumerInfo($0) }
    }

    /// Deletes a stream, with its messages and consumers.
    public func delete(stream name: String) -> SignalProducer<Never, NATSError> {
        do throws(NATSError) { try Subject.checkName(name) } catch { return SignalProducer(error: error) }
        return call("STREAM.DELETE.\(name)").then(SignalProducer<Never, NATSError>.empty)
    }

    /// Deletes a consumer. Starts that fetch its messages fail with ``NATSError/consumerDeleted(_:)``.
    public func delete(consumer name: String, of stream: String) -> SignalProducer<Never, NATSError> {
        do throws(NATSError) {
            try Subject.checkName(name)
            try Subject.checkName(stream)
        } catch {
            return SignalProducer(error: error)
        }
        return call("CONSUMER.DELETE.\(stream).\(name)").then(SignalProducer<Never, NATSError>.empty)
    }
}
#endif
