#if NATS
internal import CNATS

/// The callbacks of connections. libnats calls them on threads of its own, and may do so at any time after the end of a
/// connection. So what it passes to them isn't a reference but a number, and a table finds the connection if it exists.
enum ConnectionCallbacks {
    private struct Entry: Sendable {
        weak let core: ConnectionCore?
        let subscriptions: SubscriptionTable
    }

    private struct Table: Sendable {
        var entries: [UInt: Entry] = [:]
        var last: UInt = 0
    }

    private static let table = Guarded(Table())

    /// Enters a connection. Returns its number, which isn't 0, and is known until `closed` is called or it is removed.
    static func add(_ core: ConnectionCore) -> UInt {
        table.withLock { table in
            table.last += 1
            table.entries[table.last] = Entry(core: core, subscriptions: core.subscriptions)
            return table.last
        }
    }

    /// For a connection that libnats has never made.
    static func remove(_ number: UInt) { _ = take(number) }

    private static func take(_ number: UInt) -> Entry? {
        table.withLock { table in table.entries.removeValue(forKey: number) }
    }

    private static func core(_ closure: UnsafeMutableRawPointer?) -> ConnectionCore? {
        let number = UInt(bitPattern: closure)
        return table.withLock { table in table.entries[number]?.core }
    }

    /// The connection was lost, or was made again.
    static let changed: natsConnectionHandler = { _, closure in unsafe core(closure)?.refresh() }

    /// Called once for each connection, after its thread that reads has ended. Nothing else tells that: even
    /// `natsConnection_Destroy` doesn't wait for that thread if libnats is closing the connection already.
    static let closed: natsConnectionHandler = { _, closure in
        guard let entry = take(UInt(bitPattern: closure)) else { return }
        entry.subscriptions.close()
        entry.core?.libraryHasClosed()
    }

    static let failed: natsErrHandler = { connection, subscription, status, closure in
        guard let core = unsafe core(closure) else { return }
        if status == NATS_SLOW_CONSUMER {
            // Not touched: until version 3.7.0 of libnats, it may have been freed.
            let known = core.subscriptions[UInt(bitPattern: subscription)]
            core.report(
                .slowConsumer(
                    subject: known?.subject ?? "a subscription that has ended", dropped: known?.droppedCount ?? 0))
        } else {
            core.report(unsafe lastError(of: connection, status))
        }
    }

    /// The pause before the next attempt, in milliseconds. Called after all servers were tried.
    static let pause: natsCustomReconnectDelayHandler = { _, attempts, closure in
        unsafe core(closure)?.options.pause(after: Int(attempts)) ?? 1000
    }

    /// The last error that a connection reports, with its text.
    static func lastError(of connection: OpaquePointer?, _ status: natsStatus) -> NATSError {
        var text: UnsafePointer<CChar>?
        let last = unsafe natsConnection_GetLastError(connection, &text)
        let known = status == NATS_OK ? last : status
        return .of(known, unsafe text.map { unsafe String(cString: $0) } ?? "")
    }
}
#endif
