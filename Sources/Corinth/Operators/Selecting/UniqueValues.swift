@usableFromInline
enum UniqueValues {
    @inlinable @inline(__always)
    static func kernel<Identity: Hashable, Next: Receiver>(
        into next: Next, _ transform: @escaping (Next.Value) -> Identity
    ) -> Sink<Next.Value, Next.Error> {
        let values = next.values
        let seen = OperatorState<Set<Identity>>([])
        return Sink(
            value: { if seen.value.insert(transform($0)).inserted { values.receive($0) } },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Drops each value whose identity has occurred before.
    ///
    /// - Parameter transform: Returns the identity of a value.
    /// - Complexity: O(1) amortised per value. All identities are retained until the end, without a bound.
    @inlinable
    public func uniqueValues<Identity: Hashable>(
        _ transform: sending @escaping (Value) -> Identity
    ) -> Signal<Value, Error> {
        derive { UniqueValues.kernel(into: $0, transform) }
    }
}

extension Signal where Value: Hashable {
    /// Drops each value that has occurred before.
    ///
    /// - Complexity: O(1) amortised per value. All values are retained until the end, without a bound.
    @inlinable
    public func uniqueValues() -> Signal<Value, Error> {
        derive { UniqueValues.kernel(into: $0) { $0 } }
    }
}

extension SignalProducer {
    /// Drops each value whose identity has occurred before. See ``Signal/uniqueValues(_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func uniqueValues<Identity: Hashable>(
        _ transform: @escaping @Sendable (Value) -> Identity
    ) -> SignalProducer<Value, Error> {
        fuse(shared { UniqueValues.kernel(into: $0, transform) })
    }
}

extension SignalProducer where Value: Hashable {
    /// Drops each value that has occurred before. See ``Signal/uniqueValues()``.
    @inlinable
    public func uniqueValues() -> SignalProducer<Value, Error> {
        fuse(shared { UniqueValues.kernel(into: $0) { $0 } })
    }
}
