@usableFromInline
enum TakeWhile {
    /// - Parameter isInclusive: Whether the value that ends the stream is sent, too.
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(
        into next: Next, isInclusive: Bool, _ shouldContinue: @escaping (Next.Value) -> Bool
    ) -> Sink<Next.Value, Next.Error> {
        let isEnded = OperatorState(false)
        return Sink(
            value: { value in
                // The source may still send after the end.
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
    /// Forwards values while `shouldContinue` returns true, then completes without sending the first other value.
    ///
    /// - Parameter shouldContinue: Returns whether to continue. Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func take(while shouldContinue: sending @escaping (Value) -> Bool) -> Signal<Value, Error> {
        derive { TakeWhile.kernel(into: $0, isInclusive: false, shouldContinue) }
    }

    /// Forwards values up to and including the first one for which `shouldContinue` returns false, then completes.
    ///
    /// - Parameter shouldContinue: Returns whether to continue. Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func take(until shouldContinue: sending @escaping (Value) -> Bool) -> Signal<Value, Error> {
        derive { TakeWhile.kernel(into: $0, isInclusive: true, shouldContinue) }
    }
}

extension SignalProducer {
    /// Forwards values while `shouldContinue` returns true, then completes and disposes of the source.
    /// See ``Signal/take(while:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func take(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        fuseEnding { TakeWhile.kernel(into: $0, isInclusive: false, shouldContinue) }
    }

    /// Forwards values up to and including the first one for which `shouldContinue` returns false, then completes and
    /// disposes of the source. See ``Signal/take(until:)-((Value)->Bool)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func take(until shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        fuseEnding { TakeWhile.kernel(into: $0, isInclusive: true, shouldContinue) }
    }
}
