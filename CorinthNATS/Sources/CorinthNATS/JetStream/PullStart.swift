internal import CNATS
internal import Corinth
internal import Foundation
internal import Synchronization

/// One start of ``JetStream/deliveries(of:places:acknowledgement:)``.
///
/// It asks the server for as many messages as it has free places. A place is *requested*, then *held* by a delivery until that is
/// settled. The server answers a request that has expired with the number of messages that it didn't send.
///
/// Requests end with their inbox. So a new one is subscribed to when requests may have been lost: after a reconnection, after a
/// failure, and if the server is silent for longer than it may be.
final class PullStart: ConnectionMember {
    private struct State: Sendable {
        var subscription: LibrarySubscription?
        var inbox: SubjectName?
        /// Which inbox this is.
        var generation = 0
        var requested = 0
        var held = 0
        var isEnded = false
        /// Since when there are only failures.
        var failingSince: Date?
    }

    /// Breaks the cycle: the subscription calls its start.
    private final class Link: Sendable {
        weak let start: PullStart?
        init(_ start: PullStart) { self.start = start }
    }

    /// How long a request stands, and how long the server may be silent beyond that.
    private static let expiry: Duration = .seconds(5)
    private static let grace: Duration = .seconds(2)

    /// How long there may be only failures, as while a cluster elects a leader.
    private static let failureLimit = 30.0

    private let core: ConnectionCore
    private let name: String
    private let subject: SubjectName
    private let places: Int
    private let input: Signal<NATSDelivery, NATSError>.Observer
    private let state = Mutex(State())

    /// Asks again if the server is silent.
    private let watch = SerialDisposable()

    init(
        _ core: ConnectionCore, _ consumer: NATSConsumer, _ subject: SubjectName, places: Int,
        into input: Signal<NATSDelivery, NATSError>.Observer
    ) {
        self.core = core
        self.name = "\(consumer.name) of \(consumer.stream)"
        self.subject = subject
        self.places = places
        self.input = input
    }

    // MARK: The connection

    func connectionHasOpened() { begin() }

    func connectionHasReconnected() { begin() }

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
            let link = Link(self)
            let (generation, old, isEnded) = state.withLock { state in
                state.generation += 1
                state.requested = 0
                defer { state.subscription = nil }
                return (state.generation, state.subscription, state.isEnded)
            }
            old?.drain()
            if isEnded { return }
            let subscription = LibrarySubscription(inbox.text, queueGroup: nil) { message in
                link.start?.receive(message, generation)
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
        let link = Link(self)
        watch.inner = core.timers.schedule(after: core.timers.currentDate.addingTimeInterval(delay.seconds)) {
            guard let start = link.start else { return }
            let isCurrent = start.state.withLock { $0.generation == generation && !$0.isEnded }
            if isCurrent { start.begin() }
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
        let body = "{\"batch\":\(count),\"expires\":\(PullStart.expiry.nanoseconds)}"
        do throws(NATSError) {
            try core.publish(Data(body.utf8), to: subject, [:], reply: inbox)
        } catch .disconnected {
            // The reconnection begins again.
        } catch {
            return
        }
        begin(after: PullStart.expiry + PullStart.grace, generation)
    }

    // MARK: Messages

    private func receive(_ message: NATSMessage, _ generation: Int) {
        if message.hasReply {
            let isCurrent = state.withLock { state in
                state.held += 1
                state.failingSince = nil
                if state.generation == generation { state.requested = max(0, state.requested - 1) }
                return state.generation == generation && !state.isEnded
            }
            let delivery = NATSDelivery(message, for: self)
            // Another worker may have it at once.
            if isCurrent { input.send(value: delivery) } else { delivery.giveBack() }
        } else {
            receive(status: message, generation)
        }
    }

    /// The server says what has become of a request.
    private func receive(status message: NATSMessage, _ generation: Int) {
        let text = message.header("Description") ?? ""
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

    // MARK: The end

    private func fail(_ error: NATSError) {
        cancel()
        input.send(error: error)
    }

    func cancel() {
        let subscription = state.withLock { state in
            state.isEnded = true
            return state.subscription.take()
        }
        watch.dispose()
        subscription?.cancel()
    }
}
