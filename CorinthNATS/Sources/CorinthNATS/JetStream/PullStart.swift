#if NATS
internal import CNATS
internal import Corinth
internal import Foundation

/// What an ordered start tells. The methods are called without a lock held.
protocol OrderedWatcher: AnyObject, Sendable {
    /// The server has said that the consumer is there.
    func isHeard()

    /// Messages are about to be asked for, and the server has sent all that it was asked for before: it had to wait for places.
    ///
    /// - Parameter waiting: How many messages have arrived and weren't received yet.
    func willFetchAgain(waiting: Int)

    /// The server has no message: it has sent all that there were up to a sequence of the stream.
    ///
    /// - Parameter count: How many messages the consumer has sent so far.
    func isIdle(after count: UInt64, upTo sequence: UInt64)
}

/// One start of ``JetStream/deliveries(of:places:acknowledgement:)``.
///
/// It asks the server for as many messages as it has free places. A place is *requested*, then *held* by a delivery until that is
/// settled. The server answers a request that has expired with the number of messages that it didn't send.
///
/// Requests end with their inbox. So a new one is subscribed to when requests may have been lost: after a reconnection, after a
/// failure, and if the server is silent for longer than it may be. The server doesn't answer a request to a consumer that doesn't
/// exist. So it is asked about that at the beginning, after a reconnection, and when it is silent.
///
/// A start that is *ordered* fails with ``NATSError/consumerDeleted(_:)`` in place of that: its consumer waits for no
/// acknowledgements, so what was on its way is lost, and another consumer has to begin where this one ended.
final class PullStart: ConnectionMember {
    /// Where messages arrive.
    private struct OpenInbox: Sendable {
        let subscription: LibrarySubscription
        let name: SubjectName
    }

    /// How long a request stands, and how long the server may be silent beyond that.
    private static let expiry: Duration = .seconds(5)
    private static let grace: Duration = .seconds(2)

    /// How often the server tells an ordered start that has no messages that the request stands. The start fails after twice
    /// this time without a word.
    static let heartbeat: Duration = .seconds(1)

    /// After which time messages come again that arrived at an inbox that has ended. nats-server 2.9.10 loses one until the
    /// consumer's `ackWait`, and sends another one twice, if it comes again within microseconds of the end of an inbox for which
    /// there is a request.
    private static let pause: Duration = .milliseconds(50)

    /// Also for confirmations.
    let connection: NATSConnection
    private let core: ConnectionCore
    private let name: String
    private let subject: SubjectName
    /// nil if this isn't ordered.
    private let watcher: (any OrderedWatcher)?
    private var isOrdered: Bool { watcher != nil }
    private let input: Signal<NATSDelivery, NATSError>.Observer
    private let state: Guarded<PullState<OpenInbox, NATSDelivery>>

    /// Asks again if the server is silent.
    private let watch = SerialDisposable()

    /// Asks whether the consumer exists. nil for an ordered start, whose consumer is new.
    private let find: SignalProducer<JSONValue, NATSError>?
    private let finding = SerialDisposable()

    init(
        _ connection: NATSConnection, _ consumer: NATSConsumer, _ subject: SubjectName, places: Int,
        failureLimit: Double, watcher: (any OrderedWatcher)? = nil, find: SignalProducer<JSONValue, NATSError>? = nil,
        into input: Signal<NATSDelivery, NATSError>.Observer
    ) {
        self.connection = connection
        core = connection.core
        self.name = "\(consumer.name) of \(consumer.stream)"
        self.subject = subject
        self.watcher = watcher
        self.find = find
        self.input = input
        state = Guarded(PullState(places: places, failureLimit: failureLimit))
    }

    // MARK: The connection

    func connectionHasOpened() {
        check()
        begin()
    }

    func connectionHasReconnected() { if isOrdered { fail(.consumerDeleted(name)) } else { connectionHasOpened() } }

    // The worker of a group ends its ordered starts.
    var hasLastWork: Bool { !isOrdered && state.withLock { !$0.hasEnd } }

    /// Asks for nothing more, and waits until what is held is settled. What still arrives is given back.
    func doLastWork(_ done: @escaping @Sendable () -> Void) {
        guard let (old, isDone) = state.withLock({ $0.drain(done) }) else { return done() }
        end(old)
        if isDone { done() }
    }

    func connectionHasClosed(_ reason: NATSError?) {
        cancel()
        if let reason { input.send(error: reason) } else { input.sendCompleted() }
    }

    // MARK: Requests

    /// Fails if the consumer doesn't exist. Another error may pass.
    private func check() {
        guard let find else { return }
        finding.inner = find.startWithFailed { [weak self] error in
            guard let self, case .jetStream(let code, _) = error else { return }
            if [JetStream.consumerNotFound, JetStream.streamNotFound].contains(code) { fail(.consumerDeleted(name)) }
        }
    }

    /// Forgets all requests, and begins with a new inbox.
    private func begin() {
        if unsafe core.connectedHandle == nil { return }
        do throws(NATSError) {
            let name = try SubjectName(publishing: Inbox.prefix() + "pull")
            guard let (number, old) = state.withLock({ $0.begin() }) else { return }
            end(old)
            let subscription = LibrarySubscription(name.text, queueGroup: nil) { message in
                // A cycle until the subscription has ended: what arrives until then is given back.
                self.receive(message, number)
            } done: {
            }
            try subscription.open(on: core)
            let isWanted = state.withLock { $0.open(OpenInbox(subscription: subscription, name: name), number) }
            if isWanted { fetch() } else { subscription.cancel() }
        } catch {
            fail(error)
        }
    }

    /// Does something after a while, unless a new inbox has begun by then, or something else is done later.
    private func after(_ delay: Duration, _ number: Int, _ action: @escaping @Sendable (PullStart) -> Void) {
        watch.inner = core.timers.schedule(after: core.timers.currentDate.addingTimeInterval(delay.seconds)) {
            [weak self] in
            guard let self, state.withLock({ $0.isCurrent(number) }) else { return }
            action(self)
        }
    }

    /// Looks whether the server answers a request.
    private func expectAnswer(_ number: Int) {
        if isOrdered { return expectHeartbeat(number) }
        after(PullStart.expiry + PullStart.grace, number) { start in
            // Without a request, it has nothing to say.
            if !start.state.withLock({ $0.isAsking }) { return }
            start.check()
            start.retry(number, "\(start.name): nothing answers")
        }
    }

    private func expectHeartbeat(_ number: Int) {
        after(PullStart.heartbeat * 2, number) { start in
            // Without a request, it has nothing to say. The next one begins anew.
            let wasSilent = start.state.withLock { $0.wasSilent() }
            if wasSilent { start.fail(.consumerDeleted(start.name)) } else { start.expectHeartbeat(number) }
        }
    }

    /// Asks for as many messages as there are free places, if that is enough of them.
    private func fetch(afterRelease: Bool = false) {
        guard let request = state.withLock({ $0.request() }) else { return }
        if afterRelease, let watcher {
            let waiting = request.inbox.subscription.waitingCount
            if waiting >= request.before { watcher.willFetchAgain(waiting: waiting) }
        }
        let heartbeat = isOrdered ? ",\"idle_heartbeat\":\(PullStart.heartbeat.nanoseconds)" : ""
        let body = "{\"batch\":\(request.count),\"expires\":\(PullStart.expiry.nanoseconds)\(heartbeat)}"
        do throws(NATSError) {
            try core.publish(Data(body.utf8), to: subject, [:], reply: request.inbox.name)
        } catch .disconnected {
            // The reconnection begins again.
        } catch {
            return
        }
        expectAnswer(request.number)
    }

    // MARK: Messages

    private func receive(_ message: NATSMessage, _ number: Int) {
        if message.hasReply {
            let isCurrent = state.withLock { $0.receive(number) }
            let delivery = NATSDelivery(message, for: self)
            if isCurrent { input.send(value: delivery) } else { giveBack(delivery, atDisposal: false) }
        } else {
            receive(status: message, number)
        }
    }

    /// The server says what has become of a request.
    private func receive(status message: NATSMessage, _ number: Int) {
        let text = message.header("Description") ?? ""
        state.withLock { $0.hear() }
        switch message.header("Status") {
        case "100":
            watcher?.isHeard()
            func number(_ name: String) -> UInt64? { message.header(name).flatMap { UInt64($0) } }
            guard let count = number("Nats-Last-Consumer"), let sequence = number("Nats-Last-Stream") else { return }
            watcher?.isIdle(after: count, upTo: sequence)
        case "408":
            // The request has expired. All of it, if the server doesn't say how much.
            let left = message.header("Nats-Pending-Messages").flatMap { Int($0) } ?? .max
            state.withLock { $0.expire(left, number) }
            watcher?.isHeard()
            fetch()
        case "409" where text.contains("Consumer Deleted"): fail(.consumerDeleted(name))
        case "409", "503": retry(number, "\(name): \(text.isEmpty ? "nothing answers" : text)")
        default: break
        }
    }

    /// Begins again soon, unless it has failed for too long.
    private func retry(_ number: Int, _ text: String) {
        if isOrdered { return fail(.consumerDeleted(name)) }
        let (now, isConnected) = (core.timers.currentDate, core.state.value == .connected)
        if state.withLock({ $0.refuse(at: now, isConnected: isConnected) }) {
            return fail(.jetStreamUnavailable(text))
        }
        after(JetStream.pause, number) { $0.begin() }
    }

    // MARK: Places

    /// A delivery was settled or released.
    func release() {
        if let done = state.withLock({ $0.release() }) { return done() }
        fetch(afterRelease: true)
    }

    /// Sends an answer to the server. If it can't be sent, the server delivers the message again.
    func answer(to reply: UnsafePointer<CChar>?, _ bytes: UnsafeRawBufferPointer) {
        guard let reply = unsafe reply else { return }
        do throws(NATSError) {
            unsafe try core.publish(reply, reply: nil, [:], bytes)
        } catch {
            core.report(error)
        }
    }

    /// Gives a delivery back, but after the server has ended the subscription of its inbox.
    ///
    /// - Parameter isLast: Whether that is because this is being disposed of.
    func giveBack(_ delivery: NATSDelivery, atDisposal isLast: Bool) {
        if state.withLock({ $0.giveBack(delivery, atDisposal: isLast) }) { delivery.giveBack(after: PullStart.pause) }
    }

    /// Ends the subscription of an inbox for the server, which handles in order what this connection sends.
    private func end(_ old: OpenInbox?) {
        old?.subscription.drain()
        for delivery in state.withLock({ $0.hasEnded() }) { delivery.giveBack(after: PullStart.pause) }
    }

    // MARK: The end

    private func fail(_ error: NATSError) {
        cancel()
        input.send(error: error)
    }

    func cancel() {
        guard let (old, done) = state.withLock({ $0.end() }) else { return }
        done?()
        watch.dispose()
        finding.dispose()
        end(old)
    }
}
#endif
