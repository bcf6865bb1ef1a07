/// A scheduler without work items, such as a user's scheduler.
final class ForeignScheduler: WorkItemScheduler {
    private let scheduler: any Scheduler
    private let runner: ForeignContext

    init(_ scheduler: any Scheduler) {
        self.scheduler = scheduler
        runner = .of(scheduler)
    }

    func post(_ workItem: WorkItem) {
        scheduler.scheduleInOrder { [runner] in
            runner.noteThread()
            runner.run(workItem.run)
        }
    }

    func perform(_ action: @escaping @Sendable () -> Void) {
        scheduler.scheduleInOrder { [runner] in
            runner.noteThread()
            runner.run(action)
        }
    }

    var context: SerialContext? { runner }

    var runsByItself: Bool { false }
}

/// The context of a scheduler from outside the library, which runs actions that the library knows nothing of.
///
/// The thread that last ran some of the library's work there counts as its thread. Before it has run any, nobody knows who will,
/// perhaps the thread that waits for it. So a wait that has lasted for a while then counts as a wait for itself.
private final class ForeignContext: SerialContext, @unchecked Sendable {  // Atomic word; see the superclass.
    /// The number of the thread that last ran it; 0 before.
    private var threadStorage: UInt64 = 0

    /// The number of no thread: somebody has waited for long, and it has not run yet.
    private static let awaited: UInt64 = 1

    /// Retained, so that no other scheduler has its identity.
    private let scheduler: any Scheduler

    private init(_ scheduler: any Scheduler) {
        self.scheduler = scheduler
        super.init()
        assert(thread.isStored(in: &threadStorage))
    }

    private var thread: AtomicWord { AtomicWord(of: self, at: SerialContext.size) }

    /// Called on the scheduler.
    // relaxed: a thread that it matters to has written it itself.
    func noteThread() {
        let token = ThreadState.current.token
        if thread.load(.relaxed) != token { thread.store(token, .relaxed) }
    }

    override func noteLongWait() -> Bool {
        let seen = thread.compareExchange(0, ForeignContext.awaited, .relaxed)
        return seen.won || seen.seen == ForeignContext.awaited
    }

    override var isCurrent: Bool {
        let seen = thread.load(.relaxed)
        return seen == ForeignContext.awaited || seen == ThreadState.current.token || super.isCurrent
    }

    // MARK: One for each scheduler

    private struct Known {
        weak var context: ForeignContext?
    }

    private static let all = Atomic<[ObjectIdentifier: Known]>([:])

    static func of(_ scheduler: any Scheduler) -> ForeignContext {
        let identifier = ObjectIdentifier(scheduler)
        return all.modify { all in
            if let known = all[identifier]?.context { return known }
            let context = ForeignContext(scheduler)
            all[identifier] = Known(context: context)
            return context
        }
    }

    deinit {
        // Unless there is a new one already.
        let identifier = ObjectIdentifier(scheduler)
        ForeignContext.all.modify { all in
            if all[identifier]?.context == nil { all[identifier] = nil }
        }
    }
}
