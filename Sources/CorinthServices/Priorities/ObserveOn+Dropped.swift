public import Corinth

extension Signal where Value: Sendable {
    /// Delivers the events on a scheduler, and calls a closure for each value that is dropped on the way: for sockets, pooled buffers, and
    /// whatever else has to be given back.
    ///
    /// A value is dropped by the policy, by an interruption that overtakes it, when the result is no longer observed, or because the
    /// scheduler doesn't run it any more.
    ///
    /// ```swift
    /// connections.observe(on: queue, bufferingPolicy: .dropOldest(capacity: 64)) { $0.close() }
    /// ```
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - policy: The overflow policy. See ``BufferingPolicy``.
    ///   - statistics: Counts values as sent, delivered and dropped.
    ///   - onDrop: Receives each value that isn't delivered, once. It may be called after the end, and while other values are delivered.
    /// - Complexity: As `observe(on:bufferingPolicy:)`, and two allocations per value.
    /// ## Concurrency
    /// `onDrop` runs on the thread that drops.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil,
        onDrop: @escaping @Sendable (Value) -> Void
    ) -> Signal<Value, Error> {
        map { value in (value, Ticket { onDrop(value) }) }
            .observe(on: scheduler, bufferingPolicy: policy, statistics: statistics)
            .map { value, ticket in
                ticket.take()
                return value
            }
    }
}

extension SignalProducer where Value: Sendable {
    /// Delivers the events on a scheduler, and calls a closure for each value that is dropped on the way. See the method of ``Signal``.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil,
        onDrop: @escaping @Sendable (Value) -> Void
    ) -> SignalProducer<Value, Error> {
        lift { $0.observe(on: scheduler, bufferingPolicy: policy, statistics: statistics, onDrop: onDrop) }
    }
}
