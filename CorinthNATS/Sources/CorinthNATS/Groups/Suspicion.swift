#if NATS
internal import Dispatch
internal import Synchronization

/// The runs of this process, while some of them handle messages one by one, because owners before them have died.
///
/// Such a run stores which message it begins. If several did so side by side, a process that dies of one message would seem to have
/// died of all these. So while there is suspicion, one run of the process at a time handles messages: it has the turn until it has
/// stored what became of them. Runs without suspicion take turns, too, but store nothing before.
///
/// A turn is lost after a second, so that a handler that doesn't return holds up only its own partition.
final class Suspicion: Sendable {
    /// Of all groups, because what dies is the process.
    static let shared = Suspicion()

    /// Stands for a run.
    final class Run: Sendable {
        /// Written with the lock held.
        fileprivate let hasLeft = Synchronization.Atomic(false)

        fileprivate var id: ObjectIdentifier { ObjectIdentifier(self) }
    }

    private struct Request: Sendable {
        let run: ObjectIdentifier
        let grant: @Sendable () -> Void
    }

    private struct State: Sendable {
        /// The runs that suspect a message.
        var suspecting: Set<ObjectIdentifier> = []
        /// Who has the turn.
        var holder: ObjectIdentifier?
        /// How many turns there were.
        var turns = 0
        /// Who waits for one, the longest first.
        var waiting: [Request] = []

        /// Who gets the turn now. All, if nobody suspects anything.
        mutating func next() -> [Request] {
            if suspecting.isEmpty {
                holder = nil
                defer { waiting = [] }
                return waiting
            }
            guard holder == nil, !waiting.isEmpty else { return [] }
            let request = waiting.removeFirst()
            holder = request.run
            turns += 1
            return [request]
        }
    }

    private let state = Guarded(State())
    private let isOnBit = Synchronization.Atomic(false)

    static var longestTurn: DispatchTimeInterval { .seconds(1) }

    /// Whether messages are to be handled in turns. What comes at the same moment may be handled without one.
    var isOn: Bool {
        // relaxed: no data is published with it.
        isOnBit.load(ordering: .relaxed)
    }

    private func change(_ body: (inout State) -> Void) {
        let (granted, turn) = state.withLock { state -> ([Request], Int?) in
            body(&state)
            let granted = state.next()
            // relaxed: as in `isOn`.
            isOnBit.store(!state.suspecting.isEmpty, ordering: .relaxed)
            return (granted, granted.isEmpty || state.holder == nil ? nil : state.turns)
        }
        for request in granted { request.grant() }
        guard let turn else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestTurn) {
            self.change { if $0.turns == turn { $0.holder = nil } }
        }
    }

    /// A run suspects a message.
    func begin(_ run: Run) {
        // relaxed: under the lock, as in all that follow.
        change { if !run.hasLeft.load(ordering: .relaxed) { $0.suspecting.insert(run.id) } }
    }

    /// It doesn't suspect one any more.
    func end(_ run: Run) { change { $0.suspecting.remove(run.id) } }

    /// - Parameter grant: Called once, when it is the run's turn, perhaps at once, and on any thread; or never, if it leaves before.
    func askForTurn(_ run: Run, _ grant: @escaping @Sendable () -> Void) {
        change { state in
            if !run.hasLeft.load(ordering: .relaxed) { state.waiting.append(Request(run: run.id, grant: grant)) }
        }
    }

    /// The run has stored what became of its messages, or has none.
    func giveTurnBack(_ run: Run) { change { if $0.holder == run.id { $0.holder = nil } } }

    /// The run has ended. It may be asking for something at this moment.
    func leave(_ run: Run) {
        change { state in
            run.hasLeft.store(true, ordering: .relaxed)
            state.suspecting.remove(run.id)
            state.waiting.removeAll { $0.run == run.id }
            if state.holder == run.id { state.holder = nil }
        }
    }
}
#endif
