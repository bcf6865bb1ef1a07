#if NATS
internal import Corinth

/// In which order a stream stores what is published to it.
public enum NATSPublishOrder: Hashable, Sendable {
    /// The messages of a subject in the order of the source, whatever fails: each is sent when the one before it is stored.
    case perSubject
    /// A message that has to be sent again may be stored after later ones, also of its own subject. A subject alone gets more than one
    /// message through per round trip.
    case any
}

/// What a ``PublishWindow`` knows of its messages: a value, and one function for everything that happens. Numbers are those of the
/// source's order, and times are the uptime in nanoseconds.
struct PublishState<Message: Sendable>: Sendable {
    /// How far a message is.
    private enum Phase: Sendable {
        /// The one before it in its subject isn't stored yet.
        case behind
        /// It waits for the connection.
        case unsent(Attempts)
        /// It is sent, and sent again if there is no answer until the deadline.
        case sent(Attempts, deadline: UInt64)
        /// It couldn't be stored at that time. It is sent again at the deadline, which takes no attempt.
        case refused(Attempts, deadline: UInt64, Refusal)
    }

    /// What is left to a message.
    private struct Attempts: Sendable {
        var left: Int
        /// Until when it is sent again that can't be stored at the time.
        let limit: UInt64
    }

    private struct Entry: Sendable {
        let message: Message
        let subject: String
        var phase: Phase
    }

    /// The messages of a subject behind the one that isn't behind.
    private struct Line: Sendable {
        var numbers: [UInt64] = []
        var next = 0
    }

    enum Acceptance: Hashable, Sendable {
        /// Send it.
        case send
        /// It is sent later.
        case queued
        /// There is no place. The source tries again when it is woken.
        case wait
        case ended
    }

    /// What the acknowledgement of a message leads to.
    struct Stored: Sendable {
        /// What is to be sent now.
        let next: Message?
        /// Whether the source waits, and there is place enough.
        let wakes: Bool
    }

    enum Due: Sendable {
        case again([Message])
        /// A message isn't sent any more: there was no answer, or it couldn't be stored.
        case unanswered(subject: String)
        case refused(subject: String, Refusal)
    }

    /// Why a message can't be stored at present.
    enum Refusal: Hashable, Sendable {
        case noLeader
        /// What JetStream says.
        case said(String)
    }

    private let order: NATSPublishOrder
    private let attempts: Int
    private let time: UInt64
    /// How many places are free when a source that waits goes on. Not one: the thread would wake for each message.
    private let enough: Int

    private var entries: [UInt64: Entry] = [:]
    /// Of each subject with a message in ``entries``, if their order is kept.
    private var lines: [String: Line] = [:]
    /// Free places.
    private var free: Int
    /// Whether the source waits for a free place.
    private var isWaiting = false
    /// Whether replies arrive, and nothing waits for the connection.
    private var isOpen = false
    private var isEnded = false

    /// - Parameters:
    ///   - time: How long an attempt may take, in nanoseconds.
    init(order: NATSPublishOrder, limit: Int, attempts: Int, time: UInt64) {
        self.order = order
        self.attempts = attempts
        self.time = time
        enough = max(1, limit / 8)
        free = limit
    }

    /// When a number of attempts are over that begin now.
    private func deadline(of attempts: Int, after now: UInt64) -> UInt64 {
        let (time, isTooLong) = time.multipliedReportingOverflow(by: UInt64(attempts))
        let (sum, overflows) = now.addingReportingOverflow(time)
        return isTooLong || overflows ? .max : sum
    }

    /// A message that is sent now, or as soon as there is a connection.
    private func beginning(at now: UInt64) -> Phase {
        let attempts = Attempts(left: attempts - 1, limit: deadline(of: attempts, after: now))
        return isOpen ? .sent(attempts, deadline: deadline(of: 1, after: now)) : .unsent(attempts)
    }

    /// The source has a message.
    mutating func accept(_ message: Message, _ subject: String, _ number: UInt64, at now: UInt64) -> Acceptance {
        if isEnded { return .ended }
        if free == 0 {
            isWaiting = true
            return .wait
        }
        free -= 1
        var phase = beginning(at: now)
        if order == .perSubject {
            if lines[subject] == nil {
                lines[subject] = Line()
            } else {
                lines[subject]?.numbers.append(number)
                phase = .behind
            }
        }
        entries[number] = Entry(message: message, subject: subject, phase: phase)
        if case .sent = phase { return .send }
        return .queued
    }

    /// A message is stored. nil if that was known, or if it isn't one of these.
    mutating func acknowledge(_ number: UInt64, at now: UInt64) -> Stored? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        free += 1
        let wakes = isWaiting && free >= enough
        if wakes { isWaiting = false }
        guard order == .perSubject, let next = takeNext(of: entry.subject) else {
            return Stored(next: nil, wakes: wakes)
        }
        let phase = beginning(at: now)
        entries[next]?.phase = phase
        guard case .sent = phase else { return Stored(next: nil, wakes: wakes) }
        return Stored(next: entries[next]?.message, wakes: wakes)
    }

    /// Takes the number of the next message of a subject out of its line. Without one, the line is over.
    private mutating func takeNext(of subject: String) -> UInt64? {
        guard var line = lines.removeValue(forKey: subject), line.next < line.numbers.count else { return nil }
        let number = line.numbers[line.next]
        line.next += 1
        // Half at a time, so that each is moved once at most.
        if line.next * 2 > line.numbers.count {
            line.numbers.removeFirst(line.next)
            line.next = 0
        }
        lines[subject] = line
        return number
    }

    /// A message can't be stored at present. It is sent again at `soon`.
    mutating func refuse(_ number: UInt64, _ refusal: Refusal, until soon: UInt64) {
        guard case .sent(let attempts, _) = entries[number]?.phase else { return }
        entries[number]?.phase = .refused(attempts, deadline: soon, refusal)
    }

    /// Some time has passed.
    mutating func due(at now: UInt64) -> Due {
        var numbers: [UInt64] = []
        for (number, entry) in entries {
            switch entry.phase {
            case .behind: break
            case .unsent(let attempts):
                if attempts.limit <= now { return .unanswered(subject: entry.subject) }
            case .sent(let attempts, let deadline) where deadline <= now:
                if attempts.left <= 0 { return .unanswered(subject: entry.subject) }
                numbers.append(number)
            case .refused(let attempts, let deadline, let refusal) where deadline <= now:
                if attempts.limit <= now { return .refused(subject: entry.subject, refusal) }
                numbers.append(number)
            case .sent, .refused: break
            }
        }
        return .again(numbers.sorted().compactMap { sendAgain($0, at: now) })
    }

    /// A message is sent again. nil if it waits for the connection, with which it is sent.
    private mutating func sendAgain(_ number: UInt64, at now: UInt64) -> Message? {
        guard let entry = entries[number] else { return nil }
        let deadline = deadline(of: 1, after: now)
        switch entry.phase {
        case .behind, .unsent: return nil
        case .sent(var attempts, _):
            attempts.left -= 1
            entries[number]?.phase = .sent(attempts, deadline: deadline)
        case .refused(let attempts, _, _): entries[number]?.phase = .sent(attempts, deadline: deadline)
        }
        return entry.message
    }

    /// Replies arrive. Called until nothing is left to be sent.
    mutating func open(at now: UInt64) -> [Message] {
        let deadline = deadline(of: 1, after: now)
        var unsent: [UInt64] = []
        for case (let number, .unsent(let attempts)) in entries.mapValues(\.phase) {
            unsent.append(number)
            entries[number]?.phase = .sent(attempts, deadline: deadline)
        }
        isOpen = unsent.isEmpty
        return unsent.sorted().compactMap { entries[$0]?.message }
    }

    /// The connection was lost and is back: what has been sent is sent again, in order. The attempts and deadlines stay.
    func sentMessages() -> [Message] {
        guard isOpen else { return [] }
        let sent = entries.filter {
            switch $0.value.phase {
            case .sent, .refused: true
            case .behind, .unsent: false
            }
        }
        return sent.sorted { $0.key < $1.key }.map(\.value.message)
    }

    /// Forgets all messages, and returns them; nil if it has ended before.
    mutating func end() -> [Message]? {
        if isEnded { return nil }
        isEnded = true
        defer {
            entries = [:]
            lines = [:]
        }
        return entries.values.map(\.message)
    }
}
#endif
