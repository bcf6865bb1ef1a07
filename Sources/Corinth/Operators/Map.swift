@usableFromInline
enum Map {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ transform: @escaping (Value) -> Next.Value
    ) -> Sink<Value, Next.Error> {
        Sink(value: { next.receive(transform($0)) }, termination: next.onTermination)
    }
}

extension Signal {
    /// Transforms each value.
    ///
    /// - Parameter transform: Runs once for each value, on the thread that delivers it, whoever observes (law S2).
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func map<U>(_ transform: sending @escaping (Value) -> U) -> Signal<U, Error> {
        derive { Map.kernel(into: $0, transform) }
    }

    /// Sends `value` in place of each value.
    ///
    /// - Complexity: O(1) and no allocation per value.
    // Disfavoured: with three overloads on a par, Swift 6.3 finds the `+` in `map { $0 + $1 }` on pairs ambiguous.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> Signal<U, Error> {
        derive { Map.kernel(into: $0) { _ in value } }
    }

    /// Sends what is at `keyPath` in each value.
    ///
    /// - Complexity: That of the property, and no allocation per value.
    @inlinable
    public func map<U>(_ keyPath: KeyPath<Value, U>) -> Signal<U, Error> {
        derive { Map.kernel(into: $0) { $0[keyPath: keyPath] } }
    }
}

extension SignalProducer {
    /// Transforms each value. See ``Signal/map(_:)-1fhny``.
    @inlinable
    @preconcurrency
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> SignalProducer<U, Error> {
        fuse { Map.kernel(into: $0, transform) }
    }

    /// Sends `value` in place of each value. See ``Signal/map(value:)``.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> SignalProducer<U, Error> {
        // Each start sends a copy.
        nonisolated(unsafe) let value = value
        return fuse { Map.kernel(into: $0) { _ in unsafe value } }
    }

    /// Sends what is at `keyPath` in each value. See ``Signal/map(_:)-(KeyPath<Value,U>)``.
    @inlinable
    public func map<U>(_ keyPath: KeyPath<Value, U>) -> SignalProducer<U, Error> {
        // A key path is immutable; what its subscripts capture is shared by the starts, as a value would be.
        nonisolated(unsafe) let keyPath = keyPath
        return fuse { Map.kernel(into: $0) { unsafe $0[keyPath: keyPath] } }
    }
}
