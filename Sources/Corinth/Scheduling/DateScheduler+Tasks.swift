public import Dispatch
public import Foundation

extension DateScheduler {
    /// Suspends the task for at least so long, without blocking a thread.
    ///
    /// - Parameters:
    ///   - interval: How long, in this scheduler's time. If it isn't more than 0, this returns at once; with `.never`, it
    ///     doesn't return by itself.
    ///   - leeway: How much longer it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    /// - Throws: `CancellationError`: at once when the task is cancelled, whose timer is cancelled with it, and when the
    ///   scheduler was shut down or stopped, which drops the timer.
    public func sleep(
        for interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) async throws {
        try await sleep(until: currentDate.adding(interval), leeway: leeway)
    }

    /// Suspends the task until a time has come, without blocking a thread. How long that is counts from this call: setting the
    /// time of day afterwards doesn't change it.
    ///
    /// - Parameters:
    ///   - date: Until when, in this scheduler's time. If it has come, this returns at once; `.distantFuture` never does.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    /// - Throws: As ``sleep(for:leeway:)``.
    public func sleep(until date: Date, leeway: DispatchTimeInterval = .nanoseconds(0)) async throws {
        date.requireNumber()
        leeway.requireNonnegative("leeway")
        try Task.checkCancellation()
        guard currentDate < date else { return }
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                let call = WakeUpCall { sleeper.end($0 ? nil : CancellationError()) }
                if leeway.timeInterval == 0 {
                    sleeper.timer.inner = self.schedule(after: date) { call.ring() }
                } else {
                    // Repeats until it has been disposed of, which its first run does.
                    sleeper.timer.inner = self.schedule(after: date, interval: .seconds(1), leeway: leeway) {
                        call.ring()
                    }
                }
            }
        } onCancel: {
            sleeper.end(CancellationError())
        }
    }

    /// A sequence of the times at which a timer fires.
    ///
    /// ```swift
    /// for await date in scheduler.timer(interval: .seconds(1)) { print(date) }
    /// ```
    ///
    /// The timer is set when the sequence is made, and cancelled when the iteration ends, or its task is cancelled. The sequence
    /// ends when the scheduler is shut down or stopped. The newest 1,024 dates wait for an iteration that is slower than the
    /// timer; ``timer(interval:leeway:bufferingPolicy:)`` has another bound.
    ///
    /// - Parameters:
    ///   - interval: The time until it fires first, and then from one time to the next. At least 0; with `.never`, it
    ///     doesn't fire.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    public func timer(
        interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) -> AsyncStream<Date> {
        timer(interval: interval, leeway: leeway, bufferingPolicy: .bufferingNewest(1024))
    }

    /// A sequence of the times at which a timer fires, with a bound on how many wait. See ``timer(interval:leeway:)``.
    ///
    /// - Parameters:
    ///   - interval: The time until it fires first, and then from one time to the next. At least 0; with `.never`, it
    ///     doesn't fire.
    ///   - leeway: How much later it may be, so that wake-ups can be put together. At least 0; `.never` counts as 0.
    ///   - policy: How many dates wait for an iteration that is slower than the timer, and which.
    public func timer(
        interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0),
        bufferingPolicy policy: AsyncStream<Date>.Continuation.BufferingPolicy
    ) -> AsyncStream<Date> {
        interval.requireNonnegative("interval")
        leeway.requireNonnegative("leeway")
        return AsyncStream(bufferingPolicy: policy) { continuation in
            let call = WakeUpCall { if $0 { continuation.yield(self.currentDate) } else { continuation.finish() } }
            let timer = self.schedule(after: currentDate.adding(interval), interval: interval, leeway: leeway) {
                call.ring()
            }
            continuation.onTermination = { _ in timer?.dispose() }
        }
    }
}

/// What the action of a timer holds: it notices that the scheduler has let go of the action.
private final class WakeUpCall: Sendable {
    private let answer: @Sendable (_ hasRung: Bool) -> Void

    /// - Parameter answer: Called whenever the timer fires, and, with false, when it fires no more.
    init(_ answer: @escaping @Sendable (_ hasRung: Bool) -> Void) {
        self.answer = answer
    }

    deinit { answer(false) }

    func ring() { answer(true) }
}

/// A task that waits for a timer or for its cancellation, whichever is first.
private final class Sleeper: Sendable {
    private enum Phase: Sendable {
        case awake
        case asleep(CheckedContinuation<Void, any Error>)
        case ended((any Error)?)
    }

    private let phase = AtomicReference<Phase>(.awake)
    let timer = SerialDisposable()

    /// Falls asleep; false if it was cancelled before.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let before = phase.update { if case .awake = $0 { .asleep(continuation) } else { nil } }
        guard case .ended(let error) = before else { return true }
        Sleeper.resume(continuation, error)
        return false
    }

    /// Wakes it up, once.
    func end(_ error: (any Error)?) {
        let before = phase.update { if case .ended = $0 { nil } else { .ended(error) } }
        timer.dispose()
        if case .asleep(let continuation) = before { Sleeper.resume(continuation, error) }
    }

    private static func resume(_ continuation: CheckedContinuation<Void, any Error>, _ error: (any Error)?) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
}
