#if NATS
public import Corinth
public import Foundation

extension NATSConnection {
    /// Sends a request at each start, and sends its first reply.
    ///
    /// ```swift
    /// connection.request(Data("7".utf8), to: "square").startWithResult { print($0) }
    /// ```
    ///
    /// Completes after the reply. Fails with ``NATSError/noResponders(subject:)`` if nobody has subscribed to the subject, with
    /// ``NATSError/timedOut(_:)``, with the errors of ``publish(_:to:headers:replyTo:)``, or with ``NATSError/closed`` or the
    /// reason of the end if the connection closes first. After a disposal, a reply is ignored.
    ///
    /// If the connection is lost after the request was sent, the reply is lost with it, and the request times out. It isn't sent
    /// again: only the caller knows whether that is safe.
    ///
    /// - Parameters:
    ///   - payload: The payload of the request.
    ///   - subject: The subject, without wildcards.
    ///   - headers: The headers of the request.
    ///   - time: How long the reply may take, from the start on. At least 1 ms.
    public func request(
        _ payload: some ContiguousBytes & Sendable, to subject: String, headers: NATSHeaders = [:],
        within time: Duration = .seconds(5)
    ) -> SignalProducer<NATSMessage, NATSError> {
        time.requireMillisecond("time")
        let name: SubjectName
        do throws(NATSError) {
            try headers.check()
            name = try SubjectName(publishing: subject)
        } catch {
            return SignalProducer(error: error)
        }
        return request(to: subject, within: time) { core, reply throws(NATSError) in
            try core.publish(payload, to: name, headers, reply: reply)
        }
    }

    func request(
        to subject: String, within time: Duration, _ send: @escaping ReplyTable.Sender
    ) -> SignalProducer<NATSMessage, NATSError> {
        let (core, replies) = (core, replies)
        return SignalProducer { observer, lifetime in
            let number = replies.request(send) { result in
                switch result {
                case .success(let reply):
                    observer.send(value: reply)
                    observer.sendCompleted()
                case .failure(.noResponders): observer.send(error: .noResponders(subject: subject))
                case .failure(let error): observer.send(error: error)
                }
            }
            lifetime.observeEnded {
                replies.cancel(number)
                withExtendedLifetime(core) {}
            }
        }
        .timeout(
            after: time.seconds, raising: .timedOut("a reply on '\(subject)' within \(time)"), on: core.timers)
    }

    /// An action that sends its input as a request. See ``request(_:to:headers:within:)``.
    ///
    /// One request runs at a time; while it does, the action is disabled.
    public func requester(
        to subject: String, headers: NATSHeaders = [:], within time: Duration = .seconds(5)
    ) -> Action<Data, NATSMessage, NATSError> {
        Action { input in self.request(input, to: subject, headers: headers, within: time) }
    }

    /// Answers the requests on a subject.
    ///
    /// ```swift
    /// connection.respond(to: "square", queueGroup: "squares") { request in
    ///     SignalProducer(value: square(request.data))
    /// }.start()
    /// ```
    ///
    /// Each start is a subscription. The first value of a handler's producer is the reply. A producer that ends without a value
    /// sends no reply, and the client times out. A request that expects no reply is handled, too. A reply that can't be
    /// published is reported by ``failures``. The stream ends as that of
    /// ``messages(on:queueGroup:bufferingPolicy:statistics:)`` does; then replies that are being made are still sent if the
    /// connection is being drained, and are dropped otherwise.
    ///
    /// - Parameters:
    ///   - subject: The subject, possibly with wildcards.
    ///   - queueGroup: Each request goes to one subscription of the group.
    ///   - limit: How many handlers run at the same time. At least 1. Further requests are queued, and dropped as `policy` says.
    ///   - policy: What happens to requests that wait.
    ///   - handler: Makes the reply. Called on the thread that delivers the request.
    public func respond(
        to subject: String, queueGroup: String? = nil, limit: UInt = 64,
        bufferingPolicy policy: BufferingPolicy<NATSError> = .dropNewest(capacity: 65_536),
        _ handler: @escaping @Sendable (NATSMessage) -> SignalProducer<Data, Never>
    ) -> SignalProducer<Never, NATSError> {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        let core = core
        return messages(on: subject, queueGroup: queueGroup, bufferingPolicy: policy)
            .flatMap(.concurrent(limit: limit)) { request in
                handler(request).take(first: 1).on(value: { core.reply($0, to: request) })
                    .promoteError(NATSError.self)
            }
            .filter { _ in false }
            .map { _ -> Never in preconditionFailure("a filter has let a value pass") }
    }
}

extension ConnectionCore {
    /// Answers a request, if it expects a reply.
    func reply(_ payload: Data, to request: NATSMessage) {
        guard let subject = request.replySubject else { return }
        do throws(NATSError) {
            try publish(payload, to: SubjectName(publishing: subject), [:], reply: nil)
        } catch {
            report(error)
        }
    }
}
#endif
