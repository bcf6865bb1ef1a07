#if NATS
public import Corinth

extension JetStream {
    /// Publishes a message at each start, and sends where the stream has stored it.
    ///
    /// One attempt. Fails with the errors of ``NATSConnection/request(_:to:headers:within:)``,
    /// ``NATSError/jetStreamUnavailable(_:)`` if no stream has the subject or there is no leader at present, and
    /// ``NATSError/jetStream(code:_:)``. After ``NATSError/timedOut(_:)`` the message may be stored or not. Start again with the
    /// same id: the server refuses duplicates.
    public func publish(_ message: NATSOutgoing) -> SignalProducer<NATSPublication, NATSError> {
        var headers = message.headers
        if let id = message.id { headers[NATSHeaders.id] = id }
        return connection.request(message.payload, to: message.subject, headers: headers, within: time)
            .mapError { error in
                if case .noResponders(let subject) = error {
                    .jetStreamUnavailable("no stream with a leader stores '\(subject)'")
                } else {
                    error
                }
            }
            .attemptMap { NATSPublication.result($0) }
    }
}

extension SignalProducer where Value == NATSOutgoing, Error == NATSError {
    /// Publishes each message to the stream that stores its subject, and sends where it is stored.
    ///
    /// ```swift
    /// SignalProducer(lines)
    ///     .map { NATSOutgoing(Data($0.utf8), to: "lines") }
    ///     .promoteError(NATSError.self)
    ///     .published(to: jetStream, limit: 256)
    ///     .startWithCompleted { print("all are stored") }
    /// ```
    ///
    /// Up to `limit` messages are on their way. When there are so many, the thread of the source waits until an eighth of them is
    /// acknowledged, at least one. A message without an acknowledgement is sent again with the same id, after `time`, and when the
    /// connection was lost and is back. So it isn't stored twice within the stream's `duplicateWindow`. It may be stored after
    /// messages of other subjects that were sent later, but the messages of a subject are stored in their order: each is sent when the
    /// one before it is stored. So a subject alone gets one message through per round trip. With ``NATSPublishOrder/any``, it gets
    /// `limit`, and a message that was sent again may be stored after later ones of its subject.
    ///
    /// While no stream with a leader stores its subject, or the leader can't say yet, a message is sent every 50 ms, for `time` ×
    /// `attempts`. That time begins when the message before it in its subject is stored.
    ///
    /// Completes when all messages are stored. Fails with ``NATSError/timedOut(_:)`` if one isn't after all attempts, with
    /// ``NATSError/jetStreamUnavailable(_:)`` if that was so for all that time, and with the errors of
    /// ``JetStream/publish(_:)`` that aren't temporary. After a disposal, what is on its way may be stored or not.
    ///
    /// - Parameters:
    ///   - jetStream: Where to.
    ///   - limit: How many messages may be without an acknowledgement, with those that wait for one before them. At least 1.
    ///   - order: In which order messages are stored.
    ///   - time: How long each attempt may take. At least 1 ms.
    ///   - attempts: How often a message is sent that gets no answer. At least 1.
    /// - Complexity: One copy of the payload, which is kept until the acknowledgement. O(1) amortised. A lock when a message is sent, and two when it
    ///   is acknowledged: one finds this start, the other its message.
    /// ## Concurrency
    /// Results are sent on a thread of libnats. A source that sends on that thread, or on one that it waits for, waits for itself
    /// when the window is full, until it fails with ``NATSError/timedOut(_:)``. Observe such a source on a scheduler first.
    public func published(
        to jetStream: JetStream, limit: Int = 256, order: NATSPublishOrder = .perSubject,
        within time: Duration = .seconds(5), attempts: Int = 12
    ) -> SignalProducer<NATSPublication, NATSError> {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        precondition(attempts >= 1, "attempts is \(attempts), but must be at least 1")
        time.requireMillisecond("time")
        return SignalProducer<NATSPublication, NATSError> { observer, lifetime in
            let window = PublishWindow(
                jetStream, limit: limit, order: order, within: time, attempts: attempts, to: observer)
            lifetime += window.start()
            lifetime.observeEnded { window.end() }
            lifetime += self.start(
                Signal<NATSOutgoing, NATSError>.Observer(
                    value: { window.blockingWaitAndSend($0) },
                    failed: { observer.send(error: $0) },
                    completed: { window.sourceHasCompleted() },
                    interrupted: { observer.sendInterrupted() }))
        }
    }
}
#endif
