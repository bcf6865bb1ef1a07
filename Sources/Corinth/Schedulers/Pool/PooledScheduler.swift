public import Dispatch
public import CorinthEssentials

/// A serial scheduler of a ``QueueSchedulerPool``, used like any other scheduler.
///
/// After a shutdown of the pool, it refuses actions: they don't run and are released at once, and the returned disposable is
/// already disposed of. While the pool drains, actions that its own actions schedule are accepted on all its schedulers.
///
/// ## Concurrency
/// Like a ``QueueScheduler``: any thread may schedule, and actions run one at a time, in FIFO order (law
/// [C1](doc:Contracts#C1-One-at-a-time)).
public final class PooledScheduler: DateScheduler {
    /// The name of the pool, a dot, and this scheduler's index: the label of its queue.
    public let name: String

    let base: any DateScheduler

    /// The base if it runs work items; nil for a scheduler of another pool, which may refuse them.
    private let workItems: (any WorkItemScheduler)?

    /// Replaces the context of a base that has none.
    private let ownContext: SerialContext?
    @usableFromInline let core: PoolCore
    private let state: PoolSchedulerState

    init(_ name: String, on base: any DateScheduler, in core: PoolCore, _ state: PoolSchedulerState) {
        self.name = name
        self.base = base
        workItems = base is PooledScheduler ? nil : base as? any WorkItemScheduler
        ownContext = workItems?.context == nil ? RunnerContext { state.runsHere } : nil
        self.core = core
        self.state = state
        if Registry.isOn { Registry.enter(self, .scheduler) }
    }

    deinit { if Registry.mayContainAny { Registry.leave(self) } }

    /// The system's time of day.
    public var currentDate: Date { base.currentDate }

    /// The work counts of this scheduler.
    public var statistics: SchedulerStatistics { state.statistics(name: name) }

    /// How many actions are queued or running.
    var load: UInt64 { state.load }

    /// Queues `action`.
    ///
    /// - Complexity: O(1); two more atomic operations and two more clock reads than ``QueueScheduler``.
    @discardableResult
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        schedule(action) { self.core.isInside }
    }

    /// Queues values held by an operator that holds the pool. A draining pool accepts them.
    func continueLater(_ action: @escaping () -> Void) {
        schedule(action) { true }
    }

    @discardableResult
    private func schedule(_ action: @escaping () -> Void, fromInside isInside: () -> Bool) -> any Disposable {
        guard state.admit(fromInside: isInside) else { return PooledScheduler.refusal }
        let pooled = PooledAction(action, on: self)
        base.schedule { pooled.run() }
        return pooled
    }

    private static let refusal: any Disposable = {
        let disposable = AnyDisposable()
        disposable.dispose()
        return disposable
    }()

    // MARK: Timers

    /// Queues `action` at a date; at once, if the date has passed. Each kind of shutdown cancels it before that.
    @discardableResult
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        guard date > currentDate else { return schedule(action) }
        let timer = PooledTimer(nil, in: core.closing)
        guard admits(timer) else { return timer }
        timer.fill(
            base.schedule(after: date) {
                timer.dispose()
                self.runTimer(action)
            })
        return timer
    }

    /// Queues `action` at a date, and again after each interval, with a leeway of a tenth of the interval.
    /// See ``DateScheduler/schedule(after:interval:leeway:action:)``.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval, leeway: interval.usualLeeway, action: action)
    }

    /// Queues `action` at a date, and again after each interval. Each kind of shutdown ends the repetition.
    /// See ``DateScheduler/schedule(after:interval:leeway:action:)``.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        requireRepetition(after: date, every: interval, leeway)
        let timer = PooledTimer(nil, in: core.closing)
        guard admits(timer) else { return timer }
        timer.fill(base.schedule(after: date, interval: interval, leeway: leeway) { self.runTimer(action) })
        return timer
    }

    /// Whether a timer may start. Asked before it does, so that a shutdown finds every running timer.
    private func admits(_ timer: PooledTimer) -> Bool {
        if core.closing.insert(timer) { return true }
        state.refuse()
        return false
    }

    private func runTimer(_ action: () -> Void) {
        guard state.admit(fromInside: { false }) else { return }
        state.run(waited: 0, action)
        core.finish(state)
    }

    // MARK: Actions

    fileprivate func run(since start: UInt64, _ action: () -> Void) {
        state.run(waited: MonotonicTime.now &- start, action)
    }

    fileprivate var isCancelling: Bool { state.isCancelling }

    fileprivate func cancel() { state.cancel() }

    fileprivate func run(_ workItem: WorkItem, since start: UInt64) {
        // A cancelled work item runs too: its stream has been interrupted, so it drops its values and wakes the waiting
        // senders.
        if isCancelling {
            state.cancel()
            workItem.run()
        } else {
            run(since: start) { workItem.run() }
        }
    }

    fileprivate func finish() { core.finish(state) }
}

extension PooledScheduler: WorkItemScheduler {
    @usableFromInline var label: String { name }

    @usableFromInline
    func post(_ workItem: WorkItem) { post(workItem) { core.isInside } }

    func post(_ workItem: WorkItem, fromInside isInside: () -> Bool) {
        guard state.admit(fromInside: isInside) else { return }
        guard let workItems else {
            let start = MonotonicTime.now
            base.schedule {
                self.run(workItem, since: start)
                self.finish()
            }
            return
        }
        // The kept one, unless an earlier post has not run.
        let kept = workItem.attachment as? PooledWorkItem
        let pooled = if let kept, kept.isFree { kept } else { PooledWorkItem(on: self) }
        if kept == nil { workItem.attachment = pooled }
        pooled.prepare(workItem)
        workItems.post(pooled)
    }

    /// Holds the pool until the token is used.
    @usableFromInline
    func rescheduleToken(for workItem: WorkItem) -> @Sendable () -> Void {
        let core = core
        guard core.hold() else { return {} }
        return {
            Probe.wake(workItem)
            self.post(workItem) { true }
            core.release()
        }
    }

    /// The context of the base; its own context if the base has none.
    @usableFromInline
    var context: SerialContext? { ownContext ?? workItems?.context }

    @usableFromInline
    var order: ScheduleOrder { base.knownOrder }

    var isInsidePool: Bool { context?.isCurrent == true || core.isInside }

    @usableFromInline
    var runsByItself: Bool { workItems?.runsByItself == true }
}

/// A timer of a pool's scheduler. It holds the base's timer, and is one of the entries that a shutdown disposes of.
private final class PooledTimer: DisposableEntry, @unchecked Sendable {
    override func dispose() { disposeOfContents() }
}

/// The counted form of a work item, posted to the base of a pool's scheduler. The work item keeps it between posts.
private final class PooledWorkItem: WorkItem, @unchecked Sendable {  // Posts and runs alternate.
    /// The time of the post.
    private let start = AtomicWord()

    private let scheduler: PooledScheduler

    /// The work item to run. Owned by the posting code, then by the run until it has begun.
    private var workItem: WorkItem?

    init(on scheduler: PooledScheduler) {
        self.scheduler = scheduler
        super.init { workItem in unsafe unsafeDowncast(workItem, to: PooledWorkItem.self).runOnce() }
    }

    /// Whether it isn't posted.
    var isFree: Bool {
        // acquire: sees that the previous run has taken its work item.
        start.load(.acquire) == 0
    }

    /// Called if it is free.
    func prepare(_ workItem: WorkItem) {
        PlainAccess.write(self)
        self.workItem = workItem
        // release: publishes the work item, whatever the base does. Pairs with the acquire in `runWorkItem()`.
        start.store(MonotonicTime.now, .release)
    }

    private func runOnce() {
        let scheduler = scheduler
        runWorkItem()
        // After the work item was released: code that waits for the end of the pool finds nothing left.
        scheduler.finish()
    }

    @inline(never)
    private func runWorkItem() {
        // acquire: see `prepare(_:)`.
        let posted = start.load(.acquire)
        PlainAccess.write(self)
        guard let workItem = workItem.take() else { return }
        // release: see `prepare(_:)`.
        start.store(0, .release)
        scheduler.run(workItem, since: posted)
    }
}

/// An action queued on a pool's scheduler. Disposing of it releases the action at once.
///
/// The pool counts the action as finished after its release: code that waits for the end of the pool finds nothing left.
/// Therefore the functions that take the action aren't inlined.
private final class PooledAction: OneShotAction, Disposable, @unchecked Sendable {  // See the superclass.
    private let scheduler: PooledScheduler

    /// The time of scheduling.
    private let start = MonotonicTime.now

    init(_ action: @escaping () -> Void, on scheduler: PooledScheduler) {
        self.scheduler = scheduler
        super.init(action)
    }

    var isDisposed: Bool { isTaken }

    override func run() { if runTaken() { scheduler.finish() } }

    func dispose() { if drop() { scheduler.finish() } }

    @inline(never)
    private func runTaken() -> Bool {
        guard let action = take() else { return false }
        if scheduler.isCancelling { scheduler.cancel() } else { scheduler.run(since: start, action) }
        return true
    }

    @inline(never)
    private func drop() -> Bool {
        if take() == nil { return false }
        scheduler.cancel()
        return true
    }
}
