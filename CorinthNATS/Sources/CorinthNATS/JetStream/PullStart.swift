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
    private struct State: Sendable {
        var subscription: LibrarySubscription?
        var inbox: SubjectName?
        /// Which inbox this is.
        var generation = 0
        var requested = 0
        var held = 0
        var isEnded = false
        /// Whether the connection is to be drained: nothing more is asked for.
        var isDraining = false
        /// Told when no delivery is held any more.
        var whenNoneIsHeld: (@Sendable () -> Void)?
        /// Whether the subscription of the last inbox has ended for the server.
        var isUnsubscribed = true
        /// Deliveries that are given back when it has. Before, the server may send them to that inbox again, and lose them.
        var returned: [NATSDelivery] = []
        var failures: FailureClock
        /// Whether the server has sent anything since the last look.
        var wasHeard = false
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
    private let places: Int
    /// nil if this isn't ordered.
    private let watcher: (any OrderedWatcher)?
    private var isOrdered: Bool { watcher != nil }
    private let input: Signal<NATSDelivery, NATSError>.Observer
    private let state: Guarded<State>

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
        self.places = places
        self.watcher = watcher
        self.find = find
        self.input = input
        state = Guarded(State(failures: FailureClock(limit: failureLimit)))
    }

    // MARK: The connection

    func connectionHasOpened() {
        check()
        begin()
    }

    func connectionHasReconnected() { if isOrdered { fail(.consumerDeleted(name)) } else { connectionHasOpened() } }

    // The worker of a group ends its ordered starts.
    var hasLastWork: Bool { !isOrdered && state.withLock { !$0.isEnded } }

    /// Asks for nothing more, and waits until what is held is settled. What still arrives is given back.
    func doLastWork(_ done: @escaping @Sendable () -> Void) {
        let (subscription, isDone) = state.withLock { state in
            state.isDraining = true
            state.generation += 1
            state.requested = 0
            state.isUnsubscribed = false
            if state.held > 0, !state.isEnded { state.whenNoneIsHeld = done }
            return (state.subscription.take(), state.whenNoneIsHeld == nil)
        }
        unsubscribe(subscription)
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
            let inbox = try SubjectName(publishing: Inbox.prefix() + "pull")
            let (generation, old, isEnded) = state.withLock { state in
                state.generation += 1
                state.requested = 0
                state.isUnsubscribed = false
                defer { state.subscription = nil }
                return (state.generation, state.subscription, state.isEnded || state.isDraining)
            }
            unsubscribe(old)
            if isEnded { return }
            let subscription = LibrarySubscription(inbox.text, queueGroup: nil) { message in
                // A cycle until the subscription has ended: what arrives until then is given back.
                self.receive(message, generation)
            } done: {
            }
            try subscription.open(on: core)
            let isCurrent = state.withLock { state in
                if state.isEnded || state.generation != generation { return false }
                state.subscription = subscription
                state.inbox = inbox
                return true
            }
            if isCurrent { fetch() } else { subscription.cancel() }
        } catch {
            fail(error)
        }
    }

    /// Does something after a while, unless a new inbox has begun by then, or something else is done later.
    private func after(_ delay: Duration, _ generation: Int, _ action: @escaping @Sendable (PullStart) -> Void) {
        watch.inner = core.timers.schedule(after: core.timers.currentDate.addingTimeInterval(delay.seconds)) {
            [weak self] in
            guard let self, state.withLock({ $0.generation == generation && !$0.isEnded }) else { return }
            action(self)
        }
    }

    /// Looks whether the server answers a request.
    private func expectAnswer(_ generation: Int) {
        if isOrdered { return expectHeartbeat(generation) }
        after(PullStart.expiry + PullStart.grace, generation) { start in
            // Without a request, it has nothing to say.
            if start.state.withLock({ $0.requested == 0 }) { return }
            start.check()
            start.retry(generation, "\(start.name): nothing answers")
        }
    }

    private func expectHeartbeat(_ generation: Int) {
        after(PullStart.heartbeat * 2, generation) { start in
            let wasHeard = start.state.withLock { state in
                defer { state.wasHeard = false }
                // Without a request, it has nothing to say. The next one begins anew.
                return state.wasHeard || state.requested == 0
            }
            if wasHeard { start.expectHeartbeat(generation) } else { start.fail(.consumerDeleted(start.name)) }
        }
    }

    /// Asks for as many messages as there are free places, if that is enough of them.
    private func fetch(afterRelease: Bool = false) {
        let request = state.withLock { state -> (SubjectName, Int, Int, Int, LibrarySubscription?)? in
            let free = places - state.held - state.requested
            guard !state.isEnded, state.subscription != nil, let inbox = state.inbox else { return nil }
            // Half of the places at once, so that a request isn't sent for each message.
            guard free >= (state.requested == 0 ? 1 : max(1, places / 2)) else { return nil }
            defer { state.requested += free }
            return (inbox, free, state.generation, state.requested, state.subscription)
        }
        guard let (inbox, count, generation, requested, subscription) = request else { return }
        if afterRelease, let watcher, let waiting = subscription?.waitingCount, waiting >= requested {
            watcher.willFetchAgain(waiting: waiting)
        }
        let heartbeat = isOrdered ? ",\"idle_heartbeat\":\(PullStart.heartbeat.nanoseconds)" : ""
        let body = "{\"batch\":\(count),\"expires\":\(PullStart.expiry.nanoseconds)\(heartbeat)}"
        do throws(NATSError) {
            try core.publish(Data(body.utf8), to: subject, [:], reply: inbox)
        } catch .disconnected {
            // The reconnection begins again.
        } catch {
            return
        }
        expectAnswer(generation)
    }

    // MARK: Messages

    private func receive(_ message: NATSMessage, _ generation: Int) {
        if message.hasReply {
            let isCurrent = state.withLock { state in
                state.held += 1
                state.failures.succeed()
                state.wasHeard = true
                if state.generation == generation { state.requested = max(0, state.requested - 1) }
                return state.generation == generation && !state.isEnded
            }
            let delivery = NATSDelivery(message, for: self)
            if isCurrent { input.send(value: delivery) } else { giveBackUnsubscribed(delivery) }
        } else {
            receive(status: message, generation)
        }
    }

    /// The server says what has become of a request.
    private func receive(status message: NATSMessage, _ generation: Int) {
        let text = message.header("Description") ?? ""
        state.withLock { $0.wasHeard = true }
        switch message.header("Status") {
        case "100":
            watcher?.isHeard()
            func number(_ name: String) -> UInt64? { message.header(name).flatMap { UInt64($0) } }
            guard let count = number("Nats-Last-Consumer"), let sequence = number("Nats-Last-Stream") else { return }
            watcher?.isIdle(after: count, upTo: sequence)
        case "408":
            // The request has expired. All of it, if the server doesn't say how much.
            let left = message.header("Nats-Pending-Messages").flatMap { Int($0) } ?? .max
            state.withLock { state in
                if state.generation == generation { state.requested = max(0, state.requested - left) }
                state.failures.succeed()
            }
            watcher?.isHeard()
            fetch()
        case "409" where text.contains("Consumer Deleted"): fail(.consumerDeleted(name))
        case "409", "503": retry(generation, "\(name): \(text.isEmpty ? "nothing answers" : text)")
        default: break
        }
    }

    /// Begins again soon, unless it has failed for too long.
    private func retry(_ generation: Int, _ text: String) {
        if isOrdered { return fail(.consumerDeleted(name)) }
        let (now, isConnected) = (core.timers.currentDate, core.state.value == .connected)
        if state.withLock({ $0.failures.fail(at: now, isConnected: isConnected) }) {
            return fail(.jetStreamUnavailable(text))
        }
        after(JetStream.pause, generation) { $0.begin() }
    }

    // MARK: Places

    /// A delivery was settled or released.
    func release() {
        let whenNoneIsHeld = state.withLock { state in
            state.held -= 1
            return state.held == 0 ? state.whenNoneIsHeld.take() : nil
        }
        if let whenNoneIsHeld { return whenNoneIsHeld() }
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

    /// Gives a delivery back when this has ended and the server has ended the subscription.
    func giveBackAtDisposal(_ delivery: NATSDelivery) {
        let isOver = state.withLock { state in
            let isOver = state.isEnded && state.isUnsubscribed
            if !isOver { state.returned.append(delivery) }
            return isOver
        }
        if isOver { delivery.giveBack(after: PullStart.pause) }
    }

    /// Gives a delivery back at once, but after the server has ended the subscription of its inbox.
    private func giveBackUnsubscribed(_ delivery: NATSDelivery) {
        let isUnsubscribed = state.withLock { state in
            if !state.isUnsubscribed { state.returned.append(delivery) }
            return state.isUnsubscribed
        }
        if isUnsubscribed { delivery.giveBack(after: PullStart.pause) }
    }

    private func unsubscribe(_ subscription: LibrarySubscription?) {
        subscription?.drain()
        // The server handles in order what this connection sends.
        let returned = state.withLock { state in
            state.isUnsubscribed = true
            defer { state.returned = [] }
            return state.returned
        }
        for delivery in returned { delivery.giveBack(after: PullStart.pause) }
    }

    // MARK: The end

    private func fail(_ error: NATSError) {
        cancel()
        input.send(error: error)
    }

    func cancel() {
        let (subscription, whenNoneIsHeld) = state.withLock {
            state -> (LibrarySubscription?, (@Sendable () -> Void)?) in
            if state.isEnded { return (nil, nil) }
            state.isEnded = true
            state.isUnsubscribed = false
            return (state.subscription.take(), state.whenNoneIsHeld.take())
        }
        whenNoneIsHeld?()
        watch.dispose()
        finding.dispose()
        unsubscribe(subscription)
    }
}
#endif
