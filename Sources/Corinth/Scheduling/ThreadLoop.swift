#if canImport(ObjectiveC)
    internal import ObjectiveC
#endif

/// What a scheduler's thread runs, until the scheduler is gone and nothing is left to do.
@usableFromInline
final class ThreadLoop: @unchecked Sendable {  // Its words are atomic, its timers the thread's.
    private enum Phase {
        static let running: UInt64 = 0
        /// The scheduler is gone.
        static let finishing: UInt64 = 1
        /// Somebody wants it to end.
        static let stopping: UInt64 = 2
        static let ended: UInt64 = 3
    }

    /// How many times a thread looks before it yields or sleeps.
    private static var spinningTurns: Int {
        #if Exploration
            Explorer.limit(.spinning, usually: 1000)
        #else
            1000
        #endif
    }

    /// How many errands are run between two looks at the clock.
    private static let batch = 32

    private var phaseStorage: UInt64 = 0
    private var disposalsStorage: UInt64 = 0

    let ring: Ring<Errand>

    /// What a thread that runs this waits for, this can't do.
    let context: SerialContext
    private let waiting: WaitStrategy

    /// Disposed of by the thread when it runs nothing any more: interrupts what streams there are.
    @usableFromInline let ended = CompositeDisposable()

    /// Disposed of when somebody stops it: who waits for what the thread won't do any more goes on.
    @usableFromInline let stopping = CompositeDisposable()

    /// Owned by the thread.
    @safe @exclusivity(unchecked) private var timers = DelayedActions()

    init(_ ring: Ring<Errand>, waiting: WaitStrategy, context: SerialContext = SerialContext()) {
        self.ring = ring
        self.context = context
        self.waiting = waiting
    }

    private var phase: AtomicWord { AtomicWord(of: self) }

    /// How many delayed actions were disposed of and have not been removed. May be less than 0 for a moment.
    private var disposals: AtomicWord { AtomicWord(of: self, at: 8) }

    // MARK: From any thread

    /// The loop whose thread is calling.
    static var current: ThreadLoop? {
        guard let loop = unsafe ThreadState.current.loop else { return nil }
        // It runs on this thread, and so is alive.
        return unsafe Unmanaged<ThreadLoop>.fromOpaque(loop).takeUnretainedValue()
    }

    /// Whether the calling thread is this loop's.
    var isCurrent: Bool {
        unsafe ThreadState.current.loop == Unmanaged.passUnretained(self).toOpaque()
    }

    /// Whether the thread is past its last errand.
    var hasEnded: Bool {
        // acquire: sees what the thread has done. Pairs with the end of `run()`.
        phase.load(.acquire) == Phase.ended
    }

    /// Queues an errand; false if the loop was stopped.
    func post(_ errand: Errand) -> Bool {
        // relaxed: who has stopped the loop, or knows of it, sees it.
        guard phase.load(.relaxed) < Phase.stopping else { return false }
        if isCurrent {
            ring.postByTaker(errand)
            return true
        }
        return ring.post(errand, mayWait: ThreadState.current.mayWaitForRing)
    }

    /// Queues an action.
    ///
    /// - Parameter drop: Lets go of the action, unless it has been run. Called if nobody else will.
    func post(_ action: Errand, orElse drop: () -> Void) {
        // sequential: the load after the post, against the end of the thread and its look at what was posted: one of the two
        // sides sees the other, else the action would stay where nobody looks.
        if !post(action) || phase.load(.sequential) == Phase.ended { drop() }
    }

    /// Ends the thread when nothing is left to do. Nobody schedules any more.
    func finish() { raise(to: Phase.finishing) }

    /// Ends the thread when it has done what is queued.
    func stop() {
        raise(to: Phase.stopping)
        stopping.dispose()
    }

    private func raise(to next: UInt64) {
        var seen = phase.load(.relaxed)
        while seen < next {
            // sequential: release, so that the thread sees what was posted before; and with the load in `hasDisposed()`.
            let result = phase.compareExchange(seen, next, .sequential)
            if result.won {
                ring.signal()
                return
            }
            seen = result.seen
        }
    }

    /// A delayed action of this loop's has been disposed of.
    func hasDisposed() {
        // sequential: with the load of the phase, against the change of the phase and the load of this in `tidyUp(_:)`. One of
        // the two sides sees the other; else the thread might wait for an action that nobody wants any more.
        disposals.fetchAdd(1, .sequential)
        if phase.load(.sequential) != Phase.running { ring.signal() }
    }

    // MARK: On the thread

    func run() {
        unsafe ThreadState.current.loop = Unmanaged.passUnretained(self).toOpaque()
        var turn = 0
        while true {
            let seen = ring.signals
            // sequential: acquire, and as said in `hasDisposed()`.
            let phase = self.phase.load(.sequential)
            let hasRun = runBatch()
            if hasRun || queueDue(in: phase) {
                turn = 0
            } else if phase != Phase.running, ring.isDrained, phase == Phase.stopping || timers.isEmpty {
                break
            } else {
                pause(turn, seen)
                turn &+= 1
            }
        }
        timers.dropAll()
        // sequential: release, which publishes what the thread has done; and as said in `post(_:orElse:)`.
        phase.store(Phase.ended, .sequential)
        ring.close()
        // What was posted while nobody looked any more is let go of.
        ring.discard()
        ended.dispose()
        unsafe ThreadState.current.loop = nil
    }

    private func runBatch() -> Bool {
        guard let first = ring.take() else { return false }
        ThreadLoop.releasing {
            first.run()
            for _ in 1..<ThreadLoop.batch {
                guard let next = ring.take() else { return }
                next.run()
            }
        }
        // Where there is always something to run, the clock must be looked at all the same.
        if !timers.isEmpty { _ = queueDue(in: phase.load(.relaxed)) }
        return true
    }

    /// Lets go of what Objective-C's code leaves to the pool.
    private static func releasing(_ body: () -> Void) {
        #if canImport(ObjectiveC)
            autoreleasepool(invoking: body)
        #else
            body()
        #endif
    }

    private func pause(_ turn: Int, _ signals: UInt64) {
        let isSpinning = turn < ThreadLoop.spinningTurns
        switch waiting {
        case .busySpin: ring.spin(isYielding: false)
        case .spinThenYield: ring.spin(isYielding: !isSpinning)
        case .spinThenPark where isSpinning: ring.spin(isYielding: false)
        case .spinThenPark, .park: ring.blockingWait(unlessSignalledSince: signals, until: timers.nextTime)
        }
    }

    // MARK: Timers

    /// Queues the delayed actions whose time has come behind everything else. False if there are none.
    private func queueDue(in phase: UInt64) -> Bool {
        if timers.isEmpty { return false }
        tidyUp(phase)
        return timers.takeDue { ring.postByTaker($0) }
    }

    /// Removes actions that were disposed of, if they are many or the thread would wait for them.
    private func tidyUp(_ phase: UInt64) {
        // sequential: as said in `hasDisposed()`.
        let count = Int64(bitPattern: disposals.load(.sequential))
        if count > (phase == Phase.running ? max(16, timers.count / 2) : 0) { forget(timers.removeDisposed()) }
    }

    /// So many actions that were disposed of are gone.
    func forget(_ count: Int) { disposals.fetchSubtract(UInt64(count), .relaxed) }

    /// Takes in an action whose time has not come when it was scheduled. If it has now, it is run, after those of before.
    func arm(_ action: DelayedAction) {
        timers.insert(action)
        guard action.isDue else { return }
        var due: [DelayedAction] = []
        _ = timers.takeDue { due.append($0) }
        for action in due { action.run() }
    }

    /// Puts a repeated action back that has been run.
    func rearm(_ action: DelayedAction) { timers.insert(action) }
}
