#if NATS
internal import CNATS

/// The subscriptions of a connection, as libnats has them.
///
/// The thread of libnats that reads from the server finds a subscription in a table, and locks it after it has left the table: until
/// version 3.6.1, it may be freed in between. So one that has ended is kept until the server has answered something that was sent
/// after its end, because by then, that thread has passed everything that came for it; or until libnats has told that the connection
/// is closed, because by then, that thread has ended. `natsConnection_IsClosed` is true before that.
final class SubscriptionTable: Sendable {
    private struct Entry: Sendable { weak let subscription: LibrarySubscription? }

    private struct State: Sendable {
        var active: [UInt: Entry] = [:]
        /// Those that have ended, the oldest first.
        var ended: [UInt] = []
        var isWaiting = false
        var isClosed = false
    }

    private let state = Guarded(State())

    func add(_ address: UInt, _ subscription: LibrarySubscription) {
        state.withLock { $0.active[address] = Entry(subscription: subscription) }
    }

    /// The subscription at an address that may not be valid any more.
    subscript(address: UInt) -> LibrarySubscription? { state.withLock { $0.active[address]?.subscription } }

    /// Takes over a subscription that has ended. Frees it at once if the connection is gone.
    func end(_ address: UInt) {
        let isClosed = state.withLock { state in
            state.active[address] = nil
            if !state.isClosed { state.ended.append(address) }
            return state.isClosed
        }
        if isClosed { unsafe natsSubscription_Destroy(OpaquePointer(bitPattern: address)) }
    }

    /// Whether the caller is to wait for an answer of the server, because subscriptions have ended and nobody does.
    func beginsWaiting() -> Bool {
        state.withLock { state in
            if state.isWaiting || state.ended.isEmpty { return false }
            state.isWaiting = true
            return true
        }
    }

    /// How many have ended.
    var endedCount: Int { state.withLock { $0.ended.count } }

    /// Frees some of those that have ended.
    ///
    /// - Returns: Whether there are more. If not, nobody waits any more.
    func free(_ count: Int) -> Bool {
        let (freed, isWaiting) = state.withLock { state -> ([UInt], Bool) in
            let freed = Array(state.ended.prefix(count))
            state.ended.removeFirst(freed.count)
            state.isWaiting = !state.ended.isEmpty
            return (freed, state.isWaiting)
        }
        for address in freed { unsafe natsSubscription_Destroy(OpaquePointer(bitPattern: address)) }
        return isWaiting
    }

    /// The thread that reads has ended, because the connection is closed.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = free(.max)
    }
}
#endif
