/// The work counts of one scheduler of a pool. It has no reference to the pool.
final class PoolSchedulerState: @unchecked Sendable {  // Atomic words.
    // The word that every scheduling thread writes, and the words that the scheduler's own thread writes, have separate cache
    // lines.
    private let word = AtomicState<PoolWord>(.open)
    private let wordPadding = CacheLinePadding()
    private let executed = AtomicWord()
    private let cancelled = AtomicWord()
    private let refused = AtomicWord()

    /// In nanoseconds. Written by the scheduler's thread.
    private let longestWait = AtomicWord()

    /// The token of the thread that runs an action of this scheduler, or 0. Written by that thread.
    private let runner = AtomicWord()
    private let padding = CacheLinePadding()

    // relaxed, all of these: counts, which publish nothing.

    /// Counts a new action, or refuses it.
    func admit(fromInside isInside: () -> Bool) -> Bool {
        // relaxed: the scheduler publishes the action. An earlier close is seen, because a compare-exchange reads the newest
        // word.
        let isAdmitted =
            word.update(.relaxed) { $0.admitting(fromInside: $0.phase == .draining && isInside()) }.new != nil
        if !isAdmitted { refuse() }
        return isAdmitted
    }

    /// Counts a refused action.
    func refuse() { refused.fetchAdd(1, .relaxed) }

    /// Counts a finished action. Returns whether it was the last one of a closed scheduler.
    func finish() -> Bool {
        // release: a thread that sees the action finished sees its writes, and the actions that it scheduled elsewhere.
        // sequential, with the later loads of the other schedulers: of two that finish last, one sees the other.
        word.update(.sequential) { $0.finishing() }.new?.isQuiet == true
    }

    /// Closes the scheduler.
    func close(_ phase: PoolWord.Phase) {
        // sequential: as in `finish()`. Here a thread that finishes last and a thread that closes last must see each other.
        word.update(.sequential) { $0.closing(phase) }
    }

    /// The current word.
    func look() -> PoolWord {
        // acquire: sees the writes of finished actions. sequential: as in `finish()`.
        word.load(.sequential)
    }

    /// How many actions are queued or running.
    var load: UInt64 { word.load(.relaxed).unfinished }

    var isCancelling: Bool { word.load(.relaxed).phase == .cancelling }

    // MARK: The scheduler's thread

    /// Runs an action, and marks the thread as running an action of this pool meanwhile.
    func run(waited nanoseconds: UInt64, _ action: () -> Void) {
        if longestWait.load(.relaxed) < nanoseconds { longestWait.store(nanoseconds, .relaxed) }
        let outer = runner.load(.relaxed)
        runner.store(ThreadState.current.token, .relaxed)
        action()
        runner.store(outer, .relaxed)
        executed.fetchAdd(1, .relaxed)
    }

    /// Counts an action that won't run.
    func cancel() { cancelled.fetchAdd(1, .relaxed) }

    /// Whether the calling thread runs an action of this scheduler.
    var runsHere: Bool { runner.load(.relaxed) == ThreadState.current.token }

    // MARK: Reading the counts

    func statistics(name: String) -> SchedulerStatistics {
        SchedulerStatistics(
            name: name, executed: Int(executed.load(.relaxed)), queued: Int(load),
            cancelled: Int(cancelled.load(.relaxed)), refused: Int(refused.load(.relaxed)),
            longestWait: Double(longestWait.load(.relaxed)) / 1e9)
    }
}
