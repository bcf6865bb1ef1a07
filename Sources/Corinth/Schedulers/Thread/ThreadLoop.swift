internal import CCorinth

#if canImport(ObjectiveC)
    internal import ObjectiveC
#endif

/// The loop of a scheduler's thread. It runs until the scheduler is deinitialised and no work is left.
@usableFromInline
final class ThreadLoop: @unchecked Sendable {  // Atomic words; the thread owns the timers.
    /// How often a thread checks for work before it yields or sleeps.
    private static var spinLimit: Int {
        #if Exploration
            Explorer.limit(.spinning, usually: 1000)
        #else
            1000
        #endif
    }

    /// How often a thread checks before it looks at the clock, to learn whether other threads take its processor. Work that comes
    /// at once is noticed without that.
    private static var firstSpins: Int { min(64, spinLimit) }

    /// How many work items run between two checks of the clock.
    private static let batch = 32

    private let phase = AtomicState<LoopPhase>(.running)

    /// How many delayed actions were disposed of but not removed. May be negative for a moment.
    private let disposals = AtomicWord()

    /// Held by a thread that takes what is left in the ring after the end.
    private let rest = OwnerFlag()

    let ring: Ring<WorkItem>

    /// The context of the loop. A thread that runs it must not wait for it.
    let context: SerialContext
    let waiting: WaitStrategy

    /// Of the process in which the thread runs.
    private let forks = ccorinth_watch_forks()

    /// Disposed of by the thread when it runs nothing any more. Interrupts the streams on this loop.
    @usableFromInline let ended = CompositeDisposable()

    /// Disposed of when the loop is stopped. Resumes waiters for work that the thread won't do any more.
    @usableFromInline let stopping = CompositeDisposable()

    /// Owned by the thread, as are the next fields.
    @safe @exclusivity(unchecked) private var timers = DelayedActions()
    @safe @exclusivity(unchecked) private(set) var crowding = Crowding()

    /// When ``mark`` was queued; nil while it isn't.
    @safe @exclusivity(unchecked) private var due: TimePoint?

    /// Is queued when a delayed action is due, and runs those that were due then. By its turn, the timers have all actions that
    /// were queued before, however late the thread is: so they run in the order of their dates.
    private let mark = Mark()

    private final class Mark: WorkItem, @unchecked Sendable {  // Written before its loop is known to others.
        // Safe: the loop, which runs it, owns it.
        unowned(unsafe) var loop: ThreadLoop?

        init() {
            super.init { workItem in unsafe unsafeDowncast(workItem, to: Mark.self).loop?.runDue() }
        }
    }

    /// Called by the thread before its first work item.
    private let onStart: (@Sendable () -> Void)?

    init(
        _ ring: Ring<WorkItem>, waiting: WaitStrategy, context: SerialContext = SerialContext(),
        onStart: (@Sendable () -> Void)? = nil
    ) {
        self.ring = ring
        self.context = context
        self.waiting = waiting
        self.onStart = onStart
        unsafe mark.loop = self
    }

    // MARK: From any thread

    /// Whether the loop runs on the calling thread.
    var isCurrent: Bool { RunningContexts.hasVisit(to: context) }

    /// Whether the thread has run its last work item.
    var hasEnded: Bool {
        // acquire: sees the thread's writes. Pairs with the end of `run()`.
        phase.load(.acquire) == .ended
    }

    /// Queues a work item; false if the loop was stopped. If the thread ends meanwhile, the work item is released.
    func post(_ workItem: WorkItem) -> Bool {
        // relaxed: the thread that stopped the loop, and threads that synchronise with it, see the stop.
        guard phase.load(.relaxed).isOpen else { return false }
        if isCurrent {
            ring.postByTaker(workItem)
            return true
        }
        ccorinth_note_thread_use(forks)
        let isPosted = ring.post(workItem, mayWait: ThreadState.current.mayWait)
        // Against the heavy barrier in `Ring.discard()`: either this thread sees the end, or the ended thread sees the post.
        // Otherwise the work item would remain in the ring.
        AsymmetricBarrier.light()
        // acquire: sees the ended thread's changes of the ring.
        if isPosted, phase.load(.acquire) == .ended { releaseRest { ring.takeAll() } }
        return isPosted
    }

    /// Releases what is left in the ring after the end, while no flag is held: that may run any code.
    private func releaseRest(_ take: () -> [WorkItem]) {
        withExtendedLifetime(rest.hold(take)) {}
    }

    /// Queues an action.
    ///
    /// - Parameter drop: Releases the action, unless it has run. Called if no other code will release it.
    func post(_ action: WorkItem, orElse drop: () -> Void) {
        let isPosted = post(action)
        // The handle may keep an action that was released by the ring. relaxed: `post(_:)` has executed the barrier.
        if !isPosted || phase.load(.relaxed) == .ended { drop() }
    }

    /// Ends the thread when no work is left. No further work is scheduled.
    func finish() { raise(to: .finishing) }

    /// Ends the thread when it has run the queued work items.
    func stop() {
        raise(to: .stopping)
        stopping.dispose()
    }

    private func raise(to next: LoopPhase) {
        // sequential: release, so that the thread sees earlier posts; also with the load in `hasDisposed()`.
        let update = phase.update(.sequential) { $0.advancing(to: next) }
        if update.new != nil { ring.signal() }
    }

    /// Called when a delayed action of this loop has been disposed of.
    func hasDisposed() {
        // sequential: with the load of the phase, against the change of the phase and the load of this word in `tidyUp(_:)`.
        // One side sees the other; otherwise the thread might wait for a cancelled action.
        disposals.fetchAdd(1, .sequential)
        if phase.load(.sequential) != .running { ring.signal() }
    }

    // MARK: On the thread

    func run() {
        context.run {
            onStart?()
            runUntilEnd()
        }
    }

    private func runUntilEnd() {
        var spins = 0
        while true {
            let seen = ring.signals
            // sequential: acquire; also see `hasDisposed()`.
            let phase = self.phase.load(.sequential)
            let hasRun = runBatch(after: spins)
            if hasRun || queueDue(in: phase) {
                spins = 0
            } else if phase != .running, ring.isDrained, phase.mayEnd(hasTimers: !timers.isEmpty) {
                break
            } else {
                spins = pause(spins, seen)
            }
        }
        timers.dropAll()
        // release: publishes the thread's writes. The barrier in `discard()` orders it: see `post(_:)`.
        phase.store(.ended, .release)
        ring.close()
        // Releases work items posted after the last check.
        releaseRest { ring.discard() }
        ended.dispose()
    }

    /// Runs some work items. False if there are none.
    ///
    /// - Parameter spins: How often the thread has checked for work in vain.
    private func runBatch(after spins: Int) -> Bool {
        guard let first = ring.take() else { return false }
        noteWork(after: spins)
        ThreadLoop.releasing {
            first.run()
            for _ in 1..<ThreadLoop.batch {
                guard let next = ring.take() else { return }
                next.run()
            }
        }
        // The clock must also be checked when there is always work.
        if !timers.isEmpty { _ = queueDue(in: phase.load(.relaxed)) }
        return true
    }

    /// Releases the objects that Objective-C code has autoreleased.
    private static func releasing(_ body: () -> Void) {
        #if canImport(ObjectiveC)
            autoreleasepool(invoking: body)
        #else
            body()
        #endif
    }

    /// Looks at the clock when there is work: it may have come while another thread ran on this processor.
    ///
    /// - Parameter spins: How often the thread has checked for work in vain.
    private func noteWork(after spins: Int) {
        if spins < ThreadLoop.firstSpins {
            crowding.succeed()
        } else if spins == ThreadLoop.firstSpins || waiting == .busySpin {
            // After a sleep it has looked already.
        } else if spins <= ThreadLoop.spinLimit {
            crowding.succeed()
            crowding.check(at: MonotonicTime.now)
        } else {
            crowding.findAfterYield(at: MonotonicTime.now)
        }
    }

    private enum Pause {
        case spin, yield, sleep
    }

    /// Waits a moment, or sleeps until there is work.
    ///
    /// - Parameter spins: How often the thread has checked for work in vain.
    /// - Returns: The same for the next check.
    private func pause(_ spins: Int, _ signals: UInt64) -> Int {
        let next = nextPause(spins)
        if next == .sleep {
            ring.blockingWait(unlessSignalledSince: signals, until: timers.nextTime)
            if waiting != .park { crowding.wake(at: MonotonicTime.now, hasSpun: spins >= ThreadLoop.spinLimit) }
            return ThreadLoop.firstSpins
        }
        ring.spin(isYielding: next == .yield)
        // After a yield, the thread doesn't spin again.
        return next == .yield ? max(spins, ThreadLoop.spinLimit) &+ 1 : spins &+ 1
    }

    /// Spins until the limit, then yields or sleeps; earlier if other threads need the processor.
    private func nextPause(_ spins: Int) -> Pause {
        switch waiting {
        case .busySpin: return .spin
        case .park: return .sleep
        case .spinThenYield, .spinThenPark:
            let isFirst = spins == ThreadLoop.firstSpins
            guard isFirst || spins >= ThreadLoop.spinLimit else { return .spin }
            let now = MonotonicTime.now
            if isFirst { crowding.begin(at: now) } else { crowding.check(at: now) }
            if crowding.isCrowded(at: now) { return .sleep }
            if spins < ThreadLoop.spinLimit, !crowding.isSharing(at: now) { return .spin }
            return waiting == .spinThenPark ? .sleep : .yield
        }
    }

    // MARK: Timers

    /// Queues ``mark`` if the time of a delayed action has come. False if none has, or it is queued already.
    private func queueDue(in phase: LoopPhase) -> Bool {
        if timers.isEmpty || due != nil { return false }
        tidyUp(phase)
        let now = TimePoint.now
        guard timers.hasDue(at: now) else { return false }
        due = now
        ring.postByTaker(mark)
        return true
    }

    private func runDue() {
        guard let moment = due.take() else { return }
        while let action = timers.removeDue(at: moment) { action.run() }
    }

    /// Removes disposed actions if they are many or the thread would wait for them.
    private func tidyUp(_ phase: LoopPhase) {
        // sequential: see `hasDisposed()`.
        let count = Int64(bitPattern: disposals.load(.sequential))
        if count > (phase == .running ? max(16, timers.count / 2) : 0) { forget(timers.removeDisposed()) }
    }

    /// Counts disposed actions that have been removed.
    func forget(_ count: Int) { disposals.fetchSubtract(UInt64(count), .relaxed) }

    /// Adds an action, or adds a repeated action again after a run.
    func arm(_ action: DelayedAction) { timers.insert(action) }
}
