internal import CCorinth
internal import Dispatch

/// A context that runs code on one thread at a time: the queue or the thread of a scheduler.
///
/// It records what the thread that runs it waits for. ``WaitGraph`` follows this edge. A thread may run several contexts, one
/// inside the other: see ``Visit``.
@usableFromInline
@safe class SerialContext: @unchecked Sendable {  // The graph's flag guards its mutable field.
    /// The context on which this one runs: that of the target queue.
    final let outer: SerialContext?

    /// The permits for which the thread that runs this context sleeps.
    @safe @exclusivity(unchecked)
    final var edge = WaitGraph.Edge()

    /// The order of what runs here. All schedulers of a queue share its context.
    final let order: ScheduleOrder

    init(in outer: SerialContext? = nil, order: ScheduleOrder = ScheduleOrder()) {
        self.outer = outer
        self.order = order
    }

    /// Whether it runs on one thread at a time, as far as is known.
    var isSerial: Bool { true }

    /// Whether the calling thread runs this context now. If so, the thread must not wait for this context.
    @usableFromInline
    var isCurrent: Bool { isSerial && RunningContexts.ofThread.contains { $0 === self } }

    /// Called after somebody has waited for this context for long.
    ///
    /// - Returns: Whether those who wait may be what it waits for.
    func noteLongWait() -> Bool { false }

    #if DEBUG && !Exploration
        /// The token of the thread that runs this context; 0 if none does, or if Dispatch alone knows it.
        // relaxed: whoever needs it knows by a lock that the thread waits.
        var holder: UInt64 { holderWord.load(.relaxed) }
        private let holderWord = AtomicWord()
    #endif

    /// Runs code of this context on the calling thread.
    func run<Result>(_ body: () -> Result) -> Result {
        let thread = ThreadState.current
        // Its first delivery may be one that never ends: from here on, the thread can be seen.
        let token = thread.token
        #if DEBUG && !Exploration
            let outside = holder
            holderWord.store(token, .relaxed)
            defer { holderWord.store(outside, .relaxed) }
        #endif
        let target = outer as? TargetContext
        let before = target?.enter(token) ?? 0
        defer { target?.leave(token, before) }
        return unsafe withUnsafePointer(to: Visit(context: Unmanaged.passUnretained(self), outer: thread.visit)) {
            visit in
            unsafe thread.visit = visit
            defer { unsafe thread.visit = visit.pointee.outer }
            return body()
        }
    }

    // MARK: Queues

    fileprivate static let key = DispatchSpecificKey<SerialContext>()

    /// The context of a queue that a user has made; nil for the system's concurrent ones.
    fileprivate static func ofTarget(_ queue: DispatchQueue) -> SerialContext? {
        if let known = queue.getSpecific(key: key) { return known }
        if queue.label.hasPrefix("com.apple.root.") { return nil }
        let context = TargetContext()
        queue.setSpecific(key: key, value: context)
        return context
    }

    /// The context of the innermost queue that the calling thread runs.
    static var ofQueue: SerialContext? { DispatchQueue.getSpecific(key: key) }
}

/// The context of a queue of the library, or of the main queue, and what the queue's schedulers have queued.
final class QueueContext: SerialContext, @unchecked Sendable {  // See the superclass.
    private let runs = RunQueue()

    /// One block for all posts to all queues: an `async` call with a Swift closure makes one each time.
    private static let runAll: @Sendable @convention(block) () -> Void = {
        // The queue retains its context.
        guard let context = ofQueue as? QueueContext else { preconditionFailure("a queue has lost its context") }
        context.run { context.runs.runAll() }
    }

    /// That of the main queue.
    static let main: QueueContext = {
        let context = QueueContext(in: nil, isMain: true)
        DispatchQueue.main.setSpecific(key: key, value: context)
        return context
    }()

    private let isMain: Bool

    private init(in outer: SerialContext?, isMain: Bool) {
        self.isMain = isMain
        // In programs with the product ReactiveSwift, each value is a block.
        super.init(in: outer, order: isMain && ccorinth_keeps_main_order() ? .unknown : ScheduleOrder())
    }

    /// Returns the same one for every call.
    static func of(_ queue: DispatchQueue, targeting target: DispatchQueue? = nil) -> QueueContext {
        // First: it may be the main queue's, which has no identity.
        _ = main
        if let known = queue.getSpecific(key: key) as? QueueContext { return known }
        let context = QueueContext(in: target.flatMap(ofTarget), isMain: false)
        queue.setSpecific(key: key, value: context)
        return context
    }

    /// Whether a node waits for the running one to end. For that node.
    var hasWaiting: Bool { runs.hasWaiting }

    /// Runs a node on the queue, in FIFO order.
    ///
    /// What is queued here before a block is posted to the queue itself runs before that block. What is queued after it may run
    /// before it, too. On the main queue, to which everybody posts blocks, each node is a block.
    func post(_ node: RunNode, to queue: DispatchQueue) {
        // Also behind others: in the child of a fork, the thread that runs those is gone.
        ccorinth_note_queue_use()
        if isMain {
            queue.async { self.run(node.run) }
        } else if runs.push(node) {
            queue.async(execute: QueueContext.runAll)
        }
    }
}

/// A context that the calling thread runs. It lies on the thread's stack, and the thread's state points to the innermost one.
@safe struct Visit {
    /// Not retained: whoever runs it retains it.
    let context: Unmanaged<SerialContext>
    let outer: UnsafePointer<Visit>?
}

/// The contexts that a thread runs: its visits, and the queue that it has entered last, perhaps by `sync`, of which there is no
/// visit. Valid while the thread stays where it is.
@safe struct RunningContexts {
    private let visit: UnsafePointer<Visit>?
    private let queue: SerialContext?

    private init(visit: UnsafePointer<Visit>?, queue: SerialContext?) {
        unsafe self.visit = visit
        self.queue = queue
    }

    /// Those of the calling thread.
    static var ofThread: RunningContexts {
        unsafe RunningContexts(visit: ThreadState.current.visit, queue: SerialContext.ofQueue)
    }

    /// Whether one of the calling thread's visits is to `context`.
    static func hasVisit(to context: SerialContext) -> Bool {
        var rest = unsafe ThreadState.current.visit
        while let visit = unsafe rest {
            if unsafe visit.pointee.context.toOpaque() == Unmanaged.passUnretained(context).toOpaque() { return true }
            unsafe rest = visit.pointee.outer
        }
        return false
    }

    func forEach(_ body: (SerialContext) -> Void) {
        _ = contains {
            body($0)
            return false
        }
    }

    /// Whether there is one of which this is true, from the innermost one outwards.
    func contains(where matches: (SerialContext) -> Bool) -> Bool {
        if RunningContexts.chain(from: queue, contains: matches) { return true }
        var rest = unsafe visit
        while let visit = unsafe rest {
            let context = unsafe visit.pointee.context.takeUnretainedValue()
            if RunningContexts.chain(from: context, contains: matches) { return true }
            unsafe rest = visit.pointee.outer
        }
        return false
    }

    private static func chain(from context: SerialContext?, contains matches: (SerialContext) -> Bool) -> Bool {
        var rest = context
        while let context = rest {
            if matches(context) { return true }
            rest = context.outer
        }
        return false
    }
}

extension ThreadState {
    /// The innermost context that this thread runs.
    var visit: UnsafePointer<Visit>? {
        get { unsafe UnsafePointer(state.pointee.visit?.assumingMemoryBound(to: Visit.self)) }
        nonmutating set { unsafe state.pointee.visit = UnsafeMutableRawPointer(mutating: newValue) }
    }
}

/// The context of a queue that a user has made and has put under the queues of schedulers.
///
/// Dispatch doesn't tell whether it is a concurrent one. It counts as serial until two threads have been seen in it at once.
private final class TargetContext: SerialContext, @unchecked Sendable {  // Atomic word; see the superclass.
    /// The number of the thread that was last seen to run it, 0 for none; ``concurrent`` once there were two.
    private let runner = AtomicWord()

    private static let concurrent: UInt64 = 1

    init() {
        super.init()
    }

    override var isSerial: Bool { runner.load(.relaxed) != TargetContext.concurrent }

    /// Notes that a thread runs a queue that has this target.
    ///
    /// - Returns: What it passes to ``leave(_:_:)``.
    // relaxed: if the queue is serial, it orders the threads that run it. If it isn't, some change may be lost, and a later one
    // is seen.
    func enter(_ token: UInt64) -> UInt64 {
        let seen = runner.load(.relaxed)
        if seen != TargetContext.concurrent {
            runner.store(seen == 0 || seen == token ? token : TargetContext.concurrent, .relaxed)
        }
        return seen == token ? token : 0
    }

    func leave(_ token: UInt64, _ before: UInt64) {
        let seen = runner.load(.relaxed)
        if seen != TargetContext.concurrent {
            runner.store(seen == token ? before : TargetContext.concurrent, .relaxed)
        }
    }
}

/// A context with a closure that tells whether the calling thread runs it.
final class RunnerContext: SerialContext, @unchecked Sendable {  // See the superclass.
    private let isRunHere: @Sendable () -> Bool

    init(_ isRunHere: @escaping @Sendable () -> Bool) {
        self.isRunHere = isRunHere
        super.init()
    }

    override var isCurrent: Bool { isRunHere() }
}

/// The context of work that a task does, on any thread of a pool. A thread that waits for it while it runs a task may be the
/// thread that the other task needs.
class TaskContext: SerialContext, @unchecked Sendable {  // See the superclass.
    /// That of tasks of which nothing else is known.
    static let any = TaskContext()

    /// Whether the calling thread runs a task.
    static var isTaskHere: Bool { unsafe withUnsafeCurrentTask { unsafe $0 != nil } }

    override var isCurrent: Bool { false }
}

/// The context of work that tasks do on the executor of an actor.
final class ExecutorContext: TaskContext, @unchecked Sendable {  // Immutable.
    private let actor: any Actor

    init(of actor: any Actor) {
        self.actor = actor
        super.init()
    }

    override var isCurrent: Bool {
        // Two words. The language has no function for this that doesn't stop the program.
        let executor = unsafe unsafeBitCast(actor.unownedExecutor, to: (UnsafeRawPointer?, UInt).self)
        return unsafe ccorinth_runs_executor(executor.0, executor.1)
    }
}
