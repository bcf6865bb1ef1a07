internal import CNATS
internal import Corinth
internal import Foundation

/// One start of ``JetStream/deliveries(of:places:acknowledgement:)``.
///
/// It asks the server for as many messages as it has free places. A place is *requested*, then *held* by a delivery until that is
/// settled. The server answers a request that has expired with the number of messages that it didn't send.
///
/// Requests end with their inbox. So a new one is subscribed to when requests may have been lost: after a reconnection, after a
/// failure, and if the server is silent for longer than it may be.
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
        /// Whether the subscription of the last inbox has ended for the server.
        var isUnsubscribed = true
        /// Deliveries that are given back when it has. Before, the server may send them to that inbox again, and lose them.
        var returned: [NATSDelivery] = []
        /// Since when there are only failures.
        var failingSince: Date?
        /// Whether the server has sent anything since the last look.
        var wasHeard = false
    }

    /// How long a request stands, and how long the server may be silent beyond that.
    private static let expiry: Duration = .seconds(5)
    private static let grace: Duration = .seconds(2)

    /// How often the server tells an ordered start that has no messages that the request stands. The start fails after twice
    /// this time without a word.
    private static let heartbeat: Duration = .seconds(1)

    /// After which time messages come again that arrived at an inbox that has ended. nats-server 2.9.10 loses one until the
    /// consumer's `ackWait`, and sends another one twice, if it comes again within microseconds of the end of an inbox for which
    /// there is a request.
    private static let pause: Duration = .milliseconds(50)

    /// How long there may be only failures, as while a cluster elects a leader.
    private static let failureLimit = 30.0

    /// Also for confirmations.
    let connection: NATSConnection
    private let core: ConnectionCore
    private let name: String
    private let subject: SubjectName
    private let places: Int
    private let isOrdered: Bool
    private let input: Signal<NATSDelivery, NATSError>.Observer
    private let state = Guarded(State())

    /// Asks again if the server is silent.
    private let watch = SerialDisposable()

    init(
        _ connection: NATSConnection, _ consumer: NATSConsumer, _ subject: SubjectName, places: Int,
        isOrdered: Bool = false, into input: Signal<NATSDelivery, NATSError>.Observer
    ) {
        self.connection = connection
        core = connection.core
        self.name = "\(consumer.name) of \(consumer.stream)"
        self.subject = subject
        self.places = places
        self.isOrdered = isOrdered
        self.input = input
    }

    // MARK: The connection

    func connectionHasOpened() { begin() }

    func connectionHasReconnected() { if isOrdered { fail(.consumerDeleted(name)) } else { begin() } }

    func connectionHasClosed(_ reason: NATSError?) {
        cancel()
        if let reason { input.send(error: reason) } else { input.sendCompleted() }
    }

    // MARK: Requests

    /// Forgets all requests, and begins with a new inbox.
    private func begin() {
        guard let handle = unsafe core.connectedHandle else { return }
        do throws(NATSError) {
            let inbox = try SubjectName(publishing: Inbox.prefix() + "pull")
            let (generation, old, isEnded) = state.withLock { state in
                state.generation += 1
                state.requested = 0
                state.isUnsubscribed = false
                defer { state.subscription = nil }
                return (state.generation, state.subscription, state.isEnded)
            }
            unsubscribe(old)
            if isEnded { return }
            let subscription = LibrarySubscription(inbox.text, queueGroup: nil) { message in
                // A cycle until the subscription has ended: what arrives until then is given back.
                self.receive(message, generation)
            } done: {
            }
            unsafe try subscription.open(handle)
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

    /// Begins again after a while, unless something else has by then.
    private func begin(after delay: Duration, _ generation: Int) {
        watch.inner = core.timers.schedule(after: core.timers.currentDate.addingTimeInterval(delay.seconds)) {
            [weak self] in
            guard let self else { return }
            let (isCurrent, wasHeard) = state.withLock { state in
                defer { state.wasHeard = false }
                return (state.generation == generation && !state.isEnded, state.wasHeard)
            }
            if !isCurrent { return }
            if !isOrdered { return begin() }
            if wasHeard { begin(after: delay, generation) } else { fail(.consumerDeleted(name)) }
        }
    }

    /// Asks for as many messages as there are free places, if that is enough of them.
    private func fetch() {
        let request = state.withLock { state -> (SubjectName, Int, Int)? in
            let free = places - state.held - state.requested
            guard !state.isEnded, state.subscription != nil, let inbox = state.inbox else { return nil }
            // Half of the places at once, so that a request isn't sent for each message.
            guard free >= (state.requested == 0 ? 1 : max(1, places / 2)) else { return nil }
            state.requested += free
            return (inbox, free, state.generation)
        }
        guard let (inbox, count, generation) = request else { return }
        let heartbeat = isOrdered ? ",\"idle_heartbeat\":\(PullStart.heartbeat.nanoseconds)" : ""
        let body = "{\"batch\":\(count),\"expires\":\(PullStart.expiry.nanoseconds)\(heartbeat)}"
        do throws(NATSError) {
            try core.publish(Data(body.utf8), to: subject, [:], reply: inbox)
        } catch .disconnected {
            // The reconnection begins again.
        } catch {
            return
        }
        begin(after: isOrdered ? PullStart.heartbeat * 2 : PullStart.expiry + PullStart.grace, generation)
    }

    // MARK: Messages

    private func receive(_ message: NATSMessage, _ generation: Int) {
        if message.hasReply {
            let isCurrent = state.withLock { state in
                state.held += 1
                state.failingSince = nil
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
        case "408":
            // The request has expired. All of it, if the server doesn't say how much.
            let left = message.header("Nats-Pending-Messages").flatMap { Int($0) } ?? .max
            state.withLock { state in
                if state.generation == generation { state.requested = max(0, state.requested - left) }
                state.failingSince = nil
            }
            fetch()
        case "409" where text.contains("Consumer Deleted"): fail(.consumerDeleted(name))
        case "409", "503": retry(generation, "\(name): \(text.isEmpty ? "nothing answers" : text)")
        default: break
        }
    }

    /// Begins again soon, unless it has failed for too long.
    private func retry(_ generation: Int, _ text: String) {
        if isOrdered { return fail(.consumerDeleted(name)) }
        let now = core.timers.currentDate
        let since = state.withLock { state -> Date in
            let since = state.failingSince ?? now
            state.failingSince = since
            return since
        }
        if now.timeIntervalSince(since) > PullStart.failureLimit { return fail(.jetStreamUnavailable(text)) }
        begin(after: .milliseconds(100), generation)
    }

    // MARK: Places

    /// A delivery was settled or released.
    func release() {
        state.withLock { $0.held -= 1 }
        fetch()
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
        let subscription = state.withLock { state in
            if state.isEnded { return nil as LibrarySubscription? }
            state.isEnded = true
            state.isUnsubscribed = false
            return state.subscription.take()
        }
        watch.dispose()
        unsubscribe(subscription)
    }
}
