@usableFromInline
enum UniqueValues {
    @inlinable @inline(__always)
    static func kernel<Identity: Hashable, Next: Receiver>(
        into next: Next, _ transform: @escaping (Next.Value) -> Identity
    ) -> Sink<Next.Value, Next.Error> {
        let seen = OperatorState<Set<Identity>>([])
        return Sink(
            value: { if seen.value.insert(transform($0)).inserted { next.receive($0) } },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Leaves out each value whose identity has come before.
    ///
    /// - Parameter transform: Returns the identity of a value.
    /// - Complexity: O(1) amortised per value. Every identity is kept until the end, without a bound.
    @inlinable
    @preconcurrency
    public func uniqueValues<Identity: Hashable>(
        _ transform: sending @escaping (Value) -> Identity
    ) -> Signal<Value, Error> {
        derive { UniqueValues.kernel(into: $0, transform) }
    }
}

extension Signal where Value: Hashable {
    /// Leaves out each value that has come before.
    ///
    /// - Complexity: O(1) amortised per value. Every value is kept until the end, without a bound.
    @inlinable
    public func uniqueValues() -> Signal<Value, Error> {
        derive { UniqueValues.kernel(into: $0) { $0 } }
    }
}

extension SignalProducer {
    /// Leaves out each value whose identity has come before. See ``Signal/uniqueValues(_:)``.
    @inlinable
    @preconcurrency
    public func uniqueValues<Identity: Hashable>(
        _ transform: @escaping @Sendable (Value) -> Identity
    ) -> SignalProducer<Value, Error> {
        fuse(shared { UniqueValues.kernel(into: $0, transform) })
    }
}

extension SignalProducer where Value: Hashable {
    /// Leaves out each value that has come before. See ``Signal/uniqueValues()``.
    @inlinable
    public func uniqueValues() -> SignalProducer<Value, Error> {
        fuse(shared { UniqueValues.kernel(into: $0) { $0 } })
    }
}
