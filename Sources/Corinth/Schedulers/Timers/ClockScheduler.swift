public import Dispatch
public import Foundation

/// A scheduler whose timers follow a clock: the continuous clock, the suspending clock, or a test's own.
///
/// ```swift
/// let scheduler = ClockScheduler(SuspendingClock())
/// keystrokes.debounce(.milliseconds(300), on: scheduler)
/// ```
///
/// Code that is tested with a manual clock is then tested with the same clock in its streams.
///
/// Its dates are the times of the clock, counted from a date that the clock had when the scheduler was made. One task sleeps
/// until the earliest timer. When it wakes, it queues the actions that are due on another scheduler, in the order of their
/// times; actions with equal times run in FIFO order.
///
/// - Complexity: O(*n*) to schedule with *n* waiting timers. Made for tests and for a few timers; a ``QueueScheduler`` has a wheel.
/// ## Concurrency
/// Any thread may schedule. Actions run where the other scheduler runs its actions, one at a time, in FIFO order (law C1). A
/// hop to this scheduler has the default bound and the rules for waiting of a hop to the other one.
public final class ClockScheduler<ClockType: Clock>: DateScheduler, @unchecked Sendable  // Atomic and immutable.
where ClockType.Duration == Duration {
    private struct State: Sendable {
        /// The waiting timers, the latest first.
        var waiting: [ClockTimer] = []

        /// Sleeps until the earliest timer, which is due at `wakeUp`.
        var sleeper: Task<Void, Never>?
        var wakeUp = Date.distantFuture

        /// No time before this one is shown: a timer that was woken for it sees it.
        var reached: Date
        var count: UInt64 = 0
    }

    /// The clock.
    public let clock: ClockType
    private let scheduler: any Scheduler
    private let workItems: any WorkItemScheduler
    private let origin: ClockType.Instant
    private let startDate: Date
    private let state: Atomic<State>

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - scheduler: Runs the actions. By default, a queue of its own.
    ///   - startDate: The date that the clock shows now. By default, the time of day.
    public init(_ clock: ClockType, on scheduler: (any Scheduler)? = nil, startDate: Date = Date()) {
        startDate.requireNumber("startDate")
        self.clock = clock
        let scheduler = scheduler ?? QueueScheduler(name: "corinth.ClockScheduler")
        self.scheduler = scheduler
        workItems = scheduler.runningWorkItems
        origin = clock.now
        self.startDate = startDate
        state = Atomic(State(reached: startDate))
    }

    /// The current time of the clock, as a date.
    public var currentDate: Date {
        let date = startDate.addingTimeInterval(origin.duration(to: clock.now).timeInterval)
        return max(date, state.withValue { $0.reached })
    }

    /// Queues `action`.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { scheduler.schedule(action) }

    /// Queues `action` at a date. See ``DateScheduler/schedule(after:action:)``.
    @discardableResult
    @preconcurrency
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        return add(ClockTimer(action, at: date, every: nil, leeway: .zero))
    }

    /// Queues `action` at a date, and again after each interval. One run makes up for all times that pass while the scheduler
    /// is busy; later times don't shift. See ``DateScheduler/schedule(after:interval:leeway:action:)``.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        date.requireNumber()
        interval.requireNonnegative("interval")
        leeway.requireNonnegative("leeway")
        let seconds = leeway.timeInterval
        return add(
            ClockTimer(
                action, at: date, every: interval.timeInterval, leeway: seconds.isFinite ? .seconds(seconds) : .zero))
    }

    // MARK: The queue of timers

    private func add(_ timer: ClockTimer) -> any Disposable {
        timer.cancellation = { [weak self] in self?.remove($0) }
        insert(timer)
        return timer
    }

    private func insert(_ timer: ClockTimer) {
        let isEarliest = state.modify { state in
            state.count += 1
            timer.number = state.count
            let index = state.waiting.firstIndex { $0.precedes(timer) } ?? state.waiting.endIndex
            state.waiting.insert(timer, at: index)
            return timer.date < state.wakeUp && index == state.waiting.endIndex - 1
        }
        if isEarliest { sleep() }
    }

    private func remove(_ timer: ClockTimer) {
        let idle = state.modify { state -> Task<Void, Never>? in
            state.waiting.removeAll { $0 === timer }
            guard state.waiting.isEmpty else { return nil }
            state.wakeUp = .distantFuture
            return state.sleeper.take()
        }
        idle?.cancel()
    }

    /// Replaces the sleeper by one that wakes at the earliest timer.
    private func sleep() {
        let old = state.modify { state -> Task<Void, Never>? in
            guard let earliest = state.waiting.last, earliest.date < state.wakeUp else { return nil }
            let (date, leeway) = (earliest.date, earliest.leeway)
            state.wakeUp = date
            let old = state.sleeper
            state.sleeper = Task.detached { await self.sleep(until: date, leeway) }
            return old
        }
        old?.cancel()
    }

    private func sleep(until date: Date, _ leeway: Duration) async {
        // Rounded: a date has no more digits.
        let seconds = min(max(date.timeIntervalSince(startDate), -1e9), 1e10)
        let instant = origin.advanced(by: .microseconds((seconds * 1e6).rounded()))
        guard (try? await clock.sleep(until: instant, tolerance: leeway > .zero ? leeway : nil)) != nil else { return }
        if Task.isCancelled { return }
        state.modify { state in
            state.reached = max(state.reached, date)
            if state.wakeUp == date { state.wakeUp = .distantFuture }
        }
        scheduler.scheduleInOrder { self.runDue() }
    }

    /// Runs the actions that are due, in the order of their times.
    private func runDue() {
        let now = currentDate
        while let timer = state.modify({ state in
            state.waiting.last.map { $0.date <= now } == true ? state.waiting.removeLast() : nil
        }) {
            timer.run()
            if timer.becomesDueAgain(after: now) { insert(timer) }
        }
        sleep()
    }
}

/// An action that waits for its time.
private final class ClockTimer: Disposable, @unchecked Sendable {  // Whoever removes it owns its date.
    private let action: AnyDisposableAction
    private(set) var date: Date
    private let interval: TimeInterval?
    let leeway: Duration
    var number: UInt64 = 0

    /// Removes a timer from the queue. Written before this is shared.
    var cancellation: (@Sendable (ClockTimer) -> Void)?

    init(_ action: @escaping () -> Void, at date: Date, every interval: TimeInterval?, leeway: Duration) {
        self.action = AnyDisposableAction(action)
        self.date = date
        self.interval = interval
        self.leeway = leeway
    }

    /// Whether this comes before another one: earlier, or added before.
    func precedes(_ other: ClockTimer) -> Bool { (date, number) <= (other.date, other.number) }

    func run() { action.run() }

    /// Moves the date to the first time after `now`. False if the action doesn't run again.
    func becomesDueAgain(after now: Date) -> Bool {
        guard let interval, interval.isFinite, !isDisposed else {
            action.dispose()
            return false
        }
        let missed = interval > 0 ? max(0, (now.timeIntervalSince(date) / interval).rounded(.down)) : 0
        date += (missed + 1) * interval
        return true
    }

    var isDisposed: Bool { action.isDisposed }

    func dispose() {
        action.dispose()
        cancellation?(self)
    }
}

/// An action that is released when it is disposed of.
private final class AnyDisposableAction: @unchecked Sendable {  // Serial runs.
    private let action: Atomic<(() -> Void)?>

    init(_ action: @escaping () -> Void) {
        self.action = Atomic(action)
    }

    var isDisposed: Bool { action.withValue { $0 == nil } }

    func run() { action.value?() }

    func dispose() { _ = action.swap(nil) }
}

// A hop to this scheduler is one to the scheduler that runs its actions, with the same rules for who may wait.
extension ClockScheduler: WorkItemScheduler {
    @usableFromInline
    func post(_ workItem: WorkItem) { workItems.post(workItem) }

    @usableFromInline
    func perform(_ action: @escaping @Sendable () -> Void) { workItems.perform(action) }

    @usableFromInline
    func rescheduleToken(for workItem: WorkItem) -> @Sendable () -> Void { workItems.rescheduleToken(for: workItem) }

    @usableFromInline var context: SerialContext? { workItems.context }

    @usableFromInline var lingerLimit: UInt64 { workItems.lingerLimit }

    @usableFromInline var hasWaitingWork: Bool { workItems.hasWaitingWork }

    @usableFromInline var knowsWaitingWork: Bool { workItems.knowsWaitingWork }

    @usableFromInline var runsByItself: Bool { workItems.runsByItself }
}
