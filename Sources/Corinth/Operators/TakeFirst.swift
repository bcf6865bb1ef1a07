@usableFromInline
enum TakeFirst {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(into next: Next, _ count: Int) -> Sink<Next.Value, Next.Error> {
        let left = OperatorState(count)
        return Sink(
            value: {
                // Below zero where the source goes on for a while after the end: while it loops, or on its strand.
                left.value &-= 1
                if left.value >= 0 { next.receive($0) }
                if left.value == 0 { next.terminate(.completed) }
            },
            termination: { if left.value > 0 { next.terminate($0) } })
    }
}

extension Signal {
    /// Passes on the first `count` values, then completes; at once, if `count` is 0.
    ///
    /// - Parameter count: At least 0.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func take(first count: Int) -> Signal<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        return count == 0 ? .empty : derive { TakeFirst.kernel(into: $0, count) }
    }
}

extension SignalProducer {
    /// Passes on the first `count` values, then completes and cancels the source; is interrupted at once, if `count` is 0.
    /// See ``Signal/take(first:)``.
    @inlinable
    public func take(first count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        // As if the signal of a start, which is complete before it can be observed, had been observed (law S4).
        if count == 0 { return SignalProducer(recipe: { sink, _ in sink.onTermination(.interrupted) }) }
        return fuseEnding { TakeFirst.kernel(into: $0, count) }
    }
}
