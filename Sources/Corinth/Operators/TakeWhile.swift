@usableFromInline
enum TakeWhile {
    /// - Parameter isInclusive: Whether the value that ends it is passed on, too.
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(
        into next: Next, isInclusive: Bool, _ shouldContinue: @escaping (Next.Value) -> Bool
    ) -> Sink<Next.Value, Next.Error> {
        let isEnded = OperatorState(false)
        return Sink(
            value: { value in
                // The source may go on for a while after the end.
                if isEnded.value { return }
                if shouldContinue(value) {
                    next.receive(value)
                } else {
                    isEnded.value = true
                    if isInclusive { next.receive(value) }
                    next.terminate(.completed)
                }
            },
            termination: { if !isEnded.value { next.terminate($0) } })
    }
}

extension Signal {
    /// Passes on values for as long as `shouldContinue` is true, then completes: without the first value for which it isn't.
    ///
    /// - Parameter shouldContinue: Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    @preconcurrency
    public func take(while shouldContinue: sending @escaping (Value) -> Bool) -> Signal<Value, Error> {
        derive { TakeWhile.kernel(into: $0, isInclusive: false, shouldContinue) }
    }

    /// Passes on values up to and with the first for which `shouldContinue` is false, then completes.
    ///
    /// - Parameter shouldContinue: Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    @preconcurrency
    public func take(until shouldContinue: sending @escaping (Value) -> Bool) -> Signal<Value, Error> {
        derive { TakeWhile.kernel(into: $0, isInclusive: true, shouldContinue) }
    }
}

extension SignalProducer {
    /// Passes on values for as long as `shouldContinue` is true, then completes and cancels the source. See
    /// ``Signal/take(while:)``.
    @inlinable
    @preconcurrency
    public func take(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        fuseEnding { TakeWhile.kernel(into: $0, isInclusive: false, shouldContinue) }
    }

    /// Passes on values up to and with the first for which `shouldContinue` is false, then completes and cancels the
    /// source. See ``Signal/take(until:)-((Value)->Bool)``.
    @inlinable
    @preconcurrency
    public func take(until shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        fuseEnding { TakeWhile.kernel(into: $0, isInclusive: true, shouldContinue) }
    }
}
