@usableFromInline
enum PromoteValue {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(into next: Next) -> Sink<Never, Next.Error> {
        Sink(value: { _ in }, termination: next.onTermination)
    }
}

extension Signal where Value == Never {
    /// The same signal, as one that could send values.
    ///
    /// - Parameter type: The type of the values that never come.
    @inlinable
    public func promoteValue<U>(_ type: U.Type = U.self) -> Signal<U, Error> {
        derive { PromoteValue.kernel(into: $0) }
    }

    /// This signal: there is nothing to promote.
    @inlinable
    public func promoteValue(_ type: Value.Type = Value.self) -> Signal<Value, Error> { self }
}

extension SignalProducer where Value == Never {
    /// The same producer, as one that could send values. See ``Signal/promoteValue(_:)-(U.Type)``.
    @inlinable
    public func promoteValue<U>(_ type: U.Type = U.self) -> SignalProducer<U, Error> {
        fuse { PromoteValue.kernel(into: $0) }
    }

    /// This producer: there is nothing to promote.
    @inlinable
    public func promoteValue(_ type: Value.Type = Value.self) -> SignalProducer<Value, Error> { self }
}
