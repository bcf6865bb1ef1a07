@usableFromInline
enum PromoteValue {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(into next: Next) -> Sink<Never, Next.Error> {
        Sink(value: { _ in }, termination: next.onTermination)
    }
}

extension Signal where Value == Never {
    /// This signal with another value type.
    ///
    /// - Parameter type: The new value type. No value is ever sent.
    @inlinable
    public func promoteValue<U>(_ type: U.Type = U.self) -> Signal<U, Error> {
        derive { PromoteValue.kernel(into: $0) }
    }

    /// Returns this signal, because the value type doesn't change.
    @inlinable
    public func promoteValue(_ type: Value.Type = Value.self) -> Signal<Value, Error> { self }
}

extension SignalProducer where Value == Never {
    /// This producer with another value type. See ``Signal/promoteValue(_:)-(U.Type)``.
    @inlinable
    public func promoteValue<U>(_ type: U.Type = U.self) -> SignalProducer<U, Error> {
        fuse { PromoteValue.kernel(into: $0) }
    }

    /// Returns this producer, because the value type doesn't change.
    @inlinable
    public func promoteValue(_ type: Value.Type = Value.self) -> SignalProducer<Value, Error> { self }
}
