/// A scheduler without work items, such as a user's scheduler.
final class ForeignScheduler: WorkItemScheduler {
    private let scheduler: any Scheduler
    private let runner: ForeignContext

    init(_ scheduler: any Scheduler) {
        self.scheduler = scheduler
        runner = ForeignContext(of: scheduler)
    }

    func post(_ workItem: WorkItem) {
        scheduler.scheduleInOrder { [runner] in runner.runHere(workItem.run) }
    }

    func perform(_ action: @escaping @Sendable () -> Void) {
        scheduler.scheduleInOrder { [runner] in runner.runHere(action) }
    }

    var context: SerialContext? { runner }

    var order: ScheduleOrder { scheduler.knownOrder }

    var runsByItself: Bool { false }
}

/// The context of a scheduler from outside the library, which runs actions that the library knows nothing of.
///
/// The thread that last ran the work of this context counts as the scheduler's. Before there was any, nobody knows who will run
/// it, perhaps the thread that waits for it. So a wait that has lasted for long then counts as a wait for itself.
private final class ForeignContext: SerialContext, @unchecked Sendable {  // Atomic word; see the superclass.
    /// The number of the thread that last ran it; 0 before.
    private let thread = AtomicWord()

    /// The number of no thread: somebody has waited for long, and it has not run yet.
    private static let awaited: UInt64 = 1

    /// Retained, so that no other scheduler has its identity.
    private let scheduler: any Scheduler

    init(of scheduler: any Scheduler) {
        self.scheduler = scheduler
        super.init()
    }

    /// Runs work on the scheduler.
    func runHere(_ body: () -> Void) {
        // relaxed: the thread to which it matters has written it itself.
        thread.store(ThreadState.current.token, .relaxed)
        run(body)
    }

    override func noteLongWait() -> Bool {
        let seen = thread.compareExchange(0, ForeignContext.awaited, .relaxed)
        return seen.won || seen.seen == ForeignContext.awaited
    }

    override var isCurrent: Bool {
        let seen = thread.load(.relaxed)
        return seen == ForeignContext.awaited || seen == ThreadState.current.token
            || RunningContexts.ofThread.contains { ($0 as? ForeignContext)?.scheduler === scheduler }
    }
}
