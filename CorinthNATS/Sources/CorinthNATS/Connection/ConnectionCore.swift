#if NATS
internal import CNATS
internal import Corinth
internal import Dispatch
internal import Foundation
internal import Synchronization

/// What depends on a connection: a subscription, or a table of pending requests.
///
/// The methods are called without a lock held, on any thread. Opening and closing happen at most once.
protocol ConnectionMember: AnyObject, Sendable {
    func connectionHasOpened()

    /// The connection was lost and made again. May be called more than once.
    func connectionHasReconnected()

    /// - Parameter reason: nil if the program has closed the connection.
    func connectionHasClosed(_ reason: NATSError?)

    /// Whether it has something to do before the connection is drained.
    var hasLastWork: Bool { get }

    /// The connection is to be drained. It still sends requests and receives replies until all members with last work have called
    /// `done`, or until the time is up.
    ///
    /// - Parameter done: To be called once, on any thread.
    func doLastWork(_ done: @escaping @Sendable () -> Void)
}

extension ConnectionMember {
    func connectionHasReconnected() {}
    var hasLastWork: Bool { false }
    func doLastWork(_ done: @escaping @Sendable () -> Void) { done() }
}

/// A connection of libnats, its state, and what depends on it.
///
/// Members keep it alive, and it keeps them until they leave or it closes. Whoever releases it last may be on a thread of
/// libnats: the connection is destroyed on a queue of its own, because that blocks.
final class ConnectionCore: Sendable {
    let options: NATSOptions
    let state = MutableProperty(NATSConnectionState.connecting)
    let failures: Signal<NATSError, Never>

    /// For deadlines.
    let timers = QueueScheduler(name: "corinth.nats.timers")

    /// Ends when the connection closes.
    let lifetime: Lifetime

    private let token: Lifetime.Token
    private let failuresInput: Signal<NATSError, Never>.Observer
    private let phase = Guarded(ConnectionPhase<any ConnectionMember>())

    /// Closes the connection if it isn't made again in time.
    private let giveUpTimer = Guarded<(any Disposable)?>(nil)

    /// Runs the calls that block: connecting, flushing, closing. Serial.
    private let control = DispatchQueue(label: "corinth.nats.control")

    let subscriptions = SubscriptionTable()

    /// Waits until subscriptions that have ended may be freed. Serial.
    private let freeing = DispatchQueue(label: "corinth.nats.freeing")

    /// The connection of libnats, as bits; 0 before there is one. It is destroyed by the deinitialiser alone.
    private let handleBits = Synchronization.Atomic<UInt>(0)

    /// The same once a server has answered.
    private let connectedBits = Synchronization.Atomic<UInt>(0)
    private let undecodable = Synchronization.Atomic<Int>(0)
    private let deleted = Synchronization.Atomic<Int>(0)
    private let late = Synchronization.Atomic<Int>(0)
    private let numberBits = Synchronization.Atomic<UInt>(0)

    init(_ options: NATSOptions) {
        options.requireRanges()
        self.options = options
        (lifetime, token) = Lifetime.make()
        (failures, failuresInput) = Signal<NATSError, Never>.pipe(buffering: .dropNewest(capacity: 1024))
        // relaxed: published with the reference to the new object.
        numberBits.store(ConnectionCallbacks.add(self), ordering: .relaxed)
        control.async { self.open() }
    }

    deinit {
        let bits = handleBits.load(ordering: .acquiring)
        if bits == 0 {
            ConnectionCallbacks.remove(numberBits.load(ordering: .relaxed))
        } else {
            control.async { unsafe natsConnection_Destroy(OpaquePointer(bitPattern: bits)) }
        }
        giveUpTimer.withLock { $0.take() }?.dispose()
        state.value = .closed(phase.withLock { $0.reason })
        failuresInput.sendCompleted()
    }

    /// The connection of libnats; nil before there is one. Valid while this object is.
    var handle: OpaquePointer? {
        // acquiring: observes the connection that `adopt(_:)` publishes.
        unsafe OpaquePointer(bitPattern: handleBits.load(ordering: .acquiring))
    }

    /// The same once the state has been connected.
    var connectedHandle: OpaquePointer? {
        // acquiring: as in `handle`.
        unsafe OpaquePointer(bitPattern: connectedBits.load(ordering: .acquiring))
    }

    // MARK: Members

    /// Adds a member, and tells it at once if the connection has opened or closed. Members that wait for the connection are told
    /// in the order in which they were added.
    func attach(_ member: any ConnectionMember) -> UInt64 {
        let (number, admission) = phase.withLock { $0.attach(member) }
        switch admission {
        case .waits: break
        case .open: member.connectionHasOpened()
        case .closed(let reason): member.connectionHasClosed(reason)
        }
        return number
    }

    func detach(_ number: UInt64) {
        // Released after the lock: the last reference may be in it.
        let member = phase.withLock { $0.detach(number) }
        withExtendedLifetime(member) {}
    }

    // MARK: The beginning

    private func open() {
        if phase.withLock({ $0.isClosed }) { return }
        do throws(NATSError) {
            let number = unsafe UnsafeMutableRawPointer(bitPattern: numberBits.load(ordering: .relaxed))
            let libraryOptions = unsafe try options.makeLibraryOptions(number!)
            var connection: OpaquePointer?
            let status = unsafe natsConnection_Connect(&connection, libraryOptions)
            unsafe natsOptions_Destroy(libraryOptions)
            guard status == NATS_OK || status == NATS_NOT_YET_CONNECTED, let connection = unsafe connection else {
                throw options.error(of: status)
            }
            unsafe adopt(connection)
        } catch {
            finish(error)
        }
    }

    private func adopt(_ connection: OpaquePointer) {
        // releasing: publishes the connection. Pairs with the load in `handle`.
        handleBits.store(UInt(bitPattern: connection), ordering: .releasing)
        if phase.withLock({ $0.isClosed }) { return unsafe natsConnection_Close(connection) }
        refresh()
    }

    /// Tells the members, once a server has answered.
    private func openMembers() {
        while true {
            let members = phase.withLock { $0.openNext() }
            if members.isEmpty { return }
            for member in members { member.connectionHasOpened() }
        }
    }

    // MARK: Changes

    /// Reads the state from libnats. Its callbacks may come late, so what they say isn't what counts.
    func refresh() {
        guard let handle = unsafe handle else { return }
        if unsafe natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED {
            // releasing: as in `adopt(_:)`. Stored before the state says so.
            let before = connectedBits.exchange(UInt(bitPattern: handle), ordering: .releasing)
            if before == 0 { control.async { self.openMembers() } }
        }
        let isBack = state.modify { state -> Bool in
            let before = state
            if case .closed = state { return false }
            // Read in here, so that the last change is the newest.
            switch unsafe natsConnection_Status(handle) {
            case _ where phase.withLock({ $0.isDraining }): state = .draining
            case NATS_CONN_STATUS_CONNECTED: if unsafe connectedHandle != nil { state = .connected }
            case NATS_CONN_STATUS_DRAINING_SUBS, NATS_CONN_STATUS_DRAINING_PUBS: state = .draining
            case NATS_CONN_STATUS_CLOSED: break
            default: if state != .connecting { state = .reconnecting }
            }
            return before == .reconnecting && state == .connected
        }
        if isBack {
            control.async {
                for member in self.phase.withLock({ $0.openMembers }) { member.connectionHasReconnected() }
            }
        }
        unsafe watch(handle)
    }

    /// Begins or ends the time after which the connection is given up.
    private func watch(_ handle: OpaquePointer) {
        guard let time = options.reconnection.giveUpAfter else { return }
        let isLost =
            switch unsafe natsConnection_Status(handle) {
            case NATS_CONN_STATUS_CONNECTED, NATS_CONN_STATUS_CLOSED: false
            case NATS_CONN_STATUS_DRAINING_SUBS, NATS_CONN_STATUS_DRAINING_PUBS: false
            default: true
            }
        let needsTimer = isLost && giveUpTimer.withLock { $0 == nil } && !phase.withLock { $0.isClosed }
        if needsTimer {
            let timer = timers.schedule(after: timers.currentDate.addingTimeInterval(time.seconds)) { [weak self] in
                self?.giveUp(after: time)
            }
            let unused = giveUpTimer.withLock { current -> (any Disposable)? in
                if current != nil { return timer }
                current = timer
                return nil
            }
            unused?.dispose()
            // It may have closed meanwhile.
            if phase.withLock({ $0.isClosed }) { giveUpTimer.withLock { $0.take() }?.dispose() }
        } else if !isLost {
            giveUpTimer.withLock { $0.take() }?.dispose()
        }
    }

    private func giveUp(after time: Duration) {
        guard let handle = unsafe handle else { return }
        if unsafe natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED {
            giveUpTimer.withLock { $0 = nil }
            return
        }
        phase.withLock { $0.giveUp(.unreachable("\(options.serversInWords), for \(time)")) }
        control.async { if let handle = unsafe self.handle { unsafe natsConnection_Close(handle) } }
    }

    func report(_ error: NATSError) { _ = failuresInput.trySend(value: error) }

    // MARK: The end

    /// Closes the connection. Everything that depends on it ends.
    func close() {
        phase.withLock { $0.ask() }
        // If it is still connecting, that goes on until its deadline, and its result is closed then.
        if unsafe handle == nil { finish(nil) }
        control.async { if let handle = unsafe self.handle { unsafe natsConnection_Close(handle) } }
    }

    /// Lets the members do their last work, drains the connection, then closes it.
    func drain(within time: Duration) {
        let workers: [any ConnectionMember]
        switch phase.withLock({ $0.drain() }) {
        case .begun: return
        case .notOpen: workers = []
        case .members(let members): workers = members.filter(\.hasLastWork)
        }
        if workers.isEmpty { return drainLibrary(within: time) }
        refresh()
        let limit = DispatchTime.now() + time.seconds
        let timer = SerialDisposable()
        // Once: when all are done, or when the time is up.
        let end = AnyDisposable { [self] in
            timer.dispose()
            let left = Double(limit.uptimeNanoseconds) - Double(DispatchTime.now().uptimeNanoseconds)
            drainLibrary(within: .nanoseconds(Int64(max(left, 1_000_000))))
        }
        timer.inner = timers.schedule(after: timers.currentDate.addingTimeInterval(time.seconds)) { end.dispose() }
        let group = DispatchGroup()
        for worker in workers {
            group.enter()
            worker.doLastWork { group.leave() }
        }
        group.notify(queue: DispatchQueue(label: "corinth.nats.drain")) { end.dispose() }
    }

    private func drainLibrary(within time: Duration) {
        guard let handle = unsafe handle else { return close() }
        let status = unsafe natsConnection_DrainTimeout(handle, time.milliseconds)
        // Without a server there is nothing to drain.
        if status != NATS_OK, status != NATS_DRAINING { close() }
        refresh()
    }

    /// Waits until the server has received everything. Calls `end` on a queue.
    func flush(within time: Duration, then end: @escaping @Sendable (NATSError?) -> Void) {
        control.async {
            guard let handle = unsafe self.handle else { return end(.notYetConnected) }
            let status = unsafe natsConnection_FlushTimeout(handle, time.milliseconds)
            end(status == NATS_OK ? nil : .of(status, "flush"))
        }
    }

    // MARK: Subscriptions

    /// Frees a subscription that has ended, once that is safe.
    func free(_ subscription: UInt) {
        subscriptions.end(subscription)
        if subscriptions.beginsWaiting() { freeing.async { [weak self] in self?.freeSubscriptions() } }
    }

    /// Called on ``freeing``, until none are left.
    private func freeSubscriptions() {
        guard let handle = unsafe handle else { return }
        let count = subscriptions.endedCount
        // With a server that answers nothing, this keeps the connection for a second. If the connection is closed, it returns at
        // once, and the table is told when the thread that reads has ended, which may be later.
        let hasAnswered = unsafe natsConnection_FlushTimeout(handle, 1000) == NATS_OK
        if subscriptions.free(hasAnswered ? count : 0) {
            freeing.asyncAfter(deadline: .now() + .milliseconds(hasAnswered ? 1 : 100)) { [weak self] in
                self?.freeSubscriptions()
            }
        }
    }

    /// libnats has closed the connection, and delivers no more for it.
    func libraryHasClosed() {
        let (isRequested, reason) = phase.withLock { ($0.isAsked, $0.reason) }
        if isRequested { return finish(nil) }
        finish(unsafe reason ?? ConnectionCallbacks.lastError(of: handle, NATS_OK))
    }

    private func finish(_ reason: NATSError?) {
        guard let members = phase.withLock({ $0.close(reason) }) else { return }
        giveUpTimer.withLock { $0.take() }?.dispose()
        token.dispose()
        state.value = .closed(reason)
        for member in members { member.connectionHasClosed(reason) }
        failuresInput.sendCompleted()
    }

    // MARK: Statistics

    func countUndecodable() {
        // relaxed: a count that publishes nothing.
        undecodable.wrappingAdd(1, ordering: .relaxed)
    }

    func countDeleted() {
        // relaxed: as in `countUndecodable()`.
        deleted.wrappingAdd(1, ordering: .relaxed)
    }

    func countLate() {
        // relaxed: as in `countUndecodable()`.
        late.wrappingAdd(1, ordering: .relaxed)
    }

    var statistics: NATSStatistics {
        var result = NATSStatistics()
        result.undecodable = undecodable.load(ordering: .relaxed)
        result.deleted = deleted.load(ordering: .relaxed)
        result.late = late.load(ordering: .relaxed)
        var statistics: OpaquePointer?
        guard let handle = unsafe handle, unsafe natsStatistics_Create(&statistics) == NATS_OK else { return result }
        defer { unsafe natsStatistics_Destroy(statistics) }
        var (inMessages, inBytes) = (UInt64(0), UInt64(0))
        var (outMessages, outBytes, reconnections) = (UInt64(0), UInt64(0), UInt64(0))
        guard unsafe natsConnection_GetStats(handle, statistics) == NATS_OK,
            unsafe natsStatistics_GetCounts(
                statistics, &inMessages, &inBytes, &outMessages, &outBytes, &reconnections) == NATS_OK
        else { return result }
        result.messagesIn = Int(inMessages)
        result.bytesIn = Int(inBytes)
        result.messagesOut = Int(outMessages)
        result.bytesOut = Int(outBytes)
        result.reconnections = Int(reconnections)
        return result
    }
}
#endif
