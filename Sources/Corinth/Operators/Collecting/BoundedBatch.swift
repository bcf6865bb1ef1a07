/// A bounded array of values that are sent together, with statistics. At most one thread at a time may use it.
@frozen
@usableFromInline
struct BoundedBatch<Value> {
    @usableFromInline let bound: BufferBound
    @usableFromInline let statistics: BufferStatistics?

    /// In FIFO order until a value is dropped for a newer one. From then on a ring that begins at `oldest`.
    @usableFromInline var values: [Value] = []
    @usableFromInline var oldest = 0

    @inlinable
    init(_ bound: BufferBound, counting statistics: BufferStatistics?) {
        self.bound = bound
        self.statistics = statistics
    }

    @inlinable
    var isEmpty: Bool { values.isEmpty }

    @inlinable
    var count: Int { values.count }

    /// Appends a value that was sent. If the batch is full, drops the new value or the oldest one.
    ///
    /// - Returns: Whether nothing was dropped.
    @inlinable
    mutating func append(_ value: Value) -> Bool {
        statistics?.countSent()
        if values.count < bound.capacity {
            values.append(value)
            return true
        }
        statistics?.countDropped()
        if bound.dropsOldest {
            let dropped = values[oldest]
            values[oldest] = value
            oldest = oldest + 1 == values.count ? 0 : oldest + 1
            // Released after the batch is consistent again, because the release may run user code.
            _ = dropped
        }
        return false
    }

    /// Counts a value that arrived too late and is dropped.
    @inlinable
    func refuse() {
        statistics?.countSent()
        statistics?.countDropped()
    }

    /// Removes and returns all values, in FIFO order.
    @inlinable
    mutating func takeAll() -> [Value] {
        let taken = oldest == 0 ? values : Array(values[oldest...] + values[..<oldest])
        clear()
        statistics?.countDelivered(taken.count)
        return taken
    }

    /// Drops all values.
    @inlinable
    mutating func dropAll() {
        if values.isEmpty { return }
        let dropped = values
        clear()
        statistics?.countDropped(dropped.count)
    }

    @inlinable
    mutating func clear() {
        values = []
        oldest = 0
    }
}
