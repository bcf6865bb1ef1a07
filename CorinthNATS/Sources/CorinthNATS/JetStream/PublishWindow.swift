internal import Corinth
internal import Dispatch
internal import Foundation

/// One start of ``Corinth/SignalProducer/published(to:limit:within:attempts:)``: messages on their way to a stream, until it has
/// acknowledged them.
final class PublishWindow: Sendable {
    private struct Entry: Sendable {
        let message: NATSOutgoing
        let subject: SubjectName
        var attempts: Int
        var deadline: DispatchTime
        /// The number of the pending request.
        var request: UInt64?
    }

    private struct State: Sendable {
        var entries: [UInt64: Entry] = [:]
        var last: UInt64 = 0
        /// How many results are being sent.
        var delivering = 0
        var isSourceCompleted = false

        /// Whether the result completes.
        var isOver: Bool { isSourceCompleted && !isEnded && entries.isEmpty && delivering == 0 }
        var isEnded = false
    }

    /// How often deadlines are checked, and how long a message waits that nobody has received.
    private static let interval: Duration = .milliseconds(50)

    private let jetStream: JetStream
    private let time: Duration
    private let attempts: Int
    private let observer: Signal<NATSPublication, NATSError>.Observer
    private let state = Guarded(State())
    private let ids = Inbox.random()

    /// Counts free places.
    private let free = DispatchSemaphore(value: 0)

    init(
        _ jetStream: JetStream, limit: Int, within time: Duration, attempts: Int,
        to observer: Signal<NATSPublication, NATSError>.Observer
    ) {
        self.jetStream = jetStream
        self.time = time
        self.attempts = attempts
        self.observer = observer
        for _ in 0..<limit { free.signal() }
    }

    /// Checks the deadlines again and again, until it is disposed of.
    func startTimer() -> (any Disposable)? {
        jetStream.connection.core.timers.schedule(
            after: PublishWindow.interval, interval: PublishWindow.interval
        ) { [weak self] in self?.sweep() }
    }

    // MARK: The source

    /// Publishes a message. Waits for a place.
    func blockingWaitAndSend(_ message: NATSOutgoing) {
        let limit = DispatchTime.now() + time.seconds * Double(attempts)
        if free.wait(timeout: limit) == .timedOut {
            return fail(.timedOut("acknowledgements of messages on '\(message.subject)' within \(time)"))
        }
        var message = message
        do throws(NATSError) {
            let subject = try SubjectName(publishing: message.subject)
            try message.headers.check()
            let number = state.withLock { state -> UInt64? in
                if state.isEnded { return nil }
                state.last += 1
                message.headers["Nats-Msg-Id"] = message.id ?? "\(ids)\(state.last)"
                state.entries[state.last] = Entry(
                    message: message, subject: subject, attempts: attempts, deadline: .distantFuture)
                return state.last
            }
            if let number { transmit(number) } else { free.signal() }
        } catch {
            fail(error)
        }
    }

    func sourceHasCompleted() {
        let isOver = state.withLock { state in
            state.isSourceCompleted = true
            return state.isOver
        }
        if isOver { observer.sendCompleted() }
    }

    // MARK: Requests

    private func transmit(_ number: UInt64) {
        let entry = state.withLock { state -> Entry? in
            guard var entry = state.entries[number], !state.isEnded else { return nil }
            entry.attempts -= 1
            entry.deadline = .now() + time.seconds
            state.entries[number] = entry
            return entry
        }
        guard let entry else { return }
        if let old = entry.request { jetStream.connection.replies.cancel(old) }
        let (message, subject) = (entry.message, entry.subject)
        let request = jetStream.connection.replies.request { core, reply throws(NATSError) in
            try core.publish(message.payload, to: subject, message.headers, reply: reply)
        } then: { [weak self] result in
            self?.answered(number, result)
        }
        state.withLock { $0.entries[number]?.request = request }
    }

    private func answered(_ number: UInt64, _ result: Result<NATSMessage, NATSError>) {
        switch result.flatMap(NATSPublication.result) {
        case .success(let publication):
            let isKnown = state.withLock { state in
                if state.entries.removeValue(forKey: number) == nil { return false }
                state.delivering += 1
                return true
            }
            guard isKnown else { return }
            free.signal()
            observer.send(value: publication)
            let isOver = state.withLock { state in
                state.delivering -= 1
                return state.isOver
            }
            if isOver { observer.sendCompleted() }
        // There is no leader, or no connection, at present. The deadline sends it again, soon.
        case .failure(.noResponders), .failure(.jetStreamUnavailable):
            state.withLock { $0.entries[number]?.deadline = .now() + PublishWindow.interval.seconds }
        case .failure(.notYetConnected), .failure(.disconnected): break
        case .failure(let error): fail(error)
        }
    }

    /// Sends again what is overdue, in order.
    private func sweep() {
        let now = DispatchTime.now()
        let (overdue, exhausted) = state.withLock { state -> ([UInt64], NATSOutgoing?) in
            let overdue = state.entries.filter { $0.value.deadline <= now }
            return (overdue.keys.sorted(), overdue.values.first { $0.attempts <= 0 }?.message)
        }
        if let exhausted {
            return fail(
                .timedOut("the acknowledgement of a message on '\(exhausted.subject)', \(attempts) times for \(time)"))
        }
        for number in overdue { transmit(number) }
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
        for entry in entries.values { if let request = entry.request { jetStream.connection.replies.cancel(request) } }
        // The source may wait for a place.
        free.signal()
        return true
    }
}
