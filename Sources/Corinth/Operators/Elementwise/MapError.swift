@usableFromInline
enum MapError {
    @inlinable @inline(__always)
    static func kernel<Error: Swift.Error, Next: Receiver>(
        into next: Next, _ transform: @escaping (Error) -> Next.Error
    ) -> Sink<Next.Value, Error> {
        Sink(value: next.onValue, termination: { next.terminate($0.mapError(transform)) })
    }
}

extension Termination {
    /// The termination with its error transformed, if it has one.
    @inlinable @inline(__always)
    func mapError<F>(_ transform: (Error) -> F) -> Termination<F> {
        switch self {
        case .failed(let error): .failed(transform(error))
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}

extension Signal {
    /// Transforms the error of a failure.
    ///
    /// - Parameter transform: Transforms the error. Runs at most once, on the thread that delivers the failure.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func mapError<F>(_ transform: sending @escaping (Error) -> F) -> Signal<Value, F> {
        derive { MapError.kernel(into: $0, transform) }
    }
}

extension SignalProducer {
    /// Transforms the error of a failure. See ``Signal/mapError(_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func mapError<F>(_ transform: @escaping @Sendable (Error) -> F) -> SignalProducer<Value, F> {
        fuse { MapError.kernel(into: $0, transform) }
    }
}
