#if NATS
internal import CNATS

/// A subscription of libnats, which calls back on a thread of its own.
///
/// libnats owns one reference from `open(_:)` until it reports that its thread has left the callback for good.
final class LibrarySubscription: Sendable {
    private enum State: Sendable {
        case idle
        case opening
        /// The address of libnats's subscription, and its connection.
        case active(UInt, Connection)
        case ended
    }

    private struct Connection: Sendable {
        let table: SubscriptionTable
        weak let core: ConnectionCore?

        func end(_ address: UInt) {
            _ = unsafe natsSubscription_Unsubscribe(OpaquePointer(bitPattern: address))
            if let core { core.free(address) } else { table.end(address) }
        }
    }

    let subject: String
    private let queueGroup: String?
    private let receive: @Sendable (NATSMessage) -> Void
    private let done: @Sendable () -> Void
    private let state = Guarded(State.idle)

    /// - Parameters:
    ///   - receive: Called on a thread of libnats, with one message at a time.
    ///   - done: Called once, after the last call of `receive`, if `open(_:)` has succeeded.
    init(
        _ subject: String, queueGroup: String?, receive: @escaping @Sendable (NATSMessage) -> Void,
        done: @escaping @Sendable () -> Void
    ) {
        self.subject = subject
        self.queueGroup = queueGroup
        self.receive = receive
        self.done = done
    }

    private static let received: natsMsgHandler = { _, _, message, closure in
        guard let owned = unsafe message, let closure = unsafe closure else { return }
        let message = unsafe NATSMessage(owned)
        unsafe Unmanaged<LibrarySubscription>.fromOpaque(closure)._withUnsafeGuaranteedRef {
            NATSProbe.deliver($0)
            $0.receive(message)
        }
    }

    private static let completed: natsOnCompleteCB = { closure in
        guard let closure = unsafe closure else { return }
        let subscription = unsafe Unmanaged<LibrarySubscription>.fromOpaque(closure).takeRetainedValue()
        subscription.cancel()
        subscription.done()
    }

    /// Subscribes, unless cancelled before. Messages may arrive before it returns. With a connection that has closed meanwhile, it
    /// is a subscription that has received everything.
    func open(on core: ConnectionCore) throws(NATSError) {
        guard let connection = unsafe core.connectedHandle else { return }
        let mayOpen = state.withLock { state in
            guard case .idle = state else { return false }
            state = .opening
            return true
        }
        if !mayOpen { return }
        let closure = unsafe Unmanaged.passRetained(self)
        var created: OpaquePointer?
        let status =
            if let queueGroup {
                unsafe natsConnection_QueueSubscribe(
                    &created, connection, subject, queueGroup, LibrarySubscription.received, closure.toOpaque())
            } else {
                unsafe natsConnection_Subscribe(
                    &created, connection, subject, LibrarySubscription.received, closure.toOpaque())
            }
        guard status == NATS_OK, let subscription = unsafe created else {
            unsafe closure.release()
            state.withLock { $0 = .ended }
            // Its end tells why: the program may have asked for it.
            if unsafe natsConnection_IsClosed(connection) { return done() }
            throw .of(status, "the subscription to '\(subject)'")
        }
        let willReport =
            unsafe natsSubscription_SetOnCompleteCB(
                subscription, LibrarySubscription.completed, closure.toOpaque()) == NATS_OK
        let address = UInt(bitPattern: subscription)
        let owner = Connection(table: core.subscriptions, core: core)
        core.subscriptions.add(address, self)
        let isCancelled = state.withLock { state in
            if case .ended = state { return true }
            state = .active(address, owner)
            return false
        }
        if isCancelled { owner.end(address) }
        if !willReport {
            // The connection has closed in between. libnats doesn't tell when its thread leaves the callback, so the reference
            // that it owns is never released.
            cancel()
            done()
        }
    }

    /// How many messages have arrived, and wait for the thread that is in `receive`.
    var waitingCount: Int {
        state.withLock { state in
            guard case .active(let address, _) = state else { return 0 }
            var count: Int32 = 0
            // Doesn't wait. Under the lock, so that nobody destroys it meanwhile.
            _ = unsafe natsSubscription_GetPending(OpaquePointer(bitPattern: address), &count, nil)
            return Int(count)
        }
    }

    /// How many messages libnats has dropped, because they came too fast. nil if the subscription has ended.
    var droppedCount: Int? {
        state.withLock { state in
            guard case .active(let address, _) = state else { return nil }
            var count: Int64 = 0
            _ = unsafe natsSubscription_GetDropped(OpaquePointer(bitPattern: address), &count)
            return Int(count)
        }
    }

    /// Unsubscribes, and goes on until everything was received that the server has sent before, for five seconds at most.
    func drain() {
        state.withLock { state in
            guard case .active(let address, _) = state else { return }
            // Doesn't wait. Under the lock, so that nobody destroys it meanwhile.
            _ = unsafe natsSubscription_DrainTimeout(OpaquePointer(bitPattern: address), 5000)
        }
    }

    /// Unsubscribes, once. Another thread may still be in `receive`. May be called inside `receive`.
    func cancel() {
        let active = state.withLock { state -> (UInt, Connection)? in
            defer { state = .ended }
            if case .active(let address, let connection) = state { return (address, connection) }
            return nil
        }
        if let (address, connection) = active { connection.end(address) }
    }
}
#endif
