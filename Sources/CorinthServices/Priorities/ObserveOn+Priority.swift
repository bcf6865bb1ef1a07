public import Corinth

extension Signal where Value: Sendable {
    /// Delivers the events on a scheduler, of the values that wait the most urgent first.
    ///
    ///     self     a1-b1-c3-d2|              while the scheduler is busy
    ///     result                c3-d2-a1-b1|
    ///
    /// ```swift
    /// jobs.observe(on: queue, mostUrgentFirst: \.priority, bufferingPolicy: .dropNewest(capacity: 1_000))
    /// ```
    ///
    /// Values of the same priority are delivered in their order. A value of the least priority waits as long as more urgent ones come.
    /// For the earliest deadline first, return the negative of its time.
    ///
    /// A policy that drops, drops the newest one of the least priority: `dropNewest` and `dropOldest` are the same. Completion and failure
    /// come after the values that wait; `interrupted` drops them.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - priority: Returns the priority of a value; the greatest is delivered first. Runs once for each value, on the thread on which the
    ///     source delivers.
    ///   - policy: The overflow policy. See ``BufferingPolicy``. By default that of `observe(on:)`: senders wait when 16,384 values do.
    ///   - statistics: Counts values as sent, delivered and dropped.
    ///   - onDrop: Receives each value that isn't delivered.
    /// - Complexity: O(log *p*) for *p* different priorities that wait, and one allocation per value.
    /// ## Concurrency
    /// As `observe(on:bufferingPolicy:)`.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, mostUrgentFirst priority: @escaping @Sendable (Value) -> Int,
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil,
        onDrop: @escaping @Sendable (Value) -> Void = { _ in }
    ) -> Signal<Value, Error> {
        let waiting = SharedQueue<Value>()
        // A ticket goes through the buffer for each value, and stands for one of those that wait: delivered, for the most urgent; dropped,
        // for the least.
        let drop: @Sendable () -> Void = { waiting.popLast().map(onDrop) }
        let tickets = map { value in
            waiting.insert(value, priority(value))
            return Ticket(onDrop: drop)
        }
        return
            tickets
            .observe(on: scheduler, bufferingPolicy: policy ?? .usual(on: scheduler), statistics: statistics)
            .compactMap { ticket in
                ticket.take()
                return waiting.popFirst()
            }
    }
}

extension SignalProducer where Value: Sendable {
    /// Delivers the events on a scheduler, of the values that wait the most urgent first. See the method of ``Signal``.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, mostUrgentFirst priority: @escaping @Sendable (Value) -> Int,
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil,
        onDrop: @escaping @Sendable (Value) -> Void = { _ in }
    ) -> SignalProducer<Value, Error> {
        lift {
            $0.observe(
                on: scheduler, mostUrgentFirst: priority, bufferingPolicy: policy, statistics: statistics,
                onDrop: onDrop)
        }
    }
}
