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
}

extension SignalProducer {
    /// Transforms each value. See ``Signal/map(_:)``.
    @inlinable
    @preconcurrency
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> SignalProducer<U, Error> {
        fuse { Map.kernel(into: $0, transform) }
    }
}
