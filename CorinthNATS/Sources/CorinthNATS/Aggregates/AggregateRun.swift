internal import Corinth
internal import Foundation

/// Why a worker has no partition any more.
enum AggregateRunEnd: Sendable {
    /// It was asked to give it up, and has stored its state.
    case released
    /// Another worker has taken it over.
    case replaced
    case completed
    case failed(NATSError)
}

/// What a worker needs from the run of a partition.
protocol AggregateRunning: Sendable {
    /// Stores the state, and ends.
    func release()
    /// Ends at once.
    func dispose()
}

/// One partition of an aggregate, while a worker has it: it reads the state, applies messages to it, and stores it.
///
/// Everything goes through one signal, whose strand owns the mutable fields.
final class AggregateRun<Codec: NATSCodec, StateCodec: NATSCodec>: AggregateRunning, @unchecked Sendable {
    struct Functions: Sendable {
        let aggregate: NATSAggregate
        let partitions: NATSPartitions
        let codec: Codec
        let stateCodec: StateCodec
        let undecodable: UndecodablePolicy
        let key: @Sendable (Codec.Value) -> String
        let date: @Sendable (Codec.Value, NATSDelivery) -> Date
        let update: @Sendable (inout StateCodec.Value?, Codec.Value) -> Void
    }

    private enum Event: Sendable {
        case claimed(SnapshotStore.Claim)
        case delivery(NATSDelivery)
        case stored(UInt64)
        case tick, release
        case end(AggregateRunEnd)
    }

    private typealias Change = NATSAggregated<StateCodec.Value>

    private let jetStream: JetStream
    private let functions: Functions
    private let partition: Int
    private let store: SnapshotStore
    private let observer: Signal<NATSAggregated<StateCodec.Value>, NATSError>.Observer
    private let ended: @Sendable (AggregateRunEnd) -> Void
    private let input: Signal<Event, Never>.Observer
    private let disposables = CompositeDisposable()

    /// Encoding may take long: it doesn't run on the queue of the deadlines.
    private let ticks = QueueScheduler(name: "corinth.nats.aggregate")

    // Owned by the strand of the signal.
    private var table: AggregateTable<StateCodec>?
    private var head = SnapshotStore.Head()
    private var revision: UInt64 = 0
    private var epoch: UInt64 = 0
    private var hasDeletedChunks = false
    private var unstored = 0
    /// What is being stored, to be sent when it is.
    private var storing: [Change]?
    private var isReleasing = false
    private var isEnded = false

    init(
        _ jetStream: JetStream, _ functions: Functions, partition: Int, owner: String,
        to observer: Signal<NATSAggregated<StateCodec.Value>, NATSError>.Observer,
        ended: @escaping @Sendable (AggregateRunEnd) -> Void
    ) {
        self.jetStream = jetStream
        self.functions = functions
        self.partition = partition
        self.observer = observer
        self.ended = ended
        store = SnapshotStore(jetStream, functions.aggregate, partition: partition, owner: owner)
        // The places of the deliveries are the bound.
        let (signal, input) = Signal<Event, Never>.pipe(buffering: .unbounded)
        self.input = input
        disposables += signal.observeValues { [weak self] in self?.handle($0) }
    }

    func start() {
        let input = input
        disposables += ticks.schedule(
            after: functions.aggregate.snapshotWithin, interval: functions.aggregate.snapshotWithin
        ) { input.send(value: .tick) }
        disposables += store.claim().start(
            Signal<SnapshotStore.Claim, NATSError>.Observer(
                value: { input.send(value: .claimed($0)) }, failed: { input.send(value: .end(.failed($0))) }))
    }

    func release() {
        let input = input
        ticks.schedule { input.send(value: .release) }
    }

    func dispose() { disposables.dispose() }

    // MARK: On the strand

    private func handle(_ event: Event) {
        if isEnded { return }
        switch event {
        case .claimed(let claim): begin(claim)
        case .delivery(let delivery): apply(delivery)
        case .stored(let revision): hasStored(revision)
        case .tick: if unstored > 0 { storeState() }
        case .release:
            isReleasing = true
            // Nothing is lost if the state isn't read yet.
            if table == nil { end(.released) } else { releaseIfStored() }
        case .end(let end): self.end(end)
        }
    }

    private func begin(_ claim: SnapshotStore.Claim) {
        var table = AggregateTable(
            functions.stateCodec, windows: functions.aggregate.windows, partition: partition,
            position: claim.head.position, newest: claim.head.newest)
        let restored: [Change]
        do {
            restored = try table.restore(claim.state) { key, error in
                let failure = store.damaged(claim.revision, "the state of '\(key)' doesn't decode: \(error)")
                let core = jetStream.connection.core
                core.countUndecodable()
                core.report(failure)
                if functions.undecodable == .fail { throw failure }
            }
        } catch {
            return end(.failed(error as? NATSError ?? store.damaged(claim.revision, "\(error)")))
        }
        self.table = table
        head = claim.head
        revision = claim.revision
        epoch = claim.revision
        for state in restored { observer.send(value: state) }
        let input = input
        let partitions = functions.partitions
        disposables += jetStream.ordered(
            of: partitions.stream, on: partitions.subject(of: partition), after: claim.head.position,
            places: functions.aggregate.places
        )
        .start(
            Signal<NATSDelivery, NATSError>.Observer(
                value: { input.send(value: .delivery($0)) }, failed: { input.send(value: .end(.failed($0))) },
                completed: { input.send(value: .end(.completed)) }))
    }

    private func apply(_ delivery: NATSDelivery) {
        if isReleasing { return }
        let sequence = delivery.sequence
        let core = jetStream.connection.core
        switch core.decode(delivery.message, sequence: sequence, as: functions.codec) {
        case .failure: table?.skip(sequence)
        case .success(let value):
            let late = table?.apply(
                sequence, key: functions.key(value), at: functions.date(value, delivery)
            ) { functions.update(&$0, value) }
            if let late, late > 0 { core.countLate(late) }
        }
        unstored += 1
        if unstored >= functions.aggregate.snapshotEvery { storeState() }
    }

    /// Stores the state, unless that is being done.
    private func storeState() {
        guard storing == nil, let (bytes, changes) = encode() else { return }
        storing = changes
        unstored = 0
        head.position = table?.position ?? 0
        head.newest = table?.newest ?? .min
        head.epoch = epoch
        head.commit += 1
        let input = input
        disposables += store.store(head, bytes, over: revision).start(
            Signal<UInt64, NATSError>.Observer(
                value: { input.send(value: .stored($0)) },
                failed: { error in
                    if case .jetStream(SnapshotStore.wrongRevision, _) = error {
                        input.send(value: .end(.replaced))
                    } else {
                        input.send(value: .end(.failed(error)))
                    }
                }))
    }

    private func encode() -> (Data, [Change])? {
        do {
            return try table?.snapshot()
        } catch {
            end(.failed(.unencodable(subject: store.key, reason: "\(error)")))
            return nil
        }
    }

    private func hasStored(_ revision: UInt64) {
        self.revision = revision
        let changes = storing ?? []
        storing = nil
        for change in changes { observer.send(value: change) }
        if !hasDeletedChunks {
            hasDeletedChunks = true
            // What is left if this fails is deleted by the next worker.
            disposables += store.deleteChunks(before: epoch).start()
        }
        if isReleasing { releaseIfStored() } else if unstored >= functions.aggregate.snapshotEvery { storeState() }
    }

    private func releaseIfStored() {
        if storing != nil { return }
        if unstored == 0 { end(.released) } else { storeState() }
    }

    private func end(_ end: AggregateRunEnd) {
        isEnded = true
        disposables.dispose()
        ended(end)
    }
}
