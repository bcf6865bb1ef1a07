internal import CNATS

/// The requests of a connection that wait for a reply, and the one subscription that all replies come through.
///
/// The subscription is made with the first request. A reply goes to the request whose number ends its subject.
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
        guard let number = UInt64(message.subject(without: prefix.utf8.count), radix: 36) else { return }
        resolve(number, message.isNoResponders ? .failure(.noResponders(subject: "")) : .success(message))
    }

    func connectionHasOpened() {
        guard let core, let handle = unsafe core.connectedHandle else { return }
        let link = Link(self)
        let subscription = LibrarySubscription(prefix + "*", queueGroup: nil) { message in
            link.table?.receive(message)
        } done: {
        }
        do throws(NATSError) {
            unsafe try subscription.open(handle)
        } catch {
            return fail(error)
        }
        state.withLock { $0.subscription = subscription }
        while true {
            let unsent = state.withLock { state in
                defer { state.unsent = [] }
                state.isSubscribed = state.unsent.isEmpty
                return state.unsent
            }
            if unsent.isEmpty { return }
            for (number, send) in unsent { perform(send, number) }
        }
    }

    func connectionHasClosed(_ reason: NATSError?) { fail(reason ?? .closed) }

    private func fail(_ error: NATSError) {
        let handlers = state.withLock { state in
            state.failure = error
            state.unsent = []
            defer { state.pending = [:] }
            return Array(state.pending.values)
        }
        for handler in handlers { handler(.failure(error)) }
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
