/// Values that are sent together, with a bound, and accounted for. It belongs to one thread at a time.
@frozen
@usableFromInline
struct BoundedBatch<Value> {
    @usableFromInline let bound: BufferBound
    @usableFromInline let statistics: BufferStatistics?

    /// A ring, once values have been dropped for others; else in order.
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

    /// Adds a value that was sent. If there is no room, it is dropped, or the oldest is.
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
            // Let go of only when everything is in its place.
            _ = dropped
        }
        return false
    }

    /// Counts a value that was sent when there was no use in it any more.
    @inlinable
    func refuse() {
        statistics?.countSent()
        statistics?.countDropped()
    }

    /// Takes the values out, in order.
    @inlinable
    mutating func takeAll() -> [Value] {
        let taken = oldest == 0 ? values : Array(values[oldest...] + values[..<oldest])
        clear()
        statistics?.countDelivered(taken.count)
        return taken
    }

    /// Drops the values.
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
