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
    @inlinable
    public func map<U>(_ transform: sending @escaping (Value) -> U) -> Signal<U, Error> {
        derive { Map.kernel(into: $0, transform) }
    }
}
