public import Dispatch
public import Foundation

/// One scheduler of a ``QueueSchedulerPool``: serial, and used like any other.
///
/// After the pool was shut down, what is scheduled is refused: it doesn't run, is let go of at once, and the disposable that
/// is returned has been disposed of. While the pool drains, what its own actions schedule is taken, on any of its
/// schedulers.
///
/// ## Concurrency
/// As of a ``QueueScheduler``: any thread may schedule, and actions run one at a time, in order (law C1).
public final class PooledScheduler: DateScheduler {
    /// The name of the pool, a dot, and this scheduler's place in it: the label of its queue.
    public let name: String

    private let base: any DateScheduler

    /// The base, if it runs errands. One of another pool's may refuse them.
    private let errands: (any ErrandScheduler)?

    /// What stands for the context of a base that has none.
    private let ownContext: SerialContext?
    @usableFromInline let core: PoolCore
    private let ledger: PoolLedger

    init(_ name: String, on base: any DateScheduler, in core: PoolCore, _ ledger: PoolLedger) {
        self.name = name
        self.base = base
        errands = base is PooledScheduler ? nil : base as? any ErrandScheduler
        ownContext = errands?.context == nil ? RunnerContext { ledger.runsHere } : nil
        self.core = core
        self.ledger = ledger
    }

    /// The time of day, as the system has it.
    public var currentDate: Date { base.currentDate }

    /// What it has done, and has still to do.
    public var statistics: SchedulerStatistics { ledger.statistics(name: name) }

    /// How many actions wait or run.
    var load: UInt64 { ledger.load }

    /// Queues `action`.
    ///
    /// - Complexity: O(1); two atomic operations and two readings of the clock more than ``QueueScheduler`` takes.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        schedule(action) { self.core.isInside }
    }

    /// Queues what an operator has in hand, for which it holds the pool: that is taken as long as the pool drains.
    func continueLater(_ action: @escaping () -> Void) {
        schedule(action) { true }
    }

    @discardableResult
    private func schedule(_ action: @escaping () -> Void, fromInside isInside: () -> Bool) -> any Disposable {
        guard ledger.admit(fromInside: isInside) else { return PooledScheduler.refusal }
        let pooled = PooledAction(action, on: self)
        base.schedule { pooled.runOnce() }
        return pooled
    }

    private static let refusal: any Disposable = {
        let disposable = AnyDisposable()
        disposable.dispose()
        return disposable
    }()

    // MARK: Timers

    /// Queues `action` when a date has come; at once, if it has passed. A shutdown of whatever kind cancels it before
    /// that.
    @discardableResult
    @preconcurrency
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        guard date > currentDate else { return schedule(action) }
        return addTimer { timer in
            // Handed over: only the scheduler runs it.
            nonisolated(unsafe) let action = action
            return base.schedule(after: date) {
                timer.dispose()
                unsafe self.runTimer(action)
            }
        }
    }

    /// Queues `action` when a date has come, and again after each interval, with a leeway of a tenth of it.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0; with `.never`, there is one only.
    ///   - action: What is run.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval, leeway: interval.usualLeeway, action: action)
    }

    /// Queues `action` when a date has come, and again after each interval. A shutdown of whatever kind ends the
    /// repetition.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0; with `.never`, there is one only.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    ///   - action: What is run.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        date.requireNumber()
        interval.requireNonnegative("interval")
        leeway.requireNonnegative("leeway")
        return addTimer { _ in
            nonisolated(unsafe) let action = action
            return base.schedule(after: date, interval: interval, leeway: leeway) { unsafe self.runTimer(action) }
        }
    }

    private func addTimer(_ start: (PooledTimer) -> (any Disposable)?) -> any Disposable {
        let timer = PooledTimer(nil, in: core.closing)
        // Before it is started, so that a shutdown finds every one that runs.
        if core.closing.insert(timer) { timer.fill(start(timer)) } else { ledger.refuse() }
        return timer
    }

    private func runTimer(_ action: () -> Void) {
        guard ledger.admit(fromInside: { false }) else { return }
        ledger.run(waited: 0, action)
        core.finish(ledger)
    }

    // MARK: Actions

    fileprivate func run(since start: UInt64, _ action: () -> Void) {
        ledger.run(waited: MonotonicTime.now &- start, action)
    }

    fileprivate var isCancelling: Bool { ledger.isCancelling }

    fileprivate func cancel() { ledger.cancel() }

    fileprivate func run(_ errand: Errand, since start: UInt64) {
        // One that is cancelled is run all the same: what it delivers to has been interrupted, so that it drops what it has,
        // and wakes those that wait for room.
        if isCancelling {
            ledger.cancel()
            errand.run()
        } else {
            run(since: start) { errand.run() }
        }
    }

    fileprivate func finish() { core.finish(ledger) }
}

extension PooledScheduler: ErrandScheduler {
    @usableFromInline
    func post(_ errand: Errand) { post(errand) { core.isInside } }

    func post(_ errand: Errand, fromInside isInside: () -> Bool) {
        guard ledger.admit(fromInside: isInside) else { return }
        guard let errands else {
            let start = MonotonicTime.now
            base.schedule {
                self.run(errand, since: start)
                self.finish()
            }
            return
        }
        let pooled = errand.attachment as? PooledErrand ?? PooledErrand(on: self)
        errand.attachment = pooled
        pooled.prepare(errand)
        errands.post(pooled)
    }

    /// The pool doesn't end before it has been kept.
    @usableFromInline
    func promise(_ errand: Errand) -> @Sendable () -> Void {
        let core = core
        guard core.hold() else { return {} }
        return {
            Probe.wake(errand)
            self.post(errand) { true }
            core.release()
        }
    }

    /// Of the base, if it has one.
    @usableFromInline
    var context: SerialContext? { ownContext ?? errands?.context }

    var isInsidePool: Bool { context?.isCurrent == true || core.isInside }

    @usableFromInline
    var runsByItself: Bool { errands?.runsByItself == true }
}

/// A timer of a pool's scheduler, which holds the timer of the base: an entry among what a shutdown disposes of.
private final class PooledTimer: CompositeEntry, @unchecked Sendable {
    override func dispose() { disposeOfContents() }
}

/// An errand as the base of a pool's scheduler runs it: counted. The errand keeps it from one post to the next.
private final class PooledErrand: Errand, @unchecked Sendable {  // Posts come one at a time, and after the run before.
    /// When it was posted.
    private var startStorage: UInt64 = 0

    private let scheduler: PooledScheduler

    /// What is to be run. Owned by whoever posts, and then by the run, until that has begun.
    private var errand: Errand?

    private var start: AtomicWord { AtomicWord(of: self, at: Errand.size) }

    init(on scheduler: PooledScheduler) {
        self.scheduler = scheduler
        super.init { errand in unsafe unsafeDowncast(errand, to: PooledErrand.self).runOnce() }
    }

    func prepare(_ errand: Errand) {
        // acquire: sees that the run before has taken its own.
        _ = start.load(.acquire)
        PlainAccess.write(self)
        self.errand = errand
        // release: publishes the errand, whatever the base does. Pairs with the acquire in `runErrand()`.
        start.store(MonotonicTime.now, .release)
    }

    private func runOnce() {
        let scheduler = scheduler
        runErrand()
        // After the errand was let go of: who waits for the end of the pool finds nothing left.
        scheduler.finish()
    }

    @inline(never)
    private func runErrand() {
        // acquire: as said in `prepare(_:)`.
        let posted = start.load(.acquire)
        PlainAccess.write(self)
        guard let errand = errand.take() else { return }
        // release: as said in `prepare(_:)`.
        start.store(0, .release)
        scheduler.run(errand, since: posted)
    }
}

/// An action that waits for its turn. Disposing of it lets go of the action at once.
private final class PooledAction: Disposable, @unchecked Sendable {  // The flag settles who may touch the action.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag.
    private var action: (() -> Void)?

    private let scheduler: PooledScheduler

    /// When it was scheduled.
    private let start = MonotonicTime.now

    init(_ action: @escaping () -> Void, on scheduler: PooledScheduler) {
        self.action = action
        self.scheduler = scheduler
    }

    private var flag: DisposalFlag { DisposalFlag(of: self) }

    var isDisposed: Bool { flag.isRaised }

    func runOnce() {
        guard flag.raise() else { return }
        if scheduler.isCancelling { drop() } else { run() }
        // After the action was let go of: who waits for the end of the pool finds nothing left.
        scheduler.finish()
    }

    func dispose() {
        guard flag.raise() else { return }
        drop()
        scheduler.finish()
    }

    @inline(never)
    private func run() {
        guard let action = action.take() else { return }
        scheduler.run(since: start, action)
    }

    @inline(never)
    private func drop() {
        _ = action.take()
        scheduler.cancel()
    }
}
