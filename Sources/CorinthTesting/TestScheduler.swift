public import Corinth
public import Dispatch
public import Foundation

/// A scheduler with virtual time, which advances only when a test requests it (law [C4](doc:Contracts#C4-Virtual-time)).
///
/// ```swift
/// let scheduler = TestScheduler()
/// signal.debounce(1, on: scheduler).observe(recorder.observer)
/// input.send(value: 1)
/// scheduler.advance(by: .seconds(1))
/// #expect(recorder.values == [1])
/// ```
///
/// Actions run on the thread that advances, in the order of their times. Actions with equal times run in FIFO order. No action
/// runs before an advance, even if it is scheduled for now.
///
/// - Complexity: Scheduling, disposing and running an action take O(log pending actions).
///
/// ## Concurrency
/// Any thread may schedule and dispose, even inside an action. Neither waits for an action. Threads that advance at the same
/// time alternate, action by action. An action may itself advance the scheduler.
public final class TestScheduler: DateScheduler, @unchecked Sendable {  // The condition guards all of its state.
    private let condition = NSCondition()
    private var date: Date
    private var waiting = TestActions()

    /// The thread that runs an action, and the number of nested actions.
    private var runner: ObjectIdentifier?
    private var depth = 0

    /// Makes a scheduler that starts at a time.
    ///
    /// - Parameter startDate: The initial time. By default, the beginning of the 21st century. Must be finite.
    public init(startDate: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        startDate.requireFinite("startDate")
        date = startDate
    }

    deinit {
        // A disposable that outlives the scheduler then holds no action.
        waiting.releaseAll()
    }

    /// The current virtual time.
    public var currentDate: Date { condition.withLock { date } }

    /// The number of pending actions. A repeated action counts as one.
    public var pendingCount: Int { condition.withLock { waiting.count } }

    // MARK: Scheduling

    /// Schedules `action` for now. The next advance runs it.
    @discardableResult
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        add(TestAction(action), at: nil)
    }

    /// Schedules `action` after a delay. With `.never`, it never runs.
    @discardableResult
    public func schedule(after delay: DispatchTimeInterval, action: sending @escaping () -> Void) -> (any Disposable)? {
        schedule(after: currentDate.adding(delay), action: action)
    }

    /// Schedules `action` for a time. If the time has passed, the next advance runs it without setting the clock back. Only
    /// ``run()`` runs actions that are scheduled for `.distantFuture`.
    @discardableResult
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        return add(TestAction(action), at: date)
    }

    /// Schedules `action` for a time, and again after an interval following each run.
    ///
    /// - Parameters:
    ///   - date: The time of the first run. `.distantPast` means now.
    ///   - interval: The time between two runs. At least 0. With 0, an advance never ends. With `.never`, there is only one
    ///     run.
    ///   - leeway: Ignored, because virtual time is exact. At least 0.
    ///   - action: The action.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0),
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        requireRepetition(after: date, every: interval, leeway)
        // Otherwise all runs since `.distantPast` would be made up for, and an advance would never end.
        return add(TestAction(action, interval: interval.timeInterval), at: date > .distantPast ? date : nil)
    }

    // MARK: Time

    /// Advances by one nanosecond, and runs the actions that are due now.
    public func advance() { advance(by: .nanoseconds(1)) }

    /// Advances by an interval, and runs the actions that become due. The interval must be finite: ``run()`` runs everything.
    public func advance(by interval: DispatchTimeInterval) { advance(by: interval.timeInterval) }

    /// Advances by an interval in seconds, and runs the actions that become due.
    public func advance(by interval: TimeInterval) { runAll(until: later(by: interval)) }

    /// Advances to a time, and runs the actions that become due.
    public func advance(to newDate: Date) {
        requireLater(newDate)
        runAll(until: newDate)
    }

    /// Advances to the distant future, and runs all actions, including those that are scheduled meanwhile.
    ///
    /// It doesn't return while an action is left. So a timer that nobody disposes of keeps it running for ever, and so does an
    /// action that schedules the next one. `advance(by:)` and `advance(to:)` return at their time.
    public func run() { advance(to: .distantFuture) }

    /// Advances by one nanosecond, runs the actions that are due now, and lets tasks run before and after each.
    @MainActor
    public func advance() async { await advance(by: .nanoseconds(1)) }

    /// Advances by an interval, and lets tasks run before and after each action.
    @MainActor
    public func advance(by interval: DispatchTimeInterval) async { await advance(by: interval.timeInterval) }

    /// Advances by an interval in seconds, and lets tasks run before and after each action.
    @MainActor
    public func advance(by interval: TimeInterval) async {
        await runAll(until: later(by: interval))
    }

    /// Advances to a time, and lets tasks run before and after each action. The tasks may schedule further actions.
    ///
    /// It yields repeatedly so that tasks can run. A task that waits for anything except this scheduler may run too late.
    @MainActor
    public func advance(to newDate: Date) async {
        requireLater(newDate)
        await runAll(until: newDate)
    }

    /// Advances to the distant future, runs all actions, and lets tasks run before and after each action. It doesn't return
    /// while a timer is left that nobody disposes of.
    @MainActor
    public func run() async { await advance(to: .distantFuture) }

    /// Sets the clock back, as a user can. Scheduled actions keep their times.
    ///
    /// - Parameter interval: How far to set it back. At least 0, and finite.
    public func rewind(by interval: DispatchTimeInterval) {
        interval.requireNonnegative("interval")
        precondition(interval.timeInterval.isFinite, "interval is .never, but must be finite")
        condition.withLock { date = date.addingTimeInterval(-interval.timeInterval) }
    }

    private func requireLater(_ newDate: Date) {
        newDate.requireFinite("newDate")
        let now = currentDate
        precondition(
            now <= newDate,
            "newDate is \(now.timeIntervalSince(newDate)) s before the current time, but must not be: use rewind(by:)")
    }

    private func later(by interval: TimeInterval) -> Date {
        precondition(interval >= 0, "interval is \(interval) s, but must be at least 0: use rewind(by:)")
        precondition(interval.isFinite, "interval is \(interval) s, but must be finite: use run()")
        return currentDate.addingTimeInterval(interval)
    }

    private func runAll(until limit: Date) {
        while runNext(until: limit) {}
    }

    @MainActor
    private func runAll(until limit: Date) async {
        repeat { await TestScheduler.letTasksRun() } while runNext(until: limit)
        await TestScheduler.letTasksRun()
    }

    private static func letTasksRun() async {
        for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
    }

    // MARK: The queue

    private func add(_ item: TestAction, at date: Date?) -> any Disposable {
        condition.withLock {
            item.scheduler = self
            waiting.insert(item, at: date ?? self.date)
        }
        return item
    }

    func isOver(_ item: TestAction) -> Bool { condition.withLock { item.isOver } }

    func cancel(_ item: TestAction) {
        let action = condition.withLock {
            item.isOver = true
            waiting.remove(item)
            return item.action.take()
        }
        // Released while the lock isn't held.
        _ = consume action
    }

    /// Runs the next action that is due by `limit`. If there is none, advances to `limit` and returns false.
    private func runNext(until limit: Date) -> Bool {
        guard let (item, action) = takeNext(until: limit) else { return false }
        action()
        condition.withLock {
            depth -= 1
            if depth == 0 {
                runner = nil
                condition.broadcast()
            }
            if let interval = item.interval, !item.isOver {
                waiting.insert(item, at: item.due.addingTimeInterval(interval))
            }
        }
        return true
    }

    private func takeNext(until limit: Date) -> (TestAction, () -> Void)? {
        let me = ObjectIdentifier(Thread.current)
        return condition.withLock {
            while let runner, runner != me { condition.wait() }
            guard let item = waiting.first, item.due <= limit, let action = item.action else {
                date = max(date, limit)
                return nil
            }
            waiting.remove(item)
            date = max(date, item.due)
            if item.interval == nil {
                item.action = nil
                item.isOver = true
            }
            runner = me
            depth += 1
            return (item, action)
        }
    }
}

extension Date {
    /// Stops the program if the time is not finite.
    func requireFinite(_ name: StaticString) {
        let seconds = timeIntervalSinceReferenceDate
        precondition(seconds.isFinite, "\(name) is \(seconds) s after the reference date, but must be finite")
    }
}

// In virtual time, each value has its place among the actions.
extension TestScheduler: StepwiseScheduler {}
