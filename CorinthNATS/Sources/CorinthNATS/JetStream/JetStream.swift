#if NATS
internal import Corinth
internal import Foundation

/// Durable streams over a connection.
///
/// ```swift
/// let jetStream = connection.jetStream()
/// jetStream.declare(NATSStream("ORDERS", subjects: ["orders.>"]))
///     .then(jetStream.declare(NATSConsumer("billing", of: "ORDERS")))
///     .startWithResult { … }
/// ```
public struct JetStream: Sendable {
    /// The connection.
    public let connection: NATSConnection

    /// How long a request to JetStream may take.
    let time: Duration

    /// What the subjects of JetStream's interface begin with.
    let prefix: String

    /// For how many seconds there may be only failures.
    var failureLimit = 30.0

    /// Sends a request of JetStream's interface, and sends the response.
    func call(_ operation: String, _ body: [String: JSONValue] = [:]) -> SignalProducer<JSONValue, NATSError> {
        let payload = body.isEmpty ? Data() : JSONValue.object(body).data
        return connection.request(payload, to: prefix + operation, within: time)
            .mapError { error in
                if case .noResponders = error { .jetStreamUnavailable("nothing answers on \(prefix)>") } else { error }
            }
            .attemptMap { JetStream.response($0.data) }
    }

    /// A response of JetStream, or its error.
    static func response(_ data: Data) -> Result<JSONValue, NATSError> {
        guard let response = try? JSONValue(data) else {
            return .failure(.jetStream(code: 0, "the answer isn't JSON"))
        }
        guard let error = response["error"] else { return .success(response) }
        let code = error["err_code"]?.int ?? error["code"]?.int ?? 0
        let text = error["description"]?.stringValue ?? "no reason is given"
        return .failure(unavailable.contains(code) ? .jetStreamUnavailable(text) : .jetStream(code: code, text))
    }

    /// The codes of servers that may do at another time what they are asked.
    private static let unavailable: Set = [
        // Not enabled for the account, or at all; no leader at present.
        10039, 10076, 10008, 10009,
        // A cluster is storing a message with the same identifier. It isn't known yet whether it will be stored.
        10158,
        // What a write expects can't be compared at present; too many writes at once.
        10163, 10167,
    ]

    /// Goes on with a producer after ``pause``.
    func afterPause<Value: Sendable>(
        _ next: @escaping @Sendable () -> SignalProducer<Value, NATSError>
    ) -> SignalProducer<Value, NATSError> {
        SignalProducer<Void, NATSError>(value: ()).delay(JetStream.pause, on: connection.core.timers)
            .flatMap(.latest) { next() }
    }
}

extension SignalProducer where Value: Sendable, Error == NATSError {
    /// Goes on with another producer if JetStream has refused a request with a code.
    ///
    /// - Parameter next: Receives the server's reason.
    func ifRefused(
        with code: Int, _ next: @escaping @Sendable (String) -> SignalProducer
    ) -> SignalProducer {
        flatMapError { error in
            if case .jetStream(code, let text) = error { next(text) } else { SignalProducer(error: error) }
        }
    }
}

extension NATSConnection {
    /// The durable streams of the servers.
    ///
    /// - Parameters:
    ///   - domain: The domain of a leaf node. nil for the servers' own.
    ///   - time: How long a request to JetStream may take. At least 1 ms.
    public func jetStream(domain: String? = nil, within time: Duration = .seconds(5)) -> JetStream {
        time.requireMillisecond("time")
        return JetStream(connection: self, time: time, prefix: domain.map { "$JS.\($0).API." } ?? "$JS.API.")
    }
}
#endif
