#if NATS
internal import Corinth
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Why a worker has no partition any more.
enum GroupRunEnd: Sendable {
    /// It was asked to give it up, and has stored its state.
    case released
    /// Another worker has taken it over.
    case replaced
    case completed
    case failed(NATSError)
}

/// What a worker needs from the run of a partition.
protocol GroupRunning: Sendable {
    /// Stores the state, and ends.
    func release()
    /// Ends at once.
    ///
    /// - Returns: Whether it hadn't ended, so that its owner isn't told.
    @discardableResult func dispose() -> Bool

    /// The message from which its handler doesn't return, if it has one.
    ///
    /// - Parameter now: The uptime in nanoseconds.
    func stuck(at now: UInt64) -> NATSError?
}

/// Why a message is not a part of the state.
struct LeftOut: Sendable {
    let reason: String
    /// Whether it came after the end of a window, and is a part of the others.
    let isLate: Bool

    init(_ reason: String, isLate: Bool = false) {
        self.reason = reason
        self.isLate = isLate
    }
}

/// What a group does with the messages of a partition. Its owner serialises the calls.
protocol PartitionTable {
    /// All messages up to this sequence were handled.
    var position: UInt64 { get }
    /// The newest date, in milliseconds since 1970.
    var newest: Int64 { get }

    /// Reads what was stored, and sends it.
    mutating func restore(_ claim: SnapshotStore.Claim, from store: SnapshotStore) throws(NATSError)

    /// Handles a message. Returns why not, unless it did.
    mutating func apply(_ delivery: NATSDelivery) -> LeftOut?

    /// Takes a message for handled.
    mutating func skip(to sequence: UInt64)

    /// There has been no message for so long, while the server said that there is none. Returns whether there is something to store.
    mutating func hasRested(for time: Duration) -> Bool

    /// What is to be stored. What the last snapshot has is stored by now.
    mutating func snapshot() throws -> PartitionSnapshot

    /// What is to be published before the last snapshot is stored, in this order.
    mutating func takeOutgoing() -> [NATSOutgoing]
}

/// What a table stores at a time.
struct PartitionSnapshot {
    /// A part of the state: what it has of a key replaces what those before have.
    var bytes = Data()
    /// How many parts, which this owner has stored, stay a part of the state.
    var kept = 0
    /// Sends what has changed, once it is stored.
    var send: @Sendable () -> Void = {}
}

extension PartitionTable {
    mutating func takeOutgoing() -> [NATSOutgoing] { [] }
}

/// One partition of a group, while a worker has it: it reads what was stored, handles messages, and stores the position.
///
/// Everything goes through one signal, and then through a queue, whose strand owns the mutable fields.
final class GroupRun: GroupRunning, @unchecked Sendable {
    /// Rare ones are indirect, so that a delivery is copied as one reference.
    private enum Event: Sendable {
        indirect case claimed(SnapshotStore.Claim)
        case delivery(NATSDelivery)
        /// There are no messages up to this sequence that haven't come.
        case idle(UInt64)
        case stored(UInt64)
        case tick, release
        /// It may handle messages, while a run of this process suspects one.
        case turn
        /// What the stream has that isn't the one of the history.
        indirect case found(JSONValue)
        indirect case end(GroupRunEnd)
    }

    private enum Phase {
        /// It takes the partition over, and reads what was stored.
        case claiming
        case working
        /// It was asked to give the partition up: what isn't stored is, and nothing more is handled.
        case releasing
        /// The stream has another history, so another position is stored, with which this worker or another one begins. Nothing more of
        /// this stream is handled, and what isn't stored isn't.
        case recovering(Recovering)
        case ended
    }

    private enum Recovering {
        /// It asks what the stream has.
        case asking
        /// It knows that, and a state is being stored. The head may be that one's already.
        case waiting(JSONValue)
        case storing
    }

    /// A write that is on its way. There is one at a time.
    private struct Write {
        /// Sends what has changed, behind it.
        let send: @Sendable () -> Void
        /// A message that is handled behind it.
        let attempted: NATSDelivery?
    }

    /// Of handling messages, while a run of this process suspects one.
    private enum Turn { case none, awaited, held }

    private let jetStream: JetStream
    private let group: NATSGroup
    private let partitions: NATSPartitions
    private let partition: Int
    /// When the stream was made.
    private let created: String
    private let store: SnapshotStore
    private let ended: @Sendable (GroupRunEnd) -> Void
    private let input: Signal<Event, Never>.Observer
    private let disposables = CompositeDisposable()

    /// Whether its owner knows that it has ended.
    private let isOver = Synchronization.Atomic(false)

    /// When the handler was called that hasn't returned, as uptime in nanoseconds. 0 if there is none.
    private let handlingSince = Synchronization.Atomic<UInt64>(0)
    private let handled = Synchronization.Atomic<UInt64>(0)

    /// The store in progress, one at a time. Not an entry of the composite for each: a partition stores for as long as it runs.
    private let committing = SerialDisposable()

    /// Handlers and encoding may take long: they don't run on the thread that receives all replies, or on the queue of the deadlines.
    private let queue = QueueScheduler(name: "corinth.nats.partition")

    // Owned by the strand of what is observed there.
    private var phase = Phase.claiming
    private var table: any PartitionTable
    private var head = SnapshotStore.Head()
    private var revision: UInt64 = 0
    private var history = StreamHistory()
    private var epoch: UInt64 = 0
    /// There are no messages up to this sequence that weren't handled.
    private var horizon: UInt64 = 0
    /// For how long the server has said since the last message that there is none.
    private var rested: Duration = .zero
    private var lastHeard = ContinuousClock.now
    /// How many ticks ago something was stored.
    private var idleTicks = 0
    /// Chunks of earlier epochs are deleted.
    private var oldestEpoch: UInt64 = 0
    private var unstored = 0
    /// What was left out of them, until it is published.
    private var letters: [SignalProducer<NATSPublication, NATSError>] = []
    /// How many messages are handled one by one, because owners before this one have died, perhaps of one of them.
    private var careful = 0
    private var write: Write?
    /// What has arrived, and is handled behind the write, so that as much isn't stored as may be, or in the next turn. The places bound
    /// it.
    private var waiting: [NATSDelivery] = []
    private var turn = Turn.none
    /// Whether it has the turn for a message that it has said to begin, and of which it hasn't stored yet what became.
    private var isAttempting = false
    private let suspect = Suspicion.Run()

    init(
        _ jetStream: JetStream, _ group: NATSGroup, _ partitions: NATSPartitions, createdAt created: String,
        _ partition: Int, owner: String, _ table: sending any PartitionTable,
        ended: @escaping @Sendable (GroupRunEnd) -> Void
    ) {
        self.jetStream = jetStream
        self.group = group
        self.partitions = partitions
        self.partition = partition
        self.created = created
        self.ended = ended
        self.table = table
        store = SnapshotStore(jetStream, group, of: partitions.stream, partition: partition, owner: owner)
        // The places of the deliveries are the bound.
        let (signal, input) = Signal<Event, Never>.pipe(buffering: .unbounded)
        self.input = input
        signal.named("\(group.name).\(partition)")
        disposables += signal.observe(on: queue, bufferingPolicy: .unbounded)
            .observeValues { [weak self] in self?.handle($0) }
        disposables += committing
        disposables += AnyDisposable { [suspect] in Suspicion.shared.leave(suspect) }
    }

    func start() {
        let input = input
        disposables += queue.schedule(
            after: group.snapshotWithin, interval: group.snapshotWithin
        ) { input.send(value: .tick) }
        disposables += store.claim().start(
            Signal<SnapshotStore.Claim, NATSError>.Observer(
                value: { input.send(value: .claimed($0)) }, failed: { input.send(value: .end(.failed($0))) }))
    }

    func release() {
        let input = input
        queue.schedule { input.send(value: .release) }
    }

    func dispose() -> Bool {
        // relaxed: only decides who tells.
        let isFirst = !isOver.exchange(true, ordering: .relaxed)
        disposables.dispose()
        return isFirst
    }

    func stuck(at now: UInt64) -> NATSError? {
        // relaxed: what the handler does isn't observed. A message that has just begun may be named in place of the one before.
        let since = handlingSince.load(ordering: .relaxed)
        guard let within = group.within, since > 0, since < now, now - since > UInt64(within.nanoseconds) else {
            return nil
        }
        return .stuck(subject: partitions.subject(of: partition), sequence: handled.load(ordering: .relaxed))
    }

    // MARK: On the strand

    private func handle(_ event: Event) {
        if case .ended = phase { return }
        switch event {
        case .claimed(let claim): begin(claim)
        case .delivery(let delivery):
            guard case .working = phase else { return }
            waiting.append(delivery)
            proceed()
        case .turn:
            turn = .held
            proceed()
        case .stored(let revision): hasStored(revision)
        case .idle(let sequence): rest(upTo: sequence)
        case .tick: tick()
        case .release: beginRelease()
        case .found(let info): recover(on: info)
        case .end(.failed(let error)) where error.isAboutHistory && group.recovery != .fail && hasClaimed:
            jetStream.connection.core.report(error)
            beginRecovery()
        case .end(let end): self.end(end)
        }
    }

    private var hasClaimed: Bool { if case .claiming = phase { false } else { true } }

    private func beginRelease() {
        switch phase {
        // Nothing is lost if the state isn't read yet.
        case .claiming: end(.released)
        case .working, .releasing:
            phase = .releasing
            releaseIfStored()
        case .recovering, .ended: break
        }
    }

    // MARK: Another history

    private func beginRecovery() {
        phase = .recovering(.asking)
        giveTurnBack()
        let input = input
        disposables += jetStream.persistently(jetStream.call("STREAM.INFO.\(partitions.stream)")).start(
            Signal<JSONValue, NATSError>.Observer(
                value: { input.send(value: .found($0)) }, failed: { input.send(value: .end(.failed($0))) }))
    }

    /// Stores another position, with which this worker or another one begins.
    private func recover(on info: JSONValue) {
        if write != nil { return phase = .recovering(.waiting(info)) }
        let start: NATSGroup.Start
        switch group.recovery {
        case .fail: return
        case .goOn(let from): start = from
        case .beginAnew(let from):
            start = from
            head.snapshot = SnapshotStore.Snapshot()
        }
        guard let position = start.position(in: info) else {
            return end(.failed(.stateLost(subject: group.subject(of: partition), position: 0)))
        }
        phase = .recovering(.storing)
        head.snapshot.position = position
        head.snapshot.history = StreamHistory(created: info["created"]?.stringValue ?? "")
        head.previous = nil
        head.claims = 0
        head.attempt = nil
        commit(store.store(head, over: revision))
    }

    private func begin(_ claim: SnapshotStore.Claim) {
        var claim = claim
        if claim.head.snapshot.history.created.isEmpty { claim.head.snapshot.history.created = created }
        if let loss = claim.loss { jetStream.connection.core.report(loss.error) }
        do throws(NATSError) {
            try table.restore(claim, from: store)
        } catch {
            return end(.failed(error))
        }
        phase = .working
        head = claim.head
        revision = claim.revision
        epoch = claim.revision
        history = head.snapshot.history
        if head.claims > Self.fruitlessClaims || head.attempt != nil {
            careful = 2 * group.snapshotEvery
            Suspicion.shared.begin(suspect)
        }
        let input = input
        disposables += jetStream.ordered(
            of: partitions.stream, on: partitions.subject(of: partition), from: .after(claim.head.snapshot.position),
            history, places: group.places, idle: { input.send(value: .idle($0)) }
        )
        .start(
            Signal<NATSDelivery, NATSError>.Observer(
                value: { input.send(value: .delivery($0)) }, failed: { input.send(value: .end(.failed($0))) },
                completed: { input.send(value: .end(.completed)) }))
    }

    /// Handles what has arrived, as far as that may be.
    private func proceed() {
        storeIfFull()
        guard case .working = phase, !waiting.isEmpty else { return giveTurnBack() }
        if careful > 0 {
            if write != nil { return }
            if turn != .held { return askForTurn() }
            return attempt(waiting.removeFirst())
        }
        if turn != .held, Suspicion.shared.isOn { return askForTurn() }
        var count = 0
        while case .working = phase, count < waiting.count, unstored < group.snapshotEvery {
            handle(waiting[count])
            count += 1
            storeIfFull()
        }
        waiting.removeFirst(count)
        giveTurnBack()
    }

    /// So what is handled again after a death is bounded, however long storing takes.
    private func storeIfFull() {
        if case .working = phase, unstored >= group.snapshotEvery { storeState() }
    }

    private func askForTurn() {
        if turn != .none { return }
        turn = .awaited
        let input = input
        Suspicion.shared.askForTurn(suspect) { input.send(value: .turn) }
    }

    private func giveTurnBack() {
        guard turn == .held else { return }
        turn = .none
        Suspicion.shared.giveTurnBack(suspect)
    }

    /// One of the messages that are handled one by one is behind this run, or there is none.
    private func trust(_ count: Int = 1) {
        guard careful > 0 else { return }
        careful -= count
        if careful == 0 { Suspicion.shared.end(suspect) }
    }

    private func rest(upTo sequence: UInt64) {
        guard case .working = phase, waiting.isEmpty else { return }
        horizon = max(horizon, sequence)
        let now = ContinuousClock.now
        // While the server says nothing, nobody knows whether there are messages.
        rested += min(now - lastHeard, PullStart.heartbeat)
        lastHeard = now
        if write != nil || unstored > 0 { return }
        // What others have died of was stored by then.
        trust(careful)
        if table.hasRested(for: rested) { storeState() }
    }

    private func handle(_ delivery: NATSDelivery) {
        (rested, lastHeard) = (.zero, .now)
        if group.within != nil {
            // relaxed: as in `stuck(at:)`.
            handled.store(delivery.sequence, ordering: .relaxed)
            handlingSince.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
        }
        let leftOut = table.apply(delivery)
        handlingSince.store(0, ordering: .relaxed)
        if let leftOut { leave(delivery, out: leftOut) }
        hasHandled(delivery)
    }

    private func hasHandled(_ delivery: NATSDelivery) {
        (history.sequence, history.time) = (delivery.sequence, delivery.storedAt)
        unstored += 1
    }

    /// Publishes it with the next state that is stored, and so at least once.
    private func leave(_ delivery: NATSDelivery, out leftOut: LeftOut) {
        guard let subject = leftOut.isLate ? group.lateOutput : group.deadLetters else { return }
        let reader = group.reader(of: partitions)
        letters.append(jetStream.publishLetter(of: delivery, by: reader, to: subject, because: leftOut.reason))
    }

    // MARK: Messages that kill

    /// How many owners in a row may end without having stored anything before one takes care.
    private static var fruitlessClaims: Int { 2 }

    /// After how many deaths a message is set aside.
    private static var deaths: Int { 2 }

    /// Handles a message alone: its number is stored before, and the state behind it. So the next owner knows of what this one has died.
    private func attempt(_ delivery: NATSDelivery) {
        let suspects = head.suspects(of: delivery.sequence)
        if suspects.count >= Self.deaths {
            let reason = "\(suspects.count) workers have died of it"
            leave(delivery, out: LeftOut(reason))
            table.skip(to: delivery.sequence)
            hasHandled(delivery)
            trust()
            // It takes long, and calls no handler.
            giveTurnBack()
            return storeState(behind: setAside(delivery, because: reason))
        }
        isAttempting = true
        head.begin(delivery.sequence)
        commit(store.store(head, over: revision), attempting: delivery)
    }

    /// Waits for as long as a worker is silent that is gone. One that was replaced, and lives, takes the partition back meanwhile.
    private func setAside(_ delivery: NATSDelivery, because reason: String) -> SignalProducer<Never, NATSError> {
        let core = jetStream.connection.core
        let error = NATSError.undecodable(subject: delivery.subject, sequence: delivery.sequence, reason: reason)
        return SignalProducer<Never, NATSError>.empty.delay(group.silence.seconds, on: core.timers)
            .then(store.confirmOwner(revision))
            .on(completed: {
                core.report(error)
                core.countUndecodable()
            })
    }

    // MARK: Storing

    /// After this number of ticks without a message, the position is stored nevertheless. Otherwise it would stay where it is
    /// while the stream grows, and the stream would seem to have deleted what comes after it.
    private static var longestIdleTicks: Int { 60 }

    private func tick() {
        switch phase {
        case .working, .releasing: break
        case .claiming, .recovering, .ended: return
        }
        if unstored > 0 { return storeState() }
        idleTicks += 1
        guard write == nil, idleTicks >= Self.longestIdleTicks, horizon > head.snapshot.position else {
            return
        }
        head.snapshot.position = horizon
        head.snapshot.history = history
        commit(store.store(head, over: revision))
    }

    /// Stores the state, unless that is being done.
    ///
    /// - Parameter before: What has to complete first. nil if nothing has.
    private func storeState(behind before: SignalProducer<Never, NATSError>? = nil) {
        guard write == nil, let state = encode() else { return }
        unstored = 0
        let snapshot = SnapshotStore.Snapshot(
            position: max(table.position, horizon), history: history, newest: table.newest, epoch: epoch,
            commit: head.snapshot.commit + 1)
        var stores = store.store(state.bytes, keeping: state.kept, as: snapshot, in: &head, over: revision)
        let (jetStream, left, outgoing) = (jetStream, letters, table.takeOutgoing())
        letters = []
        if !outgoing.isEmpty {
            let published = SignalProducer<NATSOutgoing, NATSError>(outgoing)
                .published(to: jetStream, attempts: 2)
            // It waits for places, so it is an item of its own, behind this one. What was sent before has the same identifier.
            stores = jetStream.persistently(published).start(on: queue).then(stores)
        }
        if !left.isEmpty {
            stores = SignalProducer<SignalProducer<NATSPublication, NATSError>, NATSError>(left)
                .flatMap(.concurrent(limit: 16)) { jetStream.persistently($0) }
                .then(stores)
        }
        if let before { stores = before.then(stores) }
        commit(stores, then: state.send)
    }

    private func commit(
        _ stores: SignalProducer<UInt64, NATSError>, attempting attempted: NATSDelivery? = nil,
        then send: @escaping @Sendable () -> Void = {}
    ) {
        write = Write(send: send, attempted: attempted)
        idleTicks = 0
        let input = input
        committing.inner = stores.start(
            Signal<UInt64, NATSError>.Observer(
                value: { input.send(value: .stored($0)) },
                failed: { error in
                    if case .jetStream(JetStream.wrongRevision, _) = error {
                        input.send(value: .end(.replaced))
                    } else {
                        input.send(value: .end(.failed(error)))
                    }
                }))
    }

    private func encode() -> PartitionSnapshot? {
        do {
            return try table.snapshot()
        } catch {
            end(.failed(.unencodable(subject: store.key, reason: "\(error)")))
            return nil
        }
    }

    private func hasStored(_ revision: UInt64) {
        self.revision = revision
        if case .recovering(.storing) = phase { return end(.released) }
        guard let write = write.take() else { return }
        write.send()
        if case .recovering(let recovering) = phase {
            if case .waiting(let info) = recovering { recover(on: info) }
            return
        }
        // Until this worker has stored twice, the head refers to chunks of an earlier owner.
        if head.oldestEpoch > oldestEpoch {
            oldestEpoch = head.oldestEpoch
            // What is left if this fails is deleted by the next worker.
            disposables += store.deleteChunks(before: oldestEpoch).start()
        }
        if let delivery = write.attempted {
            handle(delivery)
            return storeState()
        }
        if isAttempting {
            isAttempting = false
            trust()
            giveTurnBack()
        }
        if case .releasing = phase { releaseIfStored() } else { proceed() }
    }

    private func releaseIfStored() {
        if write != nil { return }
        if unstored == 0 { end(.released) } else { storeState() }
    }

    private func end(_ end: GroupRunEnd) {
        phase = .ended
        // One that was given up meanwhile is known to be over.
        if dispose() { ended(end) }
    }
}
#endif
