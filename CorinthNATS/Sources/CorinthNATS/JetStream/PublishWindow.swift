#if NATS
internal import Corinth
internal import Dispatch
internal import Foundation
internal import Synchronization

/// One start of ``Corinth/SignalProducer/published(to:limit:order:within:attempts:)``: messages on their way to a stream, until it has
/// acknowledged them. What it knows of them is a ``PublishState``.
///
/// A message takes the lock once when it is sent, and once when it is acknowledged.
final class PublishWindow: ReplyChannel, @unchecked Sendable {  // The source owns the mutable fields.
    /// How often deadlines are checked, and how long a message waits that nobody has received.
    private static let interval: Duration = .milliseconds(50)

    private let jetStream: JetStream
    private let time: Duration
    private let attempts: Int
    private let observer: Signal<NATSPublication, NATSError>.Observer
    private let state: Guarded<PublishState<OutgoingMessage>>
    private let ids = "\(Inbox.random())-"
    private let channel: (number: UInt64, prefix: String)

    /// The source, while it isn't completed, and messages whose result isn't sent. The result completes when there is none.
    private let unfinished = Synchronization.Atomic<Int>(1)

    // Owned by the source, which sends one message at a time.
    private var last: UInt64 = 0
    /// The subject of the last message.
    private var subject: SubjectName?

    /// Wakes the source.
    private let wake = DispatchSemaphore(value: 0)

    init(
        _ jetStream: JetStream, limit: Int, order: NATSPublishOrder, within time: Duration, attempts: Int,
        to observer: Signal<NATSPublication, NATSError>.Observer
    ) {
        self.jetStream = jetStream
        self.time = time
        self.attempts = attempts
        self.observer = observer
        state = Guarded(
            PublishState(order: order, limit: limit, attempts: attempts, time: UInt64(clamping: time.nanoseconds)))
        channel = jetStream.connection.replies.makeChannel()
    }

    /// Waits for replies, and checks the deadlines again and again. A cycle until the end, and until the result is disposed of.
    func start() -> (any Disposable)? {
        jetStream.connection.replies.open(self, channel.number)
        return jetStream.connection.core.timers.schedule(
            after: PublishWindow.interval, interval: PublishWindow.interval
        ) { self.sweep() }
    }

    private var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    // MARK: The source

    /// Publishes a message. Waits for a place.
    func blockingWaitAndSend(_ outgoing: NATSOutgoing) {
        last += 1
        let message: OutgoingMessage
        do throws(NATSError) { message = try make(outgoing, last) } catch { return fail(error) }
        while true {
            switch accept(message, outgoing.subject) {
            case .send: return send(message)
            case .queued, .ended: return
            case .wait:
                let limit = DispatchTime.now() + time.seconds * Double(attempts)
                if wake.wait(timeout: limit) == .timedOut {
                    return fail(.timedOut("acknowledgements of messages on '\(outgoing.subject)' within \(time)"))
                }
            }
        }
    }

    /// A message whose reply has a number.
    private func make(_ outgoing: NATSOutgoing, _ number: UInt64) throws(NATSError) -> OutgoingMessage {
        var headers = outgoing.headers
        var id = outgoing.id
        if !headers.isEmpty {
            id = id ?? headers[NATSHeaders.id]
            headers[NATSHeaders.id] = nil
        }
        if let id { try NATSHeaders.check(id, of: NATSHeaders.id) }
        if subject?.text != outgoing.subject { subject = try SubjectName(publishing: outgoing.subject) }
        guard let subject else { preconditionFailure("a message has no subject") }
        var result: Result<OutgoingMessage, NATSError>?
        unsafe outgoing.payload.withUnsafeBytes { bytes in
            unsafe Base36.withText(channel.prefix, number) { reply in
                func make(_ id: UnsafePointer<CChar>) {
                    result = Result { () throws(NATSError) in
                        unsafe try OutgoingMessage(subject.pointer, reply: reply, headers, id: id, bytes)
                    }
                }
                if let id { unsafe make(id) } else { unsafe Base36.withText(ids, number, make) }
            }
        }
        guard let result else { preconditionFailure("a payload has no bytes") }
        return try result.get()
    }

    /// Takes a place for the last message.
    private func accept(_ message: OutgoingMessage, _ subject: String) -> PublishState<OutgoingMessage>.Acceptance {
        let (number, now) = (last, now)
        return state.withLock { state in
            let acceptance = state.accept(message, subject, number, at: now)
            // relaxed: the lock orders it before its decrement.
            if acceptance == .send || acceptance == .queued { unfinished.wrappingAdd(1, ordering: .relaxed) }
            return acceptance
        }
    }

    func sourceHasCompleted() { finishOne() }

    /// Completes after the last one.
    private func finishOne() {
        // acquiring and releasing: what was sent before is before the end.
        if unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0, end() {
            observer.sendCompleted()
        }
    }

    // MARK: Requests

    private func send(_ message: OutgoingMessage) {
        do throws(NATSError) {
            try jetStream.connection.core.publish(message)
        } catch .notYetConnected, .disconnected, .timedOut {
            // There is no connection, or the server reads nothing. The deadline sends it again.
        } catch {
            fail(error)
        }
    }

    func repliesHaveOpened() {
        while true {
            let unsent = state.withLock { $0.open(at: now) }
            if unsent.isEmpty { return }
            for message in unsent { send(message) }
        }
    }

    func repliesMayBeLost() {
        for message in state.withLock({ $0.sentMessages() }) { send(message) }
    }

    func hasReply(_ message: NATSMessage, to request: UInt64) {
        switch message.isNoResponders ? .failure(.noResponders(subject: "")) : NATSPublication.result(message) {
        case .success(let publication):
            // Not one more time.
            guard let stored = state.withLock({ $0.acknowledge(request, at: now) }) else { return }
            if stored.wakes { wake.signal() }
            observer.send(value: publication)
            // Behind the result of the one before it: this may fail.
            if let next = stored.next { send(next) }
            finishOne()
        // The deadline sends it again, soon.
        case .failure(.noResponders): refuse(request, .noLeader)
        case .failure(.jetStreamUnavailable(let text)): refuse(request, .said(text))
        case .failure(let error): fail(error)
        }
    }

    private func refuse(_ request: UInt64, _ refusal: PublishState<OutgoingMessage>.Refusal) {
        state.withLock { $0.refuse(request, refusal, until: now + UInt64(PublishWindow.interval.nanoseconds)) }
    }

    func repliesHaveEnded(_ error: NATSError) { fail(error) }

    /// Sends again what is overdue, in order.
    private func sweep() {
        switch state.withLock({ $0.due(at: now) }) {
        case .again(let messages): for message in messages { send(message) }
        case .refused(let subject, .noLeader):
            fail(.jetStreamUnavailable("no stream with a leader stores '\(subject)', for \(time * attempts)"))
        case .refused(let subject, .said(let text)):
            fail(.jetStreamUnavailable("a message on '\(subject)' isn't stored for \(time * attempts): \(text)"))
        case .unanswered(let subject):
            fail(.timedOut("the acknowledgement of a message on '\(subject)', \(attempts) times for \(time)"))
        }
    }

    // MARK: The end

    private func fail(_ error: NATSError) {
        if end() { observer.send(error: error) }
    }

    /// Forgets all messages. Returns whether it hadn't ended before.
    @discardableResult
    func end() -> Bool {
        // Released outside of the lock.
        guard let messages = state.withLock({ $0.end() }) else { return false }
        withExtendedLifetime(messages) {}
        jetStream.connection.replies.close(channel: channel.number)
        // The source may wait for a place.
        wake.signal()
        return true
    }
}
#endif
