/// Work that is scheduled repeatedly. A scheduler queues the object itself, without a closure or a disposable for each post.
///
/// The posting code must not post it again before its run has begun. A subclass defines the work.
@usableFromInline
class WorkItem: Resumable, @unchecked Sendable {  // Posts come one at a time; they own `attachment`.
    /// A closure without captures, made where the subclass's types are known. It isn't a method: a method of a generic class
    /// called through its table runs unspecialised code.
    @usableFromInline final let work: (WorkItem) -> Void

    /// What the scheduler keeps for it between posts. Owned by the posting code.
    @safe @exclusivity(unchecked)
    @usableFromInline final var attachment: AnyObject?

    @inlinable
    init(work: @escaping (WorkItem) -> Void) {
        self.work = work
        attachment = nil
        super.init()
    }

    /// Does the work. Called by the scheduler.
    @inlinable @inline(__always)
    final func run() { work(self) }

    /// Posts it to a scheduler, which runs it once.
    @inlinable
    final func post(to scheduler: any WorkItemScheduler) {
        Probe.wake(self)
        scheduler.order.raise()
        scheduler.post(self)
    }
}

/// What the engine requires of a scheduler: it runs work items one at a time, in FIFO order, without a closure for each.
@usableFromInline
protocol WorkItemScheduler: AnyObject, Sendable {
    /// Runs the work item once, and retains it until then. A work item is posted to one scheduler only.
    func post(_ workItem: WorkItem)

    /// Runs an action, in FIFO order with the work items.
    func perform(_ action: @escaping @Sendable () -> Void)

    /// A closure that posts a work item again, from any thread. The work item's run requests it when it is about to end with
    /// work left. The scheduler accepts this post even if it was shut down meanwhile.
    func rescheduleToken(for workItem: WorkItem) -> @Sendable () -> Void

    /// The context in which its actions run one at a time, if known. A thread that runs this context can't wait for it.
    var context: SerialContext? { get }

    /// The order of its actions.
    var order: ScheduleOrder { get }

    /// For how long a drain may occupy the scheduler while it waits for the next element. In nanoseconds; 0 for never.
    var lingerLimit: UInt64 { get }

    /// Whether other work waits for the running work item to end. Called by that work item, repeatedly.
    var hasWaitingWork: Bool { get }

    /// Whether ``hasWaitingWork`` is ever true.
    var knowsWaitingWork: Bool { get }

    /// What its user calls it, for ``Inspector``.
    var label: String { get }

    /// Whether it has threads that run its work. False if its user runs it, possibly after all values were sent.
    var runsByItself: Bool { get }
}

extension WorkItemScheduler {
    @usableFromInline var context: SerialContext? { nil }

    @usableFromInline var order: ScheduleOrder { .none }

    @usableFromInline var lingerLimit: UInt64 { 0 }

    @usableFromInline var hasWaitingWork: Bool { false }

    @usableFromInline var knowsWaitingWork: Bool { false }

    @usableFromInline var runsByItself: Bool { true }

    @usableFromInline var label: String { "\(type(of: self))" }

    @usableFromInline
    func rescheduleToken(for workItem: WorkItem) -> @Sendable () -> Void {
        { workItem.post(to: self) }
    }
}
