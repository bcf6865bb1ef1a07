public import Dispatch
public import CorinthEssentials

/// A scheduler whose timers follow a clock: the continuous clock, the suspending clock, or a test's own.
///
/// ```swift
/// let scheduler = ClockScheduler(SuspendingClock())
/// keystrokes.debounce(.milliseconds(300), on: scheduler)
/// ```
///
/// Code that is tested with a manual clock is then tested with the same clock in its streams.
///
/// Its dates are the times of the clock, counted from a date that the clock had when the scheduler was made, in whole
/// nanoseconds. One task sleeps until the earliest timer. When it wakes, the actions that are due are queued on another
/// scheduler, in the order of their times; actions with equal times run in FIFO order.
///
/// - Complexity: O(1) in the number of waiting actions, to schedule and to dispose; three allocations. A timer that becomes the
///   earliest one starts a task.
/// ## Concurrency
/// Any thread may schedule. Actions run where the other scheduler runs its actions, one at a time, in FIFO order (law
/// [C1](doc:Contracts#C1-One-at-a-time)). A hop to this scheduler has the default bound and the rules for waiting of a hop to the
/// other one. Threads that schedule or dispose at the same time exclude one another for a few memory writes.
public final class ClockScheduler<ClockType: Clock>: DateScheduler, Sendable
where ClockType.Duration == Duration {
    private let scheduler: any Scheduler
    private let workItems: any WorkItemScheduler
    private let time: ClockTime<ClockType>
    private let timers: TimerService

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - scheduler: Runs the actions. By default, a queue of its own.
    ///   - startDate: The date that the clock shows now. By default, the time of day.
    public init(_ clock: ClockType, on scheduler: (any Scheduler)? = nil, startDate: Date = Date()) {
        startDate.requireNumber("startDate")
        let scheduler = scheduler ?? QueueScheduler(name: "corinth.ClockScheduler")
        let time = ClockTime(clock, startDate, wakingOn: scheduler)
        self.scheduler = scheduler
        workItems = scheduler.runningWorkItems
        self.time = time
        timers = TimerService(
            clock: { time.now },
            alarm: { time.setAlarm(for: $0) },
            // The service wakes on the scheduler.
            submit: { _, first in first.runAll() })
        time.timers = timers
    }

    /// The clock.
    public var clock: ClockType { time.clock }

    /// The current time of the clock, as a date.
    public var currentDate: Date { time.currentDate }

    /// Queues `action`.
    @discardableResult
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { scheduler.schedule(action) }

    /// Queues `action` at a date; soon, if the date has passed. See ``DateScheduler/schedule(after:action:)``.
    @discardableResult
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        let time = time
        let run = {
            time.reach(date)
            action()
        }
        return start(TimerEntry(run, at: time.moment(of: date), by: timers))
    }

    /// Queues `action` at a date, and again after each interval. One run makes up for all times that pass while the scheduler
    /// is busy; later times don't shift. See ``DateScheduler/schedule(after:interval:leeway:action:)``.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        requireRepetition(after: date, every: interval, leeway)
        return start(
            TimerEntry(
                action, at: time.moment(of: date), every: interval.wholeNanoseconds, leeway: leeway.leewayNanoseconds,
                by: timers))
    }

    private func start(_ entry: TimerEntry) -> any Disposable {
        entry.start()
        return ClockTimer(entry, of: timers)
    }
}

/// The time of a clock: moments are nanoseconds since the scheduler was made. A task sleeps until the earliest timer is due.
private final class ClockTime<ClockType: Clock>: @unchecked Sendable  // Atomic, and written before it is shared.
where ClockType.Duration == Duration {
    let clock: ClockType
    private let origin: ClockType.Instant
    private let startDate: Date
    private let scheduler: any Scheduler

    /// The latest times that an alarm or a timer has waited for. No earlier times are shown, although the clock may count in
    /// other units than nanoseconds, and a date can't hold every nanosecond.
    private let reached: Atomic<(moment: TimePoint, date: Date)>

    private let sleeper = Atomic<Task<Void, Never>?>(nil)

    /// Retained by its scheduler, and by the task while that sleeps. Set once, before this is shared.
    weak var timers: TimerService?

    init(_ clock: ClockType, _ startDate: Date, wakingOn scheduler: any Scheduler) {
        self.clock = clock
        self.startDate = startDate
        self.scheduler = scheduler
        origin = clock.now
        reached = Atomic((.beginning, startDate))
    }

    var now: TimePoint {
        let passed = origin.duration(to: clock.now)
        let moment = TimePoint.beginning.adding(passed > .zero ? passed.dispatchInterval().wholeNanoseconds : 0)
        return max(moment, reached.withValue { $0.moment })
    }

    var currentDate: Date {
        let date = startDate.addingTimeInterval(TimeInterval(now.nanoseconds) / 1e9)
        return max(date, reached.withValue { $0.date })
    }

    func moment(of date: Date) -> TimePoint {
        let nanoseconds = (date.timeIntervalSince(startDate) * 1e9).rounded()
        if nanoseconds >= TimeInterval(TimePoint.never.nanoseconds) { return .never }
        return nanoseconds > 0 ? TimePoint(nanoseconds: UInt64(nanoseconds)) : .beginning
    }

    /// Records that a timer's date has come.
    func reach(_ date: Date) { reached.modify { $0.date = max($0.date, date) } }

    /// Sleeps until a moment, in place of the previous sleep; for ``TimePoint/never``, doesn't sleep.
    func setAlarm(for moment: TimePoint) {
        let next = timers.flatMap { moment < .never ? sleep(until: moment, $0) : nil }
        sleeper.swap(next)?.cancel()
    }

    private func sleep(until moment: TimePoint, _ timers: TimerService) -> Task<Void, Never> {
        Task.detached {
            let instant = self.origin.advanced(by: .nanoseconds(Int64(moment.nanoseconds)))
            guard (try? await self.clock.sleep(until: instant, tolerance: nil)) != nil, !Task.isCancelled else {
                return
            }
            self.reached.modify { $0.moment = max($0.moment, moment) }
            self.scheduler.scheduleInOrder { timers.wake() }
        }
    }
}

/// The disposable of a timer.
private final class ClockTimer: Disposable {
    private let entry: TimerEntry

    /// Not retained: an action may hold its own disposable.
    private weak let timers: TimerService?

    init(_ entry: TimerEntry, of timers: TimerService) {
        self.entry = entry
        self.timers = timers
    }

    var isDisposed: Bool { entry.isDisposed }

    func dispose() {
        // A service that is gone has ended its entries.
        guard let timers else { return }
        withExtendedLifetime(timers) {
            entry.dispose()
            timers.cancelIdleAlarm()
        }
    }
}

extension ClockScheduler: ForwardingScheduler {
    var target: any Scheduler { scheduler }
}

// A hop to this scheduler is one to the scheduler that runs its actions, with the same rules for who may wait.
extension ClockScheduler: WorkItemScheduler {
    @usableFromInline var label: String { workItems.label }

    @usableFromInline
    func post(_ workItem: WorkItem) { workItems.post(workItem) }

    @usableFromInline
    func perform(_ action: @escaping @Sendable () -> Void) { workItems.perform(action) }

    @usableFromInline
    func rescheduleToken(for workItem: WorkItem) -> @Sendable () -> Void { workItems.rescheduleToken(for: workItem) }

    @usableFromInline var context: SerialContext? { workItems.context }

    @usableFromInline var order: ScheduleOrder { workItems.order }

    @usableFromInline var lingerLimit: UInt64 { workItems.lingerLimit }

    @usableFromInline var hasWaitingWork: Bool { workItems.hasWaitingWork }

    @usableFromInline var knowsWaitingWork: Bool { workItems.knowsWaitingWork }

    @usableFromInline var runsByItself: Bool { workItems.runsByItself }
}
