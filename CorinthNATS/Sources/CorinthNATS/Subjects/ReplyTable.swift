#if NATS
internal import CNATS

/// Who sends many requests, and keeps them in a table of its own.
///
/// The methods are called without a lock held. Opening and ending happen at most once each.
protocol ReplyChannel: AnyObject, Sendable {
    /// Replies arrive from now on.
    func repliesHaveOpened()

    /// The connection was lost and made again: replies to earlier requests may be lost. May be called more than once.
    func repliesMayBeLost()

    /// A reply, or the message that nobody has subscribed to the subject of the request. Called on a thread of libnats, with one
    /// message at a time.
    func hasReply(_ message: NATSMessage, to request: UInt64)

    /// No more replies arrive.
    func repliesHaveEnded(_ error: NATSError)
}

/// The requests of a connection that wait for a reply, and the one subscription that all replies come through.
///
/// The subscription is made with the first request. A reply goes to the request whose number ends its subject. If a channel's
/// number is in front of that, it goes to the channel.
final class ReplyTable: ConnectionMember {
    typealias Handler = @Sendable (Result<NATSMessage, NATSError>) -> Void

    /// Publishes a request, whose reply is to be sent to the given subject.
    typealias Sender = @Sendable (ConnectionCore, SubjectName) throws(NATSError) -> Void

    private struct State: Sendable {
        var isAttached = false
        var isSubscribed = false
        /// Why there are no more replies.
        var failure: NATSError?
        var last: UInt64 = 0
        var pending: [UInt64: Handler] = [:]
        /// Requests that wait for the connection.
        var unsent: [(UInt64, Sender)] = []
        var channels: [UInt64: any ReplyChannel] = [:]
        /// Channels that wait for the connection.
        var unopened: [UInt64] = []
        var subscription: LibrarySubscription?
    }

    /// Breaks the cycle: the subscription calls its table.
    private final class Link: Sendable {
        weak let table: ReplyTable?
        init(_ table: ReplyTable) { self.table = table }
    }

    /// A member is kept by its connection. Whoever waits for a reply keeps the connection.
    private weak let core: ConnectionCore?
    private let prefix = Inbox.prefix()
    private static let separator = UInt8(ascii: "-")
    private let state = Guarded(State())

    init(_ core: ConnectionCore) { self.core = core }

    /// Sends a request. The handler is called once, on any thread, possibly before this returns.
    ///
    /// - Returns: The number for ``cancel(_:)``.
    func request(_ send: @escaping Sender, then handler: @escaping Handler) -> UInt64 {
        enum Next { case attach, wait, send, fail(NATSError) }
        let (number, next) = state.withLock { state -> (UInt64, Next) in
            state.last += 1
            if let failure = state.failure { return (state.last, .fail(failure)) }
            state.pending[state.last] = handler
            if state.isSubscribed { return (state.last, .send) }
            state.unsent.append((state.last, send))
            if state.isAttached { return (state.last, .wait) }
            state.isAttached = true
            return (state.last, .attach)
        }
        switch next {
        case .attach: _ = core?.attach(self)
        case .wait: break
        case .send: perform(send, number)
        case .fail(let error): handler(.failure(error))
        }
        return number
    }

    func cancel(_ number: UInt64) {
        // Released after the lock.
        let removed = state.withLock { state in
            let unsent = state.unsent.first { $0.0 == number }
            state.unsent.removeAll { $0.0 == number }
            return (state.pending.removeValue(forKey: number), unsent)
        }
        withExtendedLifetime(removed) {}
    }

    // MARK: Channels

    /// A number for a new channel, and what the subjects of its replies begin with: the number of a request follows, in base 36.
    func makeChannel() -> (number: UInt64, prefix: String) {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return (number, "\(prefix)\(String(number, radix: 36))-")
    }

    /// Adds a channel, until it is cancelled.
    func open(_ channel: any ReplyChannel, _ number: UInt64) {
        enum Next { case attach, wait, open, fail(NATSError) }
        let next = state.withLock { state -> Next in
            if let failure = state.failure { return .fail(failure) }
            state.channels[number] = channel
            if state.isSubscribed { return .open }
            state.unopened.append(number)
            defer { state.isAttached = true }
            return state.isAttached ? .wait : .attach
        }
        switch next {
        case .attach: _ = core?.attach(self)
        case .wait: break
        case .open: channel.repliesHaveOpened()
        case .fail(let error): channel.repliesHaveEnded(error)
        }
    }

    func close(channel number: UInt64) {
        let channel = state.withLock { $0.channels.removeValue(forKey: number) }
        withExtendedLifetime(channel) {}
    }

    // MARK: Replies

    private func perform(_ send: Sender, _ number: UInt64) {
        guard let core else { return }
        do throws(NATSError) {
            try send(core, SubjectName(publishing: prefix + String(number, radix: 36)))
        } catch {
            resolve(number, .failure(error))
        }
    }

    private func resolve(_ number: UInt64, _ result: Result<NATSMessage, NATSError>) {
        let handler = state.withLock { $0.pending.removeValue(forKey: number) }
        handler?(result)
    }

    private func receive(_ message: NATSMessage) {
        // The server's late or second replies have no request any more.
        unsafe message.withSubject(without: prefix) { text in
            guard let (first, length) = unsafe Base36.number(text) else { return }
            if unsafe text[length] == 0 {
                resolve(first, message.isNoResponders ? .failure(.noResponders(subject: "")) : .success(message))
            } else if unsafe text[length] == ReplyTable.separator,
                let (request, _) = unsafe Base36.number(text + length + 1)
            {
                state.withLock { $0.channels[first] }?.hasReply(message, to: request)
            }
        }
    }

    func connectionHasOpened() {
        guard let core else { return }
        let link = Link(self)
        let subscription = LibrarySubscription(prefix + "*", queueGroup: nil) { message in
            link.table?.receive(message)
        } done: {
        }
        do throws(NATSError) {
            try subscription.open(on: core)
        } catch {
            return fail(error)
        }
        state.withLock { $0.subscription = subscription }
        while true {
            let (unsent, unopened, isDone) = state.withLock { state in
                defer { (state.unsent, state.unopened) = ([], []) }
                state.isSubscribed = state.unsent.isEmpty && state.unopened.isEmpty
                return (state.unsent, state.unopened.compactMap { state.channels[$0] }, state.isSubscribed)
            }
            if isDone { return }
            for (number, send) in unsent { perform(send, number) }
            for channel in unopened { channel.repliesHaveOpened() }
        }
    }

    func connectionHasReconnected() {
        let channels = state.withLock { $0.isSubscribed ? Array($0.channels.values) : [] }
        for channel in channels { channel.repliesMayBeLost() }
    }

    func connectionHasClosed(_ reason: NATSError?) { fail(reason ?? .closed) }

    private func fail(_ error: NATSError) {
        let (handlers, channels) = state.withLock { state in
            state.failure = error
            (state.unsent, state.unopened) = ([], [])
            defer { (state.pending, state.channels) = ([:], [:]) }
            return (Array(state.pending.values), Array(state.channels.values))
        }
        for handler in handlers { handler(.failure(error)) }
        for channel in channels { channel.repliesHaveEnded(error) }
    }
}

/// Subjects for replies that no other client uses.
enum Inbox {
    /// A new subject of 128 random bits, with a dot at its end.
    static func prefix() -> String { "_INBOX.\(random())." }

    /// A new name of 128 random bits.
    static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined(separator: "-")
    }
}

/// Numbers in subjects.
enum Base36 {
    /// The longest number.
    static let digits = 13

    /// Reads the number that a text begins with.
    ///
    /// - Returns: The number, and how many digits it has; nil if there is none, or if it is too large.
    @unsafe
    static func number(_ text: UnsafePointer<UInt8>) -> (UInt64, length: Int)? {
        var (number, length) = (UInt64(0), 0)
        while true {
            let digit: UInt8
            switch unsafe text[length] {
            case let byte where (0x30...0x39).contains(byte): digit = byte - 0x30
            case let byte where (0x61...0x7A).contains(byte): digit = byte - 0x61 + 10
            default: return length > 0 ? (number, length) : nil
            }
            let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 36)
            let (sum, overflows) = shifted.addingReportingOverflow(UInt64(digit))
            if isTooLarge || overflows { return nil }
            number = sum
            length += 1
        }
    }

    /// Passes a C string to a closure: a text, and a number behind it.
    static func withText<Result>(
        _ prefix: String, _ number: UInt64, _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        var prefix = prefix
        return prefix.withUTF8 { prefix in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: prefix.count + digits + 1) { buffer in
                _ = unsafe buffer.update(fromContentsOf: prefix)
                var (rest, count) = (number, 1)
                while rest >= 36 { (rest, count) = (rest / 36, count + 1) }
                rest = number
                for index in (prefix.count..<(prefix.count + count)).reversed() {
                    let digit = UInt8(rest % 36)
                    unsafe buffer[index] = digit < 10 ? 0x30 + digit : 0x61 - 10 + digit
                    rest /= 36
                }
                unsafe buffer[prefix.count + count] = 0
                return unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe body(UnsafePointer($0.baseAddress!)) }
            }
        }
    }
}
#endif
