/// What one scheduler of a pool has done and has still to do. It knows nothing of the pool.
final class PoolLedger: @unchecked Sendable {  // Atomic words.
    // What every thread that schedules writes, and what the scheduler's own thread writes, are on cache lines of their own.
    private var wordStorage: UInt64 = 0
    private var wordPadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
    private var executedStorage: UInt64 = 0
    private var cancelledStorage: UInt64 = 0
    private var refusedStorage: UInt64 = 0
    private var longestWaitStorage: UInt64 = 0
    private var runnerStorage: UInt64 = 0
    private var padding: (UInt64, UInt64, UInt64) = (0, 0, 0)

    private var word: AtomicWord { AtomicWord(of: self) }

    // relaxed, all of these: counts, by which nothing is published.

    private var executed: AtomicWord { AtomicWord(of: self, at: 64) }
    private var cancelled: AtomicWord { AtomicWord(of: self, at: 72) }
    private var refused: AtomicWord { AtomicWord(of: self, at: 80) }

    /// In nanoseconds. Written by the scheduler's thread.
    private var longestWait: AtomicWord { AtomicWord(of: self, at: 88) }

    /// The token of the thread that runs an action of this scheduler's, else 0. Written by that thread.
    private var runner: AtomicWord { AtomicWord(of: self, at: 96) }

    /// Counts an action that comes, or refuses it.
    func admit(fromInside isInside: () -> Bool) -> Bool {
        var seen = PoolWord(bits: word.load(.relaxed))
        while let next = seen.admitting(fromInside: seen.phase == .draining && isInside()) {
            // relaxed: the scheduler hands the action over. Who closed the pool before is seen, as a compare-exchange sees
            // the newest word.
            let result = word.compareExchange(seen.bits, next.bits, .relaxed)
            if result.won { return true }
            seen = PoolWord(bits: result.seen)
        }
        refuse()
        return false
    }

    /// Counts an action that didn't get in.
    func refuse() { refused.fetchAdd(1, .relaxed) }

    /// Counts an action off, and says whether it was the last one of a scheduler that is closed.
    func finish() -> Bool {
        var seen = PoolWord(bits: word.load(.relaxed))
        while true {
            let next = seen.finishing()
            // release: what the action did, and whom it admitted elsewhere, is seen by whoever finds it gone. sequential,
            // with the looks that follow at the other schedulers: of two that finish last, one sees that the other has.
            let result = word.compareExchange(seen.bits, next.bits, .sequential)
            if result.won { return next.isQuiet }
            seen = PoolWord(bits: result.seen)
        }
    }

    /// Closes it.
    func close(_ phase: PoolWord.Phase) {
        var seen = PoolWord(bits: word.load(.relaxed))
        while true {
            // sequential: as in `finish()`, where one that finishes last and one that closes last look at each other.
            let result = word.compareExchange(seen.bits, seen.closing(phase).bits, .sequential)
            if result.won { return }
            seen = PoolWord(bits: result.seen)
        }
    }

    /// The word as it is now.
    func look() -> PoolWord {
        // acquire: sees what the actions that have gone have done. sequential: as in `finish()`.
        PoolWord(bits: word.load(.sequential))
    }

    /// How many actions wait or run.
    var load: UInt64 { PoolWord(bits: word.load(.relaxed)).unfinished }

    var isCancelling: Bool { PoolWord(bits: word.load(.relaxed)).phase == .cancelling }

    // MARK: The scheduler's thread

    /// Runs an action, which is known as an action of this pool's meanwhile.
    func run(waited nanoseconds: UInt64, _ action: () -> Void) {
        if longestWait.load(.relaxed) < nanoseconds { longestWait.store(nanoseconds, .relaxed) }
        let outer = runner.load(.relaxed)
        runner.store(ThreadState.current.token, .relaxed)
        action()
        runner.store(outer, .relaxed)
        executed.fetchAdd(1, .relaxed)
    }

    /// Counts an action that is not going to run.
    func cancel() { cancelled.fetchAdd(1, .relaxed) }

    /// Whether the calling thread runs an action of this scheduler's.
    var runsHere: Bool { runner.load(.relaxed) == ThreadState.current.token }

    // MARK: Looking at the counts

    func statistics(name: String) -> SchedulerStatistics {
        SchedulerStatistics(
            name: name, executed: Int(executed.load(.relaxed)), queued: Int(load),
            cancelled: Int(cancelled.load(.relaxed)), refused: Int(refused.load(.relaxed)),
            longestWait: Double(longestWait.load(.relaxed)) / 1e9)
    }
}
