#if NATS
public import Corinth
internal import Foundation

/// A connection to a NATS server or a cluster.
///
/// ```swift
/// let connection = NATSConnection(NATSOptions(servers: ["nats://10.0.0.1:4222"]))
/// connection.messages(on: "orders.*").startWithResult { print($0) }
/// prices <~ connection …
/// ```
///
/// It is made at once, in the background. What is started before it is made waits for it. If it is lost, it is made again, and
/// subscriptions go on. Messages that others publish in between don't arrive: use JetStream where none may be lost.
///
/// The connection closes when it and everything that was started with it are released, or when ``close()`` is called.
///
/// ## Concurrency
/// Any thread may call, also from inside callbacks.
public final class NATSConnection: Sendable {
    let core: ConnectionCore
    let replies: ReplyTable

    /// The state, without repetitions. Changes come on threads of libnats.
    public let state: Property<NATSConnectionState>

    /// Failures that end nothing: messages that were dropped, don't decode, or were deleted too early, states that are lost,
    /// subjects that aren't permitted, values of a binding that couldn't be published. Completes when the connection closes.
    /// Observers are called on the thread that found the failure.
    public var failures: Signal<NATSError, Never> { core.failures }

    /// Begins to connect.
    ///
    /// - Parameter options: An option that is out of its range stops the program. An address or a file that can't be used
    ///   closes the connection with a typed error.
    public init(_ options: NATSOptions = NATSOptions()) {
        core = ConnectionCore(options)
        replies = ReplyTable(core)
        state = core.state.skipRepeats()
    }

    /// What was sent and received so far. All 0 before the first connection.
    public var statistics: NATSStatistics { core.statistics }

    /// Closes the connection at once. Streams complete; requests that wait fail with ``NATSError/closed``. What was published is
    /// sent, if the server reads it within ``NATSOptions/writeDeadline``. A second call has no effect.
    public func close() { core.close() }

    /// Closes the connection when everything that has arrived was delivered, and everything that was published was sent. Before
    /// that, workers fetch nothing more. They settle the deliveries that they hold, and those of groups store what they have
    /// handled; other workers take over at once.
    ///
    /// Requests and publications that wait for a reply don't delay it: they fail with ``NATSError/closed``.
    ///
    /// Begins at once, also if the result isn't started.
    ///
    /// - Parameter time: After this time, it closes with what is left. At least 1 ms.
    /// - Returns: ``closed``.
    @discardableResult
    public func drain(within time: Duration = .seconds(30)) -> SignalProducer<Never, NATSError> {
        time.requireMillisecond("time")
        core.drain(within: time)
        return closed
    }

    /// Completes when the connection has closed because the program asked for it. Fails if it has closed by itself.
    public var closed: SignalProducer<Never, NATSError> {
        let state = state
        return SignalProducer { observer, lifetime in
            lifetime += state.producer.startWithValues { state in
                guard case .closed(let reason) = state else { return }
                if let reason { observer.send(error: reason) } else { observer.sendCompleted() }
            }
        }
    }

    /// Completes when the server has received everything that was published before the start.
    ///
    /// Fails with ``NATSError/timedOut(_:)``, or with what has happened to the connection. Disposal doesn't end the wait.
    ///
    /// - Parameter time: How long it may take once it is this call's turn: flushes are done one after the other. At least 1 ms.
    public func flush(within time: Duration = .seconds(5)) -> SignalProducer<Never, NATSError> {
        time.requireMillisecond("time")
        let core = core
        return SignalProducer { observer, _ in
            core.flush(within: time) { error in
                if let error { observer.send(error: error) } else { observer.sendCompleted() }
            }
        }
    }
}
#endif
