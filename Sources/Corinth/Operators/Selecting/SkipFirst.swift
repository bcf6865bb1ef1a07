@usableFromInline
enum SkipFirst {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(into next: Next, _ count: Int) -> Sink<Next.Value, Next.Error> {
        let values = next.values
        let left = OperatorState(count)
        return Sink(
            value: { if left.value > 0 { left.value &-= 1 } else { values.receive($0) } },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Drops the first `count` values.
    ///
    /// - Parameter count: The number of values to drop. At least 0.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func skip(first count: Int) -> Signal<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        return derive { SkipFirst.kernel(into: $0, count) }
    }
}

extension SignalProducer {
    /// Drops the first `count` values. See ``Signal/skip(first:)``.
    @inlinable
    public func skip(first count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        return fuse { SkipFirst.kernel(into: $0, count) }
    }
}
