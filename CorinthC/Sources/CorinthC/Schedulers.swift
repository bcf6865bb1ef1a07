// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of corinth.h.

import CCorinth
public import CCorinthC
import CCorinthCSupport
import Corinth
import CorinthEssentials
import Dispatch

@c @implementation
public func corinth_queue_create(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<corinth_scheduler> {
    unsafe UnsafeMutablePointer(handing: QueueScheduler(name: String(cString: name)))
}

@c @implementation
public func corinth_thread_create(
    _ name: UnsafePointer<CChar>, _ waiting: corinth_waiting, _ processor: Int32
) -> UnsafeMutablePointer<corinth_scheduler>? {
    let strategy: WaitStrategy =
        switch waiting {
        case CORINTH_SPIN_THEN_PARK: .spinThenPark
        case CORINTH_PARK: .park
        case CORINTH_SPIN_THEN_YIELD: .spinThenYield
        case CORINTH_BUSY_SPIN: .busySpin
        default: stop("corinth_thread_create: waiting is \(waiting.rawValue), but must be one of corinth_waiting")
        }
    guard processor < 0 || ccorinth_may_use(processor) else {
        ccorinth_set_errno(EINVAL)
        return nil
    }
    let options = ThreadScheduler.Options(processors: processor < 0 ? [] : [Int(processor)])
    do throws(ThreadScheduler.StartError) {
        let scheduler = try ThreadScheduler(name: unsafe String(cString: name), waiting: strategy, options: options)
        return unsafe UnsafeMutablePointer(handing: scheduler)
    } catch {
        ccorinth_set_errno(error.code)
        return nil
    }
}

@c @implementation
public func corinth_scheduler_create(
    _ schedule: @escaping @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<corinth_task>) -> Void,
    _ context: UnsafeMutableRawPointer?, _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> UnsafeMutablePointer<corinth_scheduler> {
    unsafe UnsafeMutablePointer(handing: CScheduler(Callback(schedule, context, release)))
}

@c @implementation
public func corinth_task_run(_ task: UnsafeMutablePointer<corinth_task>) {
    unsafe task.content("corinth_task_run").run()
    unsafe corinth_release(task)
}

@c @implementation
public func corinth_schedule(
    _ scheduler: UnsafeMutablePointer<corinth_scheduler>, _ delay: Int64,
    _ run: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer?,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> UnsafeMutablePointer<corinth_disposable> {
    require(delay >= 0, "corinth_schedule: delay is \(delay), but must be at least 0")
    let run = unsafe Callback(run, context, release)
    let action = { unsafe run.function(run.pointer) }
    let scheduled: (any Disposable)?
    if delay == 0 {
        scheduled = unsafe scheduler.content("corinth_schedule").schedule(action)
    } else {
        // At the scheduler's own time, which may be virtual.
        let scheduler = unsafe scheduler.dateScheduler("corinth_schedule")
        scheduled = scheduler.schedule(
            after: scheduler.currentDate.addingTimeInterval(Double(delay) / 1e9), action: action)
    }
    return unsafe UnsafeMutablePointer(handing: scheduled ?? AnyDisposable())
}

extension UnsafeMutablePointer<corinth_scheduler> {
    /// A scheduler of this package's, or one with timers.
    func dateScheduler(_ function: StaticString) -> any DateScheduler {
        guard let scheduler = unsafe content(function) as? any DateScheduler else {
            stop("\(function): the scheduler has no timers: it is a Scheduler of Swift's, but must be a DateScheduler")
        }
        return scheduler
    }
}

/// An action that runs at most once, unless it is disposed of before.
final class CTask: Disposable, @unchecked Sendable {  // The closure is handed from one owner to the next.
    private let action: Atomic<(() -> Void)?>

    init(_ action: sending @escaping () -> Void) { self.action = Atomic(action) }

    var isDisposed: Bool { action.value == nil }

    func dispose() { _ = action.swap(nil) }

    func run() { action.swap(nil)?() }
}

/// An action that runs more than once, on a scheduler.
private struct RepeatedAction: @unchecked Sendable {  // One run at a time.
    let run: () -> Void
}

/// A scheduler of C code's.
@safe
final class CScheduler: DateScheduler {
    typealias Function = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<corinth_task>) -> Void

    private let callback: Callback<Function>

    /// Where the time of delayed actions comes. They only call C code's `schedule` there.
    private static let timers = QueueScheduler(name: "corinth.c.timers", callbacks: .short)

    init(_ callback: Callback<Function>) { unsafe self.callback = callback }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let task = CTask(action)
        post(task)
        return task
    }

    private func post(_ task: CTask) {
        unsafe callback.function(callback.pointer, UnsafeMutablePointer(handing: task))
    }

    var currentDate: Date { CScheduler.timers.currentDate }

    func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        let task = CTask(action)
        let timer = CScheduler.timers.schedule(after: date) { self.post(task) }
        return AnyDisposable {
            timer?.dispose()
            task.dispose()
        }
    }

    func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        // Each turn is a task of its own. An end that comes between two of them is the timer's, and in a turn the flag's.
        let ended = AnyDisposable()
        let repeated = RepeatedAction(run: action)
        let timer = CScheduler.timers.schedule(after: date, interval: interval, leeway: leeway) {
            _ = self.schedule { if !ended.isDisposed { repeated.run() } }
        }
        return AnyDisposable {
            ended.dispose()
            timer?.dispose()
        }
    }
}
