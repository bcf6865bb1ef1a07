@usableFromInline
enum CompactMap {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ transform: @escaping (Value) -> Next.Value?
    ) -> Sink<Value, Next.Error> {
        Sink(
            value: { if let value = transform($0) { next.receive(value) } },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Transforms each value, and sends the results that aren't nil.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    @preconcurrency
    public func compactMap<U>(_ transform: sending @escaping (Value) -> U?) -> Signal<U, Error> {
        derive { CompactMap.kernel(into: $0, transform) }
    }
}

extension SignalProducer {
    /// Transforms each value, and sends the results that aren't nil. See ``Signal/compactMap(_:)``.
    @inlinable
    @preconcurrency
    public func compactMap<U>(_ transform: @escaping @Sendable (Value) -> U?) -> SignalProducer<U, Error> {
        fuse { CompactMap.kernel(into: $0, transform) }
    }
}
