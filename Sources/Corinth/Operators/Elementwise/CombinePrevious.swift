@usableFromInline
enum CombinePrevious {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ initial: Value?
    ) -> Sink<Value, Next.Error> where Next.Value == (Value, Value) {
        let values = next.values
        let previous = OperatorState(initial)
        return Sink(
            value: { value in
                let last = previous.value
                previous.value = value
                if let last { values.receive((last, value)) }
            },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Sends each value except the first, as a pair with the previous value.
    ///
    /// - Complexity: O(1) and no allocation per value. Retains the last value.
    @inlinable
    public func combinePrevious() -> Signal<(Value, Value), Error> {
        derive { CombinePrevious.kernel(into: $0, nil) }
    }

    /// Sends each value as a pair with the previous value.
    ///
    /// - Parameter initial: The value that precedes the first one.
    /// - Complexity: O(1) and no allocation per value. Retains the last value.
    @inlinable
    public func combinePrevious(_ initial: Value) -> Signal<(Value, Value), Error> {
        derive { CombinePrevious.kernel(into: $0, initial) }
    }
}

extension SignalProducer {
    /// Sends each value except the first, as a pair with the previous value. See ``Signal/combinePrevious()``.
    @inlinable
    public func combinePrevious() -> SignalProducer<(Value, Value), Error> {
        fuse { CombinePrevious.kernel(into: $0, nil) }
    }

    /// Sends each value as a pair with the previous value. See ``Signal/combinePrevious(_:)``.
    @inlinable
    public func combinePrevious(_ initial: Value) -> SignalProducer<(Value, Value), Error> {
        // Each start begins with a copy.
        nonisolated(unsafe) let initial = initial
        return fuse { CombinePrevious.kernel(into: $0, unsafe initial) }
    }
}
