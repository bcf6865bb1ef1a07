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
    private struct Member: Sendable {
        var lastHeard: DispatchTime
        var partitions: Set<Int>
    }

    private struct State: Sendable {
        var members: [String: Member] = [:]
        /// Who is to have each partition; nil if members have come or gone since.
        var owners: [String]?
        var running: [Int: any GroupRunning] = [:]
        /// When a partition may be taken over again that another worker has taken over, or that has failed.
        var pauses: [Int: DispatchTime] = [:]
        /// How often this worker has told that it is there.
        var beats = 0
        /// The connection is to be drained: told when all partitions are given up.
        var isDrained: (@Sendable () -> Void)?
        /// Whether it doesn't tell the others any more that it is there.
        var isGone = false
        var isEnded = false
    }

    typealias MakeRun =
        @Sendable (
            _ partition: Int, _ owner: String, _ ended: @escaping @Sendable (GroupRunEnd) -> Void
        ) -> any GroupRunning

    /// After how many heartbeats without a word a worker is gone.
    private static let silentBeats = 5

    private let connection: NATSConnection
    private let subject: String
    private let count: Int
    private let heartbeat: Duration
    private let id = Inbox.random()
    private let makeRun: MakeRun
    /// Called once, when the worker ends by itself.
    private let ended: @Sendable (NATSError?) -> Void
    private let state = Guarded(State())
    private let disposables = CompositeDisposable()

    /// One evaluation at a time. Runs begin and end on it, with nothing held.
    private let queue = QueueScheduler(name: "corinth.nats.worker")

    init(
        _ connection: NATSConnection, _ group: NATSGroup, partitions: Int, _ makeRun: @escaping MakeRun,
        ended: @escaping @Sendable (NATSError?) -> Void
    ) {
        self.connection = connection
        subject = "_CORINTH.groups.\(group.bucket).\(group.name)"
        count = partitions
        heartbeat = group.heartbeat
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

    var hasLastWork: Bool { state.withLock { !$0.running.isEmpty } }

    /// Stores all states, and gives all partitions up.
    func doLastWork(_ done: @escaping @Sendable () -> Void) {
        // On the queue, where no partition is being taken over.
        queue.schedule { [self] in
            let running = state.withLock { state -> [any GroupRunning]? in
                if state.isEnded { return nil }
                state.isDrained = done
                return Array(state.running.values)
            }
            guard let running else { return done() }
            for run in running { run.release() }
            leaveIfDrained()
        }
    }

    /// Lets the others take over at once.
    private func leaveIfDrained() {
        let isDrained = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.running.isEmpty else { return nil }
            if state.isDrained != nil { state.isGone = true }
            return state.isDrained.take()
        }
        guard let isDrained else { return }
        say("\(id) gone")
        isDrained()
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
        let partitions = state.withLock { $0.isGone ? nil : $0.running.keys.sorted() }
        guard let partitions else { return }
        say("\(id) \(partitions.map(String.init).joined(separator: ","))")
    }

    private func beat() {
        if connection.core.state.value == .connected { state.withLock { $0.beats += 1 } }
        tell()
        let limit = heartbeat * GroupWorker.silentBeats
        let now = DispatchTime.now()
        state.withLock { state in
            for (member, last) in state.members where last.lastHeard + limit.seconds <= now {
                state.members[member] = nil
                state.owners = nil
            }
        }
        evaluate()
    }

    private func receive(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] != id else { return }
        let other = String(parts[0])
        if parts[1] == "gone" {
            state.withLock { state in
                state.members[other] = nil
                state.owners = nil
            }
        } else {
            let partitions = Set(parts[1].split(separator: ",").compactMap { Int($0) })
            let before = state.withLock { state -> Member? in
                let before = state.members.updateValue(Member(lastHeard: .now(), partitions: partitions), forKey: other)
                if before == nil { state.owners = nil }
                return before
            }
            // It hasn't heard of this one yet.
            if before == nil { tell() }
            // Most say the same again.
            if before?.partitions == partitions { return }
        }
        evaluate()
    }

    // MARK: The partitions

    /// Who is to have each partition: each worker about as many, and few of them change when a worker comes or goes.
    ///
    /// - Complexity: O(partitions × workers).
    static func assignment(of count: Int, to workers: [String]) -> [String] {
        // Of equal weights, the last name wins.
        let workers = workers.sorted()
        let most = (count + workers.count - 1) / workers.count
        var loads = Array(repeating: 0, count: workers.count)
        return (0..<count).map { partition in
            var (best, heaviest) = (-1, UInt64(0))
            for (index, worker) in workers.enumerated() where loads[index] < most {
                let weight = weight(worker, partition)
                if best < 0 || weight >= heaviest { (best, heaviest) = (index, weight) }
            }
            guard best >= 0 else { preconditionFailure("no worker has a place for partition \(partition)") }
            loads[best] += 1
            return workers[best]
        }
    }

    private static func weight(_ worker: String, _ partition: Int) -> UInt64 {
        // FNV-1a, with its bits mixed.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(partition)
        for byte in worker.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15
    }

    private func evaluate() {
        let now = DispatchTime.now()
        let (surplus, missing) = state.withLock { state -> ([any GroupRunning], [Int]) in
            // The first heartbeat has asked the others to tell what they have.
            if state.isEnded || state.isGone || state.isDrained != nil || state.beats < 2 { return ([], []) }
            let owners = state.owners ?? GroupWorker.assignment(of: count, to: state.members.keys + [id])
            state.owners = owners
            let taken = state.members.values.reduce(into: Set<Int>()) { $0.formUnion($1.partitions) }
            let surplus = state.running.filter { owners[$0.key] != id }.values
            let missing = (0..<count).filter { partition in
                owners[partition] == id && state.running[partition] == nil && !taken.contains(partition)
                    && state.pauses[partition].map { $0 <= now } ?? true
            }
            return (Array(surplus), missing)
        }
        for run in surplus { run.release() }
        for partition in missing { takeOver(partition) }
        if !missing.isEmpty { tell() }
    }

    private func takeOver(_ partition: Int) {
        let run = makeRun(partition, id) { [weak self] end in
            self?.queue.schedule { self?.hasEnded(partition, end) }
        }
        let isUnused = state.withLock { state in
            if !state.isEnded { state.running[partition] = run }
            return state.isEnded
        }
        if isUnused { run.dispose() }
    }

    private func hasEnded(_ partition: Int, _ end: GroupRunEnd) {
        let run = state.withLock { state -> (any GroupRunning)? in
            switch end {
            case .replaced, .failed: state.pauses[partition] = .now() + heartbeat.seconds
            case .released, .completed: break
            }
            return state.running.removeValue(forKey: partition)
        }
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
        let ended = state.withLock { state -> (running: [any GroupRunning], isDrained: (@Sendable () -> Void)?)? in
            if state.isEnded { return nil }
            state.isEnded = true
            defer { state.running = [:] }
            return (Array(state.running.values), state.isDrained.take())
        }
        guard let ended else { return false }
        for run in ended.running { run.dispose() }
        ended.isDrained?()
        disposables.dispose()
        return true
    }
}
#endif
