@usableFromInline
enum SkipWhile {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(
        into next: Next, _ shouldContinueSkipping: @escaping (Next.Value) -> Bool
    ) -> Sink<Next.Value, Next.Error> {
        let values = next.values
        let isSkipping = OperatorState(true)
        return Sink(
            value: { value in
                if isSkipping.value {
                    if shouldContinueSkipping(value) { return }
                    isSkipping.value = false
                }
                values.receive(value)
            },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Drops values while `shouldContinueSkipping` returns true. Forwards the first other value and all later ones.
    ///
    /// - Parameter shouldContinueSkipping: Returns whether to drop a value. Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func skip(while shouldContinueSkipping: sending @escaping (Value) -> Bool) -> Signal<Value, Error> {
        derive { SkipWhile.kernel(into: $0, shouldContinueSkipping) }
    }
}

extension SignalProducer {
    /// Drops values while `shouldContinueSkipping` returns true. See ``Signal/skip(while:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func skip(
        while shouldContinueSkipping: @escaping @Sendable (Value) -> Bool
    ) -> SignalProducer<Value, Error> {
        fuse { SkipWhile.kernel(into: $0, shouldContinueSkipping) }
    }
}
