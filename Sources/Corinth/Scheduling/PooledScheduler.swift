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
    private let core: PoolCore
    private let ledger: PoolLedger

    init(_ name: String, on base: any DateScheduler, in core: PoolCore, _ ledger: PoolLedger) {
        self.name = name
        self.base = base
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

    /// Queues `action` when a time of day has come; at once, if it has passed. A shutdown of whatever kind cancels it before
    /// that.
    @discardableResult
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        guard date > currentDate else { return schedule(action) }
        return addTimer(repeats: false, action) { self.base.schedule(after: date, action: $0) }
    }

    /// Queues `action` when a time of day has come, and again after each interval, with a leeway of a tenth of it.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0.
    ///   - action: What is run.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval, leeway: interval.usualLeeway, action: action)
    }

    /// Queues `action` when a time of day has come, and again after each interval. A shutdown of whatever kind ends the
    /// repetition.
    ///
    /// - Parameters:
    ///   - date: When the action is queued first.
    ///   - interval: The time from one queueing to the next. At least 0.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0.
    ///   - action: What is run.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        addTimer(repeats: true, action) {
            self.base.schedule(after: date, interval: interval, leeway: leeway, action: $0)
        }
    }

    private func addTimer(
        repeats: Bool, _ action: @escaping () -> Void,
        _ start: (@escaping @Sendable () -> Void) -> (any Disposable)?
    ) -> any Disposable {
        let timer = SerialDisposable()
        guard let handle = core.closing.add(timer) else {
            ledger.refuse()
            return timer
        }
        // Handed over: only the scheduler runs it.
        nonisolated(unsafe) let action = action
        timer.inner = start {
            if !repeats { handle.dispose() }
            guard self.ledger.admit(fromInside: { false }) else { return }
            unsafe self.ledger.run(waited: 0, action)
            self.core.finish(self.ledger)
        }
        return AnyDisposable {
            timer.dispose()
            handle.dispose()
        }
    }

    // MARK: Actions

    fileprivate func run(since start: UInt64, _ action: () -> Void) {
        ledger.run(waited: DispatchTime.now().uptimeNanoseconds &- start, action)
    }

    fileprivate var isCancelling: Bool { ledger.isCancelling }

    fileprivate func cancel() { ledger.cancel() }

    fileprivate func finish() { core.finish(ledger) }
}

/// An action that waits for its turn. Disposing of it lets go of the action at once.
private final class PooledAction: Disposable, @unchecked Sendable {  // The flag settles who may touch the action.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag.
    private var action: (() -> Void)?

    private let scheduler: PooledScheduler

    /// When it was scheduled.
    private let start = DispatchTime.now().uptimeNanoseconds

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
