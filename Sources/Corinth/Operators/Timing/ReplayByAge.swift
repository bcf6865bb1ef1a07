public import CorinthEssentials

/// A value, and when it was stored.
@frozen
@usableFromInline
struct Dated<Value> {
    @usableFromInline let value: Value
    @usableFromInline let date: Date

    @inlinable
    init(_ value: Value, _ date: Date) {
        self.value = value
        self.date = date
    }
}

extension SignalProducer {
    /// Shares one start of this producer among all starts of the result. Each of them first sends the last values that aren't
    /// too old.
    ///
    ///     self                  1---2---3--|
    ///     start A               1---2---3--|
    ///     start B, an age of 3  ------2-3--|: the first value is 6 old
    ///
    /// ```swift
    /// // Whoever comes later sees the alarms of the last minute.
    /// let recent = alarms.replayLazily(for: 60, on: queue)
    /// ```
    ///
    /// Otherwise it behaves like ``replayLazily(upTo:)``. Any termination is replayed, however old it is. A value that has become
    /// too old is released when the next one is sent or when the result is started next, and not before.
    ///
    /// A value is as old as the scheduler's clock says. If the clock is set forward, values become too old by that. If it is set
    /// back, the time between the last value or start before that and the next one doesn't count.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of stored values. At least 0. By default there is no bound but the age.
    ///   - age: How old a value may be when it is replayed, in seconds. At least 0. May be infinite.
    ///   - scheduler: The scheduler that measures the time. Nothing runs on it.
    /// - Complexity: That of ``replayLazily(upTo:)``, and one reading of the clock per value and start. Dropping is O(1) per value.
    /// ## Concurrency
    /// A start while the stream runs, even inside a callback, sends the stored values before `start` returns.
    @export(implementation)
    public func replayLazily(
        upTo capacity: Int = .max, for age: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        precondition(age >= 0, "age is \(age) s, but must be at least 0")
        let replay = Replay<Dated<Value>, Error>(upTo: capacity)
        let clock = SharedClock(scheduler)
        let dropStale = { @Sendable (now: Date) in replay.drop { now.timeIntervalSince($0.date) > age } }
        return map { value in
            let now = clock.now()
            dropStale(now)
            return Dated(value, now)
        }
        .replayLazily(through: replay)
        .on(starting: { dropStale(clock.now()) })
        .map { $0.value }
    }
}
