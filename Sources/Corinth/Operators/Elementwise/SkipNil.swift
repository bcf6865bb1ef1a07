@usableFromInline
enum SkipNil {
    @inlinable @inline(__always)
    static func kernel<Value: OptionalProtocol, Next: Receiver>(into next: Next) -> Sink<Value, Next.Error>
    where Next.Value == Value.Wrapped {
        let values = next.values
        return Sink(value: { if let value = $0.optional { values.receive(value) } }, termination: next.onTermination)
    }
}

extension Signal where Value: OptionalProtocol {
    /// Unwraps the values, and drops those that are nil.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func skipNil() -> Signal<Value.Wrapped, Error> {
        derive { SkipNil.kernel(into: $0) }
    }
}

extension SignalProducer where Value: OptionalProtocol {
    /// Unwraps the values, and drops those that are nil. See ``Signal/skipNil()``.
    @inlinable
    public func skipNil() -> SignalProducer<Value.Wrapped, Error> {
        fuse(shared { SkipNil.kernel(into: $0) })
    }
}
