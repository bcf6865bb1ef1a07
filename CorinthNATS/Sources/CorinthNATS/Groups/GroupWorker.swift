#if NATS
internal import Corinth
internal import Dispatch
internal import Foundation

/// One start of a group: a worker, which shares the partitions with the others.
///
/// The workers tell each other on a subject that they are there, and which partitions they have. Each computes by itself who is to
/// have which, from the same list. It gives up what it isn't to have, and takes over what nobody has any more. If two workers
/// believe that they have the same partition, as when one hears nothing for a while, the first that stores its state on top of a
/// revision that isn't the newest learns it.
final class GroupWorker: ConnectionMember {
    typealias MakeRun =
        @Sendable (
            _ partition: Int, _ owner: String, _ ended: @escaping @Sendable (GroupRunEnd) -> Void
        ) -> any GroupRunning

    private let connection: NATSConnection
    private let subject: String
    private let heartbeat: Duration
    private let id = Inbox.random()
    private let makeRun: MakeRun
    /// Called once, when the worker ends by itself.
    private let ended: @Sendable (NATSError?) -> Void
    private let state: Guarded<GroupState<any GroupRunning>>
    private let disposables = CompositeDisposable()

    /// One evaluation at a time. Runs begin and end on it, with nothing held.
    private let queue = QueueScheduler(name: "corinth.nats.worker")

    init(
        _ connection: NATSConnection, _ group: NATSGroup, partitions: Int, _ makeRun: @escaping MakeRun,
        ended: @escaping @Sendable (NATSError?) -> Void
    ) {
        self.connection = connection
        subject = "_CORINTH.groups.\(group.bucket).\(group.name)"
        heartbeat = group.heartbeat
        state = Guarded(GroupState(id: id, count: partitions, heartbeat: UInt64(group.heartbeat.nanoseconds)))
        self.makeRun = makeRun
        self.ended = ended
    }

    func start() {
        let (core, number) = (connection.core, connection.core.attach(self))
        disposables += AnyDisposable { core.detach(number) }
        disposables += connection.messages(on: subject).start(
            Signal<NATSMessage, NATSError>.Observer(
                value: { [weak self] message in
                    let text = String(decoding: message.data, as: UTF8.self)
                    self?.queue.schedule { self?.receive(text) }
                },
                failed: { [weak self] error in self?.finish(error) },
                completed: { [weak self] in self?.finish(nil) }))
        disposables += queue.schedule(after: heartbeat, interval: heartbeat) { [weak self] in self?.beat() }
    }

    /// Ends at once. What wasn't stored is handled again by another worker.
    func cancel() {
        guard end() else { return }
        say("\(id) gone")
    }

    // MARK: The connection

    func connectionHasOpened() {}

    // The heartbeats end.
    func connectionHasClosed(_ reason: NATSError?) {}

    var hasLastWork: Bool { state.withLock { $0.hasRuns } }

    /// Stores all states, and gives all partitions up.
    func doLastWork(_ done: @escaping @Sendable () -> Void) {
        // On the queue, where no partition is being taken over.
        queue.schedule { [self] in
            guard let running = state.withLock({ $0.drain(done) }) else { return done() }
            for run in running { run.release() }
            leaveIfDrained()
        }
    }

    /// Lets the others take over at once.
    private func leaveIfDrained() {
        guard let done = state.withLock({ $0.hasDrained() }) else { return }
        say("\(id) gone")
        done()
    }

    // MARK: The others

    private func say(_ text: String) {
        do throws(NATSError) {
            try connection.publish(Data(text.utf8), to: subject)
        } catch .notYetConnected, .disconnected, .closed {
            // Others take over if this lasts.
        } catch {
            connection.core.report(error)
        }
    }

    /// Tells the others which partitions this worker has.
    private func tell() {
        guard let partitions = state.withLock({ $0.announced }) else { return }
        say("\(id) \(partitions.map(String.init).joined(separator: ","))")
    }

    private func beat() {
        tell()
        let (now, isConnected) = (DispatchTime.now().uptimeNanoseconds, connection.core.state.value == .connected)
        state.withLock { $0.beat(at: now, isConnected: isConnected) }
        for (partition, run) in state.withLock({ $0.runs }) {
            guard let error = run.stuck(at: now), run.dispose() else { continue }
            state.withLock { $0.noteStuck(partition) }
            hasEnded(partition, .failed(error))
        }
        evaluate()
    }

    private func receive(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] != id else { return }
        let other = String(parts[0])
        if parts[1] == "gone" {
            state.withLock { $0.forget(other) }
        } else {
            let partitions = Set(parts[1].split(separator: ",").compactMap { Int($0) })
            let now = DispatchTime.now().uptimeNanoseconds
            let (isNew, isKnown) = state.withLock { $0.hear(other, partitions, at: now) }
            // It hasn't heard of this one yet.
            if isNew { tell() }
            // Most say the same again.
            if isKnown { return }
        }
        evaluate()
    }

    // MARK: The partitions

    private func evaluate() {
        let now = DispatchTime.now().uptimeNanoseconds
        let (surplus, missing) = state.withLock { $0.evaluate(at: now) }
        for run in surplus { run.release() }
        for partition in missing { takeOver(partition) }
        if !missing.isEmpty { tell() }
    }

    private func takeOver(_ partition: Int) {
        let run = makeRun(partition, state.withLock { $0.owner(of: partition) }) { [weak self] end in
            self?.queue.schedule { self?.hasEnded(partition, end) }
        }
        if !state.withLock({ $0.add(run, for: partition) }) { run.dispose() }
    }

    private func hasEnded(_ partition: Int, _ end: GroupRunEnd) {
        let pauses =
            switch end {
            case .replaced, .failed: true
            case .released, .completed: false
            }
        let now = DispatchTime.now().uptimeNanoseconds
        let run = state.withLock { $0.remove(partition, pauses: pauses, at: now) }
        withExtendedLifetime(run) {}
        switch end {
        case .released, .replaced:
            leaveIfDrained()
            tell()
            evaluate()
        // The heartbeats complete, too. Storing fails if the program closes the connection at the same time.
        case .completed, .failed(.closed): break
        // The other partitions go on. A heartbeat takes this one over again.
        case .failed(let error) where error.mayPass:
            connection.core.report(error)
            leaveIfDrained()
            tell()
        case .failed(let error): finish(error)
        }
    }

    // MARK: The end

    private func finish(_ error: NATSError?) {
        guard end() else { return }
        say("\(id) gone")
        ended(error)
    }

    private func end() -> Bool {
        guard let (running, done) = state.withLock({ $0.end() }) else { return false }
        for run in running { run.dispose() }
        done?()
        disposables.dispose()
        return true
    }
}
#endif
