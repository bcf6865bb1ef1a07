internal import Dispatch

/// An action that waits for its queue, or for its time. Disposing of it lets go of the action at once, and of the timer.
final class ScheduledAction: Disposable, @unchecked Sendable {  // The flag settles who may touch the action.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag; by the queue until then, if it repeats.
    private var action: (() -> Void)?

    /// What is to be done when it is over. Set before anybody else knows of this.
    private var timer: (any DispatchSourceTimer)?

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    private var flag: DisposalFlag { DisposalFlag(of: self) }

    var isDisposed: Bool { flag.isRaised }

    /// Runs the action, once, unless it has been disposed of.
    func runOnce() {
        guard flag.raise() else { return }
        let action = self.action
        self.action = nil
        timer?.cancel()
        action?()
    }

    func dispose() {
        guard flag.raise() else { return }
        let action = self.action
        self.action = nil
        timer?.cancel()
        _ = consume action
    }

    /// Runs the action once when a time has come.
    func start(on queue: DispatchQueue, at time: DispatchWallTime) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.timer = timer
        timer.schedule(wallDeadline: time)
        timer.setEventHandler { self.runOnce() }
        timer.resume()
    }
}

/// An action that is run again and again. The queue that runs it lets go of it: disposing only says so.
final class RepeatedAction: Disposable, @unchecked Sendable {  // The flag is atomic, the action the queue's.
    private var flagStorage: UInt64 = 0
    private let timer: any DispatchSourceTimer

    /// - Parameter action: Owned by `queue` from here on.
    init(
        _ action: @escaping () -> Void, on queue: DispatchQueue, at time: DispatchWallTime,
        interval: DispatchTimeInterval, leeway: DispatchTimeInterval
    ) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(wallDeadline: time, repeating: interval, leeway: leeway)
        // The timer lets go of its handler, on the queue, when it has been cancelled.
        nonisolated(unsafe) let action = action
        timer.setEventHandler { if !self.isDisposed { unsafe action() } }
        timer.resume()
    }

    private var flag: DisposalFlag { DisposalFlag(of: self) }

    var isDisposed: Bool { flag.isRaised }

    func dispose() {
        if flag.raise() { timer.cancel() }
    }
}
