@usableFromInline
enum PromoteError {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(into next: Next) -> Sink<Next.Value, Never> {
        Sink(value: next.onValue, termination: { next.terminate($0.promoted()) })
    }
}

extension Signal where Error == Never {
    /// This signal with another error type.
    ///
    /// - Parameter type: The new error type. No failure is ever sent.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func promoteError<F>(_ type: F.Type = F.self) -> Signal<Value, F> {
        derive { PromoteError.kernel(into: $0) }
    }

    /// Returns this signal, because the error type doesn't change.
    @inlinable
    public func promoteError(_ type: Error.Type = Error.self) -> Signal<Value, Error> { self }
}

extension SignalProducer where Error == Never {
    /// This producer with another error type. See ``Signal/promoteError(_:)-(F.Type)``.
    @inlinable
    public func promoteError<F>(_ type: F.Type = F.self) -> SignalProducer<Value, F> {
        promoted()
    }

    /// Returns this producer, because the error type doesn't change.
    @inlinable
    public func promoteError(_ type: Error.Type = Error.self) -> SignalProducer<Value, Error> { self }
}
