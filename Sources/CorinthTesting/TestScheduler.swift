public import Corinth
public import Dispatch
public import Foundation

/// A scheduler whose time goes on only when a test says so (law C4).
///
/// ```swift
/// let scheduler = TestScheduler()
/// signal.debounce(1, on: scheduler).observe(recorder.observer)
/// input.send(value: 1)
/// scheduler.advance(by: .seconds(1))
/// #expect(recorder.values == [1])
/// ```
///
/// Actions run on the thread that advances, in the order of their times; equal times in the order of scheduling. Nothing
/// runs before it advances, not even what is scheduled for now.
///
/// ## Concurrency
/// Any thread may schedule and dispose, also from inside an action; neither waits for an action. Threads that advance at
/// the same time take turns, action by action; an action may advance itself.
public final class TestScheduler: DateScheduler, @unchecked Sendable {  // The condition guards all of its state.
    private let condition = NSCondition()
    private var date: Date
    private var scheduledCount: UInt64 = 0

    /// What waits, the latest first.
    private var waiting: [Item] = []

    /// Who runs an action, and how many inside one another.
    private var runner: ObjectIdentifier?
    private var depth = 0

    /// Makes one that begins at a time.
    ///
    /// - Parameter startDate: The time that it begins at: the beginning of the 21st century, if nothing is said. Must be finite.
    public init(startDate: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        startDate.requireFinite("startDate")
        date = startDate
    }

    deinit {
        // Whoever holds a disposable holds on to nothing else.
        for item in waiting { item.action = nil }
    }

    /// The time: of the action that runs, or that it was advanced to.
    public var currentDate: Date { condition.withLock { date } }

    /// How many actions wait. A repeated one counts as one.
    public var pendingCount: Int { condition.withLock { waiting.count } }

    // MARK: Scheduling

    /// Queues `action` for now, which means that the next advance runs it.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        add(Item(action), at: nil)
    }

    /// Queues `action` for a time so much later than now, which never comes if `delay` is `.never`.
    @discardableResult
    @preconcurrency
    public func schedule(after delay: DispatchTimeInterval, action: sending @escaping () -> Void) -> (any Disposable)? {
        schedule(after: currentDate.adding(delay), action: action)
    }

    /// Queues `action` for a time. If that has passed, the next advance runs it, without putting the clock back. What is queued
    /// for `.distantFuture` is run by ``run()`` only.
    @discardableResult
    @preconcurrency
    public func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        date.requireNumber()
        return add(Item(action), at: date)
    }

    /// Queues `action` for a time, and again for a time so much later after each of its runs.
    ///
    /// - Parameters:
    ///   - date: When it runs first: now, if that is `.distantPast`.
    ///   - interval: The time from one run to the next. At least 0; with 0, an advance doesn't come to an end, and with `.never`,
    ///     there is one run only.
    ///   - leeway: Not used: virtual time is exact. At least 0.
    ///   - action: What is run.
    /// - Returns: A disposable that ends the repetition.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0),
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        date.requireNumber()
        interval.requireNonnegative("interval")
        leeway.requireNonnegative("leeway")
        // Else the runs since then would be made up for, and an advance wouldn't come to an end.
        return add(Item(action, interval: interval.timeInterval), at: date > .distantPast ? date : nil)
    }

    // MARK: Time

    /// Advances by a nanosecond, which runs what is due now.
    public func advance() { advance(by: .nanoseconds(1)) }

    /// Advances by an interval, and runs what is due until then. It must be finite: ``run()`` runs everything.
    public func advance(by interval: DispatchTimeInterval) { advance(by: interval.timeInterval) }

    /// Advances by so many seconds, and runs what is due until then.
    public func advance(by interval: TimeInterval) { runAll(until: later(by: interval)) }

    /// Advances to a time, and runs what is due until then.
    public func advance(to newDate: Date) {
        requireLater(newDate)
        runAll(until: newDate)
    }

    /// Runs everything, including what is scheduled meanwhile: advances to the distant future.
    public func run() { advance(to: .distantFuture) }

    /// Advances by a nanosecond, which runs what is due now, and lets tasks run before and after.
    @MainActor
    public func advance() async { await advance(by: .nanoseconds(1)) }

    /// Advances by an interval, and lets tasks run before and after each action.
    @MainActor
    public func advance(by interval: DispatchTimeInterval) async { await advance(by: interval.timeInterval) }

    /// Advances by so many seconds, and lets tasks run before and after each action.
    @MainActor
    public func advance(by interval: TimeInterval) async {
        await runAll(until: later(by: interval))
    }

    /// Advances to a time, and lets tasks run before and after each action: they may schedule what is due on the way.
    ///
    /// Tasks are given time by yielding to them again and again; one that waits for something else than this scheduler may
    /// come later.
    @MainActor
    public func advance(to newDate: Date) async {
        requireLater(newDate)
        await runAll(until: newDate)
    }

    /// Runs everything, and lets tasks run before and after each action: advances to the distant future.
    @MainActor
    public func run() async { await advance(to: .distantFuture) }

    /// Puts the clock back, as users do. What is scheduled keeps its time.
    ///
    /// - Parameter interval: How far. At least 0, and finite.
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
            "newDate is \(now.timeIntervalSince(newDate)) s before the time, but must not be before it: use rewind(by:)"
        )
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

    /// Puts an item in its place, behind those of the same time.
    private func add(_ item: Item, at date: Date?) -> any Disposable {
        condition.withLock {
            item.scheduler = self
            insert(item, at: date ?? self.date)
        }
        return item
    }

    private func insert(_ item: Item, at date: Date) {
        scheduledCount += 1
        item.due = date
        item.number = scheduledCount
        waiting.insert(item, at: place(of: item))
    }

    /// Where an item is, or is to be. Called with the lock.
    private func place(of item: Item) -> Int {
        var low = 0
        var high = waiting.count
        while low < high {
            let middle = (low + high) / 2
            if item.precedes(waiting[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isOver(_ item: Item) -> Bool { condition.withLock { item.isOver } }

    private func cancel(_ item: Item) {
        let action = condition.withLock {
            item.isOver = true
            let index = place(of: item)
            if index < waiting.count, waiting[index] === item { waiting.remove(at: index) }
            return item.action.take()
        }
        // Released here, with nothing held.
        _ = consume action
    }

    /// Runs the next action that is due by `limit`; if there is none, it is that time, and this is false.
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
                insert(item, at: item.due.addingTimeInterval(interval))
            }
        }
        return true
    }

    private func takeNext(until limit: Date) -> (Item, () -> Void)? {
        let me = ObjectIdentifier(Thread.current)
        return condition.withLock {
            while let runner, runner != me { condition.wait() }
            guard let item = waiting.last, item.due <= limit, let action = item.action else {
                date = max(date, limit)
                return nil
            }
            waiting.removeLast()
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

    /// An action that waits. All of it is guarded by the scheduler's lock.
    private final class Item: Disposable, @unchecked Sendable {
        var action: (() -> Void)?
        let interval: TimeInterval?
        var due = Date.distantPast
        var number: UInt64 = 0
        weak var scheduler: TestScheduler?
        var isOver = false

        init(_ action: @escaping () -> Void, interval: TimeInterval? = nil) {
            self.action = action
            self.interval = interval
        }

        func precedes(_ other: Item) -> Bool { (due, number) < (other.due, other.number) }

        var isDisposed: Bool { scheduler?.isOver(self) ?? true }

        func dispose() { scheduler?.cancel(self) }
    }
}

extension Date {
    /// Stops the program if this is no number, or infinite.
    func requireFinite(_ name: StaticString) {
        let seconds = timeIntervalSinceReferenceDate
        precondition(seconds.isFinite, "\(name) is \(seconds) s after the reference date, but must be finite")
    }
}
