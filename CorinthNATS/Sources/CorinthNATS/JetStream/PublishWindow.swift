#if NATS
internal import Corinth
internal import Dispatch
internal import Foundation
internal import Synchronization

/// One start of ``Corinth/SignalProducer/published(to:limit:within:attempts:)``: messages on their way to a stream, until it has
/// acknowledged them.
///
/// A message takes the lock once when it is sent, and once when it is acknowledged.
final class PublishWindow: ReplyChannel, @unchecked Sendable {  // The source owns the mutable fields.
    private struct Entry: Sendable {
        let message: OutgoingMessage
        /// How many are left.
        var attempts: Int
        /// When it is sent again. As the uptime, in nanoseconds.
        var deadline: UInt64
        /// Until when it is sent again that there is no leader. This takes no attempts.
        let limit: UInt64
        var wasRefused = false

        /// Whether it isn't sent again at its deadline.
        func isExhausted(_ now: UInt64) -> Bool { wasRefused ? limit <= now : attempts <= 0 }
    }

    private struct State: Sendable {
        var entries: [UInt64: Entry] = [:]
        /// Free places.
        var free: Int
        /// Whether the source waits for a free place.
        var isWaiting = false
        /// Messages that wait for the connection.
        var unsent: [UInt64] = []
        /// Whether replies arrive, and nothing waits for the connection.
        var isOpen = false
        var isEnded = false
    }

    /// How often deadlines are checked, and how long a message waits that nobody has received.
    private static let interval: Duration = .milliseconds(50)

    private let jetStream: JetStream
    private let time: Duration
    private let nanoseconds: UInt64
    private let attempts: Int
    /// How many places are free when a source that waits goes on. Not one: the thread would wake for each message.
    private let enough: Int
    private let observer: Signal<NATSPublication, NATSError>.Observer
    private let state: Guarded<State>
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
        _ jetStream: JetStream, limit: Int, within time: Duration, attempts: Int,
        to observer: Signal<NATSPublication, NATSError>.Observer
    ) {
        self.jetStream = jetStream
        self.time = time
        nanoseconds = UInt64(clamping: time.nanoseconds)
        self.attempts = attempts
        enough = max(1, limit / 8)
        self.observer = observer
        state = Guarded(State(free: limit))
        channel = jetStream.connection.replies.makeChannel()
    }

    /// Waits for replies, and checks the deadlines again and again. A cycle until the end, and until the result is disposed of.
    func start() -> (any Disposable)? {
        jetStream.connection.replies.open(self, channel.number)
        return jetStream.connection.core.timers.schedule(
            after: PublishWindow.interval, interval: PublishWindow.interval
        ) { self.sweep() }
    }

    /// When a number of attempts are over that begin now.
    private func deadline(of attempts: Int = 1) -> UInt64 {
        let (time, isTooLong) = nanoseconds.multipliedReportingOverflow(by: UInt64(attempts))
        let (sum, overflows) = DispatchTime.now().uptimeNanoseconds.addingReportingOverflow(time)
        return isTooLong || overflows ? .max : sum
    }

    // MARK: The source

    private enum Acceptance: Sendable { case send, queued, wait, ended }

    /// Publishes a message. Waits for a place.
    func blockingWaitAndSend(_ outgoing: NATSOutgoing) {
        last += 1
        let message: OutgoingMessage
        do throws(NATSError) { message = try make(outgoing, last) } catch { return fail(error) }
        while true {
            switch accept(message, last) {
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

    /// Takes a place for a message.
    private func accept(_ message: OutgoingMessage, _ number: UInt64) -> Acceptance {
        let (deadline, limit) = (deadline(), deadline(of: attempts))
        return state.withLock { state in
            if state.isEnded { return .ended }
            if state.free == 0 {
                state.isWaiting = true
                return .wait
            }
            state.free -= 1
            // relaxed: the lock orders it before its decrement.
            unfinished.wrappingAdd(1, ordering: .relaxed)
            state.entries[number] = Entry(
                message: message, attempts: attempts - 1, deadline: deadline, limit: limit)
            if state.isOpen { return .send }
            state.unsent.append(number)
            return .queued
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
            let unsent = state.withLock { state in
                defer { state.unsent = [] }
                state.isOpen = state.unsent.isEmpty
                return state.unsent.map { state.entries[$0]?.message }
            }
            if unsent.isEmpty { return }
            for case let message? in unsent { send(message) }
        }
    }

    /// Sends everything again, in order. The attempts and deadlines stay.
    func repliesMayBeLost() {
        let messages = state.withLock { state in
            state.isOpen ? state.entries.sorted { $0.key < $1.key }.map(\.value.message) : []
        }
        for message in messages { send(message) }
    }

    func hasReply(_ message: NATSMessage, to request: UInt64) {
        switch message.isNoResponders ? .failure(.noResponders(subject: "")) : NATSPublication.result(message) {
        case .success(let publication):
            let (entry, wakes) = state.withLock { state -> (Entry?, Bool) in
                guard let entry = state.entries.removeValue(forKey: request) else { return (nil, false) }
                state.free += 1
                let wakes = state.isWaiting && state.free >= enough
                if wakes { state.isWaiting = false }
                return (entry, wakes)
            }
            // Not one more time.
            if entry == nil { return }
            if wakes { wake.signal() }
            observer.send(value: publication)
            finishOne()
        // There is no leader at present. The deadline sends it again, soon.
        case .failure(.noResponders), .failure(.jetStreamUnavailable):
            let soon = DispatchTime.now().uptimeNanoseconds + UInt64(PublishWindow.interval.nanoseconds)
            state.withLock { state in
                state.entries[request]?.deadline = soon
                state.entries[request]?.wasRefused = true
            }
        case .failure(let error): fail(error)
        }
    }

    func repliesHaveEnded(_ error: NATSError) { fail(error) }

    /// Sends again what is overdue, in order.
    private func sweep() {
        let now = DispatchTime.now().uptimeNanoseconds
        let deadline = deadline()
        let (overdue, exhausted) = state.withLock { state -> ([OutgoingMessage], Entry?) in
            var numbers: [UInt64] = []
            for (number, entry) in state.entries where entry.deadline <= now {
                if entry.isExhausted(now) { return ([], entry) }
                numbers.append(number)
            }
            var overdue: [OutgoingMessage] = []
            for number in numbers.sorted() {
                guard var entry = state.entries[number] else { continue }
                if entry.wasRefused { entry.wasRefused = false } else { entry.attempts -= 1 }
                entry.deadline = deadline
                state.entries[number] = entry
                // What waits for the connection is sent with it.
                if state.isOpen { overdue.append(entry.message) }
            }
            return (overdue, nil)
        }
        if let exhausted {
            let subject = exhausted.message.subject
            return fail(
                exhausted.wasRefused
                    ? .jetStreamUnavailable("no stream with a leader stores '\(subject)', for \(time * attempts)")
                    : .timedOut("the acknowledgement of a message on '\(subject)', \(attempts) times for \(time)"))
        }
        for message in overdue { send(message) }
    }

    // MARK: The end

    private func fail(_ error: NATSError) {
        if end() { observer.send(error: error) }
    }

    /// Forgets all messages. Returns whether it hadn't ended before.
    @discardableResult
    func end() -> Bool {
        let entries = state.withLock { state -> [UInt64: Entry]? in
            if state.isEnded { return nil }
            state.isEnded = true
            defer { state.entries = [:] }
            return state.entries
        }
        guard let entries else { return false }
        withExtendedLifetime(entries) {}
        jetStream.connection.replies.close(channel: channel.number)
        // The source may wait for a place.
        wake.signal()
        return true
    }
}
#endif
