internal import Corinth
public import Foundation

extension TestScheduler {
    /// The scheduler's virtual time as a clock: for code that takes a clock, beside streams that take the scheduler.
    ///
    /// ```swift
    /// let cache = Cache(clock: scheduler.clock)
    /// await scheduler.advance(by: .seconds(60))
    /// ```
    ///
    /// A task that sleeps on it wakes when the scheduler advances, in FIFO order with the actions of the same time.
    public var clock: VirtualClock { VirtualClock(scheduler: self) }

    /// The clock of a ``TestScheduler``.
    public struct VirtualClock: Clock {
        let scheduler: TestScheduler

        /// A moment of virtual time.
        public struct Instant: InstantProtocol {
            /// The moment as a date of the scheduler.
            public let date: Date

            /// Makes the moment of a date.
            public init(_ date: Date) {
                date.requireFinite("date")
                self.date = date
            }

            /// The moment `duration` later.
            public func advanced(by duration: Duration) -> Instant {
                Instant(date.addingTimeInterval(duration.timeInterval))
            }

            /// The time from this moment to another one.
            public func duration(to other: Instant) -> Duration { .seconds(other.date.timeIntervalSince(date)) }

            /// Whether a moment is earlier than another one.
            public static func < (left: Instant, right: Instant) -> Bool { left.date < right.date }
        }

        /// The current virtual time.
        public var now: Instant { Instant(scheduler.currentDate) }

        /// One nanosecond.
        public var minimumResolution: Duration { .nanoseconds(1) }

        /// Suspends the task until the scheduler has advanced to a moment.
        ///
        /// - Parameters:
        ///   - deadline: The moment. If it has passed, the call returns at once.
        ///   - tolerance: Ignored, because virtual time is exact.
        /// - Throws: `CancellationError` at once if the task is cancelled.
        public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try await scheduler.sleep(until: deadline.date)
        }
    }
}

extension TestScheduler {
    /// Advances by a duration, and runs the actions that become due.
    @_disfavoredOverload
    public func advance(by duration: Duration) { advance(by: duration.timeInterval) }

    /// Advances by a duration, and lets tasks run before and after each action.
    @_disfavoredOverload
    @MainActor
    public func advance(by duration: Duration) async { await advance(by: duration.timeInterval) }

    /// Sets the clock back by a duration. See ``rewind(by:)-(DispatchTimeInterval)``.
    ///
    /// - Parameter duration: How far to set it back. At least 0.
    @_disfavoredOverload
    public func rewind(by duration: Duration) { rewind(by: duration.dispatchInterval()) }
}
