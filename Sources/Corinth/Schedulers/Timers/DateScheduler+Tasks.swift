public import Dispatch
public import CorinthEssentials

extension DateScheduler {
    /// Suspends the task for at least `interval`, without blocking a thread.
    ///
    /// - Parameters:
    ///   - interval: How long, in this scheduler's time. If it isn't greater than 0, the call returns at once. With `.never`,
    ///     it only returns by an error.
    ///   - leeway: How much longer it may be, so that wake-ups can be combined. At least 0; `.never` counts as 0.
    /// - Throws: `CancellationError` at once if the task is cancelled, which also cancels the timer; and if the scheduler was
    ///   shut down or stopped, which drops the timer.
    public func sleep(
        for interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) async throws {
        try await sleep(until: currentDate.adding(interval), leeway: leeway)
    }

    /// Suspends the task until a date, without blocking a thread. The waiting time is fixed by this call: setting the time of
    /// day afterwards doesn't change it.
    ///
    /// - Parameters:
    ///   - date: Until when, in this scheduler's time. If it has passed, the call returns at once. `.distantFuture` never
    ///     comes.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0; `.never` counts as 0.
    /// - Throws: As ``sleep(for:leeway:)-(DispatchTimeInterval,_)``.
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
                    // Repeats until it is disposed of, which its first run does.
                    sleeper.timer.inner = self.schedule(after: date, interval: .seconds(1), leeway: leeway) {
                        call.ring()
                    }
                }
                // A test may have advanced past the date since it was compared, and an action of the past waits for the next
                // advance.
                if currentDate >= date { sleeper.end(nil) }
            }
        } onCancel: {
            sleeper.end(CancellationError())
        }
    }

    /// Returns a sequence of the times at which a timer fires.
    ///
    /// ```swift
    /// for await date in scheduler.timer(interval: .seconds(1)) { print(date) }
    /// ```
    ///
    /// The timer starts when the sequence is made, and is cancelled when the iteration ends or its task is cancelled. The
    /// sequence ends when the scheduler is shut down or stopped. If the iteration is slower than the timer, the newest 1,024
    /// dates are buffered; ``timer(interval:leeway:bufferingPolicy:)-(DispatchTimeInterval,_,_)`` takes another bound.
    ///
    /// - Parameters:
    ///   - interval: The time until the first firing, and then between two firings. At least 0; with `.never`, it doesn't
    ///     fire.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0; `.never` counts as 0.
    public func timer(
        interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) -> AsyncStream<Date> {
        timer(interval: interval, leeway: leeway, bufferingPolicy: .bufferingNewest(1024))
    }

    /// Returns a sequence of the times at which a timer fires, with a buffering policy.
    /// See ``timer(interval:leeway:)-(DispatchTimeInterval,_)``.
    ///
    /// - Parameters:
    ///   - interval: The time until the first firing, and then between two firings. At least 0; with `.never`, it doesn't
    ///     fire.
    ///   - leeway: How much later it may be, so that wake-ups can be combined. At least 0; `.never` counts as 0.
    ///   - policy: How many dates are buffered if the iteration is slower than the timer, and which.
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

/// Held by the action of a timer. It detects that the scheduler has released the action.
private final class WakeUpCall: Sendable {
    private let answer: @Sendable (_ hasRung: Bool) -> Void

    /// - Parameter answer: Called each time the timer fires; called with false when it won't fire any more.
    init(_ answer: @escaping @Sendable (_ hasRung: Bool) -> Void) {
        self.answer = answer
    }

    deinit { answer(false) }

    func ring() { answer(true) }
}

/// A task that waits for a timer or for its cancellation, whichever comes first.
private final class Sleeper: Sendable {
    private enum Phase: Sendable {
        case awake
        case asleep(CheckedContinuation<Void, any Error>)
        case ended((any Error)?)
    }

    private let phase = AtomicReference<Phase>(.awake)
    let timer = SerialDisposable()

    /// Suspends; false if it was already cancelled.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let before = phase.update { if case .awake = $0 { .asleep(continuation) } else { nil } }
        guard case .ended(let error) = before else { return true }
        Sleeper.resume(continuation, error)
        return false
    }

    /// Resumes the task, once.
    func end(_ error: (any Error)?) {
        let before = phase.update { if case .ended = $0 { nil } else { .ended(error) } }
        timer.dispose()
        if case .asleep(let continuation) = before { Sleeper.resume(continuation, error) }
    }

    private static func resume(_ continuation: CheckedContinuation<Void, any Error>, _ error: (any Error)?) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
}
