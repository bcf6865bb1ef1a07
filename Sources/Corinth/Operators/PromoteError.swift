@usableFromInline
enum PromoteError {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(into next: Next) -> Sink<Next.Value, Never> {
        Sink(value: next.onValue, termination: { next.terminate($0.promoted()) })
    }
}

extension Signal where Error == Never {
    /// The same signal, as one that could fail.
    ///
    /// - Parameter type: The type of the error that never comes.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func promoteError<F>(_ type: F.Type = F.self) -> Signal<Value, F> {
        derive { PromoteError.kernel(into: $0) }
    }

    /// This signal: there is nothing to promote.
    @inlinable
    public func promoteError(_ type: Error.Type = Error.self) -> Signal<Value, Error> { self }
}

extension SignalProducer where Error == Never {
    /// The same producer, as one that could fail. See ``Signal/promoteError(_:)-(F.Type)``.
    @inlinable
    public func promoteError<F>(_ type: F.Type = F.self) -> SignalProducer<Value, F> {
        promoted()
    }

    /// This producer: there is nothing to promote.
    @inlinable
    public func promoteError(_ type: Error.Type = Error.self) -> SignalProducer<Value, Error> { self }
}
