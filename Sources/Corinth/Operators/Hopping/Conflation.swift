/// The kernel of conflation by key: keeps the latest value of each key until it is delivered.
///
/// What waits in the buffer between the two sides is a cell for each key that has a value. A further value of the key replaces the one
/// in the cell. So keys are delivered in the order in which they came to have a value, and no more cells wait than there are keys.
@usableFromInline
final class Conflation<Key: Hashable, Value>: @unchecked Sendable {  // The source's events are serial.
    @usableFromInline let key: (Value) -> Key
    @usableFromInline let statistics: BufferStatistics?

    @safe @exclusivity(unchecked)
    @usableFromInline var cells: [Key: ConflatedValue<Key, Value>] = [:]

    /// With so many keys, those without a value are forgotten.
    @safe @exclusivity(unchecked)
    @usableFromInline var limit = 64

    @inlinable
    init(by key: @escaping (Value) -> Key, counting statistics: BufferStatistics?) {
        self.key = key
        self.statistics = statistics
    }

    /// Keeps a value.
    ///
    /// - Returns: The cell, if it is to be queued.
    @inlinable
    func put(_ value: Value) -> ConflatedValue<Key, Value>? {
        statistics?.countSent()
        let key = key(value)
        if let cell = cells[key] { return cell.put(value) ? cell : nil }
        if cells.count >= limit { forgetEmpty() }
        let cell = ConflatedValue(value, of: key, counting: statistics)
        cells[key] = cell
        return cell
    }

    /// A cell without a value isn't queued, and only this side puts one in. With a limit that grows with the keys, it is O(1) per key.
    @inlinable
    func forgetEmpty() {
        cells = cells.filter { !$0.value.isEmpty }
        limit = max(64, 2 * cells.count)
    }

    @inlinable
    static func kernel<Next: Receiver>(
        into next: Next, by key: @escaping (Value) -> Key, counting statistics: BufferStatistics?
    ) -> Sink<Value, Next.Error> where Next.Value == ConflatedValue<Key, Value> {
        let values = next.values
        let conflation = Conflation(by: key, counting: statistics)
        return Sink(
            value: { if let cell = conflation.put($0) { values.receive(cell) } },
            termination: next.onTermination)
    }
}

/// The latest value of a key, on its way through a buffer.
@usableFromInline
final class ConflatedValue<Key, Value>: @unchecked Sendable {  // The flag guards the value.
    @usableFromInline let key: Key
    @usableFromInline let value: Guarded<Value?>
    @usableFromInline let statistics: BufferStatistics?

    @inlinable
    init(_ value: Value, of key: Key, counting statistics: BufferStatistics?) {
        self.key = key
        self.value = Guarded(value)
        self.statistics = statistics
    }

    @inlinable
    deinit { if statistics != nil, !isEmpty { statistics?.countDropped() } }

    @inlinable
    var isEmpty: Bool { value.hold { $0 == nil } }

    /// Replaces the value.
    ///
    /// - Returns: Whether there was none.
    @inlinable
    func put(_ new: Value) -> Bool {
        // Released when the flag isn't held.
        var other: Value? = new
        value.hold { swap(&$0, &other) }
        if other == nil { return true }
        statistics?.countReplaced()
        return false
    }

    /// Takes the value. There is one when the buffer delivers this.
    @inlinable
    func take() -> Value? {
        let taken = value.hold { $0.take() }
        if taken != nil { statistics?.countDelivered() }
        return taken
    }
}

extension Signal where Value: Sendable {
    /// Delivers the events on a scheduler; a value that waits is replaced by a newer one of the same key.
    ///
    /// ```swift
    /// quotes.observe(on: screen, latestBy: \.symbol).observeValues { show($0) }
    /// ```
    ///
    ///     self     a1-b1-a2-a3-b2|       while the scheduler is busy
    ///     result                  a3-b2|
    ///
    /// A receiver that is too slow for every value gets the latest one of each key, in the order in which the keys came to have a value
    /// that waits. No more values wait than there are keys. Completion and failure come after the values that wait; `interrupted`
    /// drops them.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - key: Returns the key of a value. Runs once for each value, on the thread on which the source delivers.
    ///   - statistics: Counts values as sent, delivered and dropped, and, of the dropped ones, those that were replaced.
    /// - Complexity: A look into a dictionary per value, and no allocation, unless the key is new or comes back after a pause.
    /// ## Concurrency
    /// No sender waits. The sending thread releases a replaced value.
    @inlinable
    public func observe<Key: Hashable & Sendable>(
        on scheduler: any Scheduler, latestBy key: sending @escaping (Value) -> Key, statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> {
        conflated(by: key, counting: statistics).observe(on: scheduler, bufferingPolicy: .unbounded)
            .compactMap { $0.take() }
    }

    /// Partitions the values by key over the schedulers of a pool; a value that waits is replaced by a newer one of the same key. See
    /// ``observe(on:by:_:)`` and ``observe(on:latestBy:statistics:)``.
    ///
    /// - Parameters:
    ///   - pool: The pool whose schedulers run the partitions.
    ///   - key: Returns the key of a value. Runs once for each value, on the thread on which the source delivers.
    ///   - statistics: Counts values as sent, delivered and dropped, and, of the dropped ones, those that were replaced.
    ///   - transform: Makes the result of a partition.
    @inlinable
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, latestBy key: sending @escaping (Value) -> Key,
        statistics: BufferStatistics? = nil,
        _ transform: (_ partition: Signal<Value, Error>) -> Signal<U, F>
    ) -> Signal<U, F> {
        conflated(by: key, counting: statistics)
            .observe(on: pool, by: { $0.key }, bufferingPolicy: .unbounded) { partition in
                transform(partition.compactMap { $0.take() })
            }
    }

    @inlinable
    func conflated<Key: Hashable & Sendable>(
        by key: sending @escaping (Value) -> Key, counting statistics: BufferStatistics?
    ) -> Signal<ConflatedValue<Key, Value>, Error> {
        derive { Conflation.kernel(into: $0, by: key, counting: statistics) }
    }
}

extension SignalProducer where Value: Sendable {
    /// Delivers the events on a scheduler; a value that waits is replaced by a newer one of the same key. See
    /// ``Signal/observe(on:latestBy:statistics:)``.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which callbacks run.
    ///   - key: Returns the key of a value.
    ///   - statistics: Counts the values of all starts.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func observe<Key: Hashable & Sendable>(
        on scheduler: any Scheduler, latestBy key: @escaping @Sendable (Value) -> Key,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> {
        conflated(by: key, counting: statistics).observe(on: scheduler, bufferingPolicy: .unbounded)
            .compactMap { $0.take() }
    }

    /// Partitions the values by key over the schedulers of a pool; a value that waits is replaced by a newer one of the same key. See
    /// ``Signal/observe(on:latestBy:statistics:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, latestBy key: @escaping @Sendable (Value) -> Key,
        statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (_ partition: Signal<Value, Error>) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        conflated(by: key, counting: statistics)
            .observe(on: pool, by: { $0.key }, bufferingPolicy: .unbounded) { partition in
                transform(partition.compactMap { $0.take() })
            }
    }

    @inlinable
    func conflated<Key: Hashable & Sendable>(
        by key: @escaping @Sendable (Value) -> Key, counting statistics: BufferStatistics?
    ) -> SignalProducer<ConflatedValue<Key, Value>, Error> {
        fuse { Conflation.kernel(into: $0, by: key, counting: statistics) }
    }
}
