@usableFromInline
enum Attempt {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ transform: @escaping (Value) -> Result<Next.Value, Next.Error>
    ) -> Sink<Value, Next.Error> {
        let hasFailed = OperatorState(false)
        return Sink(
            value: { value in
                // The source may still send after the failure.
                if hasFailed.value { return }
                switch transform(value) {
                case .success(let result): next.receive(result)
                case .failure(let error):
                    hasFailed.value = true
                    next.terminate(.failed(error))
                }
            },
            termination: { if !hasFailed.value { next.terminate($0) } })
    }

    /// The result of an action that may throw.
    @inlinable @inline(__always)
    static func result<Value, U>(of value: Value, _ transform: (Value) throws -> U) -> Result<U, any Error> {
        do {
            return .success(try transform(value))
        } catch {
            return .failure(error)
        }
    }
}

extension Signal {
    /// Forwards each value for which `action` succeeds, and fails with the first failure.
    ///
    /// - Parameter action: Checks a value. Not called again after it has failed.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func attempt(_ action: sending @escaping (Value) -> Result<(), Error>) -> Signal<Value, Error> {
        // Swift 6.3 captures a `sending` parameter in a box and checks each access to it.
        let action = action
        return derive { Attempt.kernel(into: $0) { value in action(value).map { value } } }
    }

    /// Transforms each value with an operation that may fail, and fails with the first failure.
    ///
    /// - Parameter transform: Transforms a value. Not called again after it has failed.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func attemptMap<U>(
        _ transform: sending @escaping (Value) -> Result<U, Error>
    ) -> Signal<U, Error> {
        derive { Attempt.kernel(into: $0, transform) }
    }
}

extension Signal where Error == any Swift.Error {
    /// Forwards each value for which `action` returns, and fails with the first error that it throws.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func attempt(_ action: sending @escaping (Value) throws -> Void) -> Signal<Value, Error> {
        // Swift 6.3 captures a `sending` parameter in a box and checks each access to it.
        let action = action
        return derive { Attempt.kernel(into: $0) { value in Attempt.result(of: value, action).map { value } } }
    }

    /// Transforms each value, and fails with the first error that `transform` throws.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func attemptMap<U>(_ transform: sending @escaping (Value) throws -> U) -> Signal<U, Error> {
        // Swift 6.3 captures a `sending` parameter in a box and checks each access to it.
        let transform = transform
        return derive { Attempt.kernel(into: $0) { Attempt.result(of: $0, transform) } }
    }
}

extension Signal where Error == Never {
    /// Forwards each value for which `action` returns, and fails with the first error that it throws.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func attempt(_ action: sending @escaping (Value) throws -> Void) -> Signal<Value, any Swift.Error> {
        promoteError((any Swift.Error).self).attempt(action)
    }

    /// Transforms each value, and fails with the first error that `transform` throws.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func attemptMap<U>(
        _ transform: sending @escaping (Value) throws -> U
    ) -> Signal<U, any Swift.Error> {
        promoteError((any Swift.Error).self).attemptMap(transform)
    }
}

extension SignalProducer {
    /// Forwards each value for which `action` succeeds. Fails with the first failure and disposes of the source.
    /// See ``Signal/attempt(_:)-((Value)->Result<(),Error>)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func attempt(
        _ action: @escaping @Sendable (Value) -> Result<(), Error>
    ) -> SignalProducer<Value, Error> {
        fuseEnding { Attempt.kernel(into: $0) { value in action(value).map { value } } }
    }

    /// Transforms each value with an operation that may fail. Fails with the first failure and disposes of the source.
    /// See ``Signal/attemptMap(_:)-((Value)->Result<U,Error>)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func attemptMap<U>(
        _ transform: @escaping @Sendable (Value) -> Result<U, Error>
    ) -> SignalProducer<U, Error> {
        fuseEnding { Attempt.kernel(into: $0, transform) }
    }
}

extension SignalProducer where Error == any Swift.Error {
    /// Forwards each value for which `action` returns. Fails with the first error that it throws and disposes of the source.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> SignalProducer<Value, Error> {
        fuseEnding { Attempt.kernel(into: $0) { value in Attempt.result(of: value, action).map { value } } }
    }

    /// Transforms each value. Fails with the first error that `transform` throws and disposes of the source.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func attemptMap<U>(
        _ transform: @escaping @Sendable (Value) throws -> U
    ) -> SignalProducer<U, Error> {
        fuseEnding { Attempt.kernel(into: $0) { Attempt.result(of: $0, transform) } }
    }
}

extension SignalProducer where Error == Never {
    /// Forwards each value for which `action` returns. Fails with the first error that it throws and disposes of the source.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func attempt(
        _ action: @escaping @Sendable (Value) throws -> Void
    ) -> SignalProducer<Value, any Swift.Error> {
        promoteError((any Swift.Error).self).attempt(action)
    }

    /// Transforms each value. Fails with the first error that `transform` throws and disposes of the source.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func attemptMap<U>(
        _ transform: @escaping @Sendable (Value) throws -> U
    ) -> SignalProducer<U, any Swift.Error> {
        promoteError((any Swift.Error).self).attemptMap(transform)
    }
}
