@usableFromInline
enum SkipRepeats {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(
        into next: Next, _ isEquivalent: @escaping (Next.Value, Next.Value) -> Bool
    ) -> Sink<Next.Value, Next.Error> {
        let values = next.values
        let previous = OperatorState<Next.Value?>(nil)
        return Sink(
            value: { value in
                if let previous = previous.value, isEquivalent(previous, value) { return }
                previous.value = value
                values.receive(value)
            },
            termination: next.onTermination)
    }

    /// The kernel of a start. In a binding of properties, an equal value of a newer assignment passes: it may differ from what the
    /// target has got meanwhile over another binding (law B2).
    @inlinable @inline(__always)
    static func kernelOfStart<Next: Receiver>(
        into next: Next, _ isEquivalent: @escaping (Next.Value, Next.Value) -> Bool
    ) -> Sink<Next.Value, Next.Error> {
        if ThreadState.current.change != .starting { return kernel(into: next, isEquivalent) }
        let changes = OperatorState(ChangeStamp.starting)
        return kernel(into: next) { previous, value in
            let change = ThreadState.current.change
            let isNewer = change.isOfAssignment && change.number != changes.value.number
            if isNewer { changes.value = change }
            return !isNewer && isEquivalent(previous, value)
        }
    }
}

extension Signal {
    /// Drops each value that is equivalent to the previous one.
    ///
    /// - Parameter isEquivalent: Receives the last value that was sent, and the new value.
    /// - Complexity: O(1) and no allocation per value. Retains the last value.
    @inlinable
    public func skipRepeats(_ isEquivalent: sending @escaping (Value, Value) -> Bool) -> Signal<Value, Error> {
        derive { SkipRepeats.kernel(into: $0, isEquivalent) }
    }
}

extension Signal where Value: Equatable {
    /// Drops each value that is equal to the previous one.
    ///
    /// - Complexity: O(1) and no allocation per value. Retains the last value.
    @inlinable
    public func skipRepeats() -> Signal<Value, Error> {
        derive { SkipRepeats.kernel(into: $0) { $0 == $1 } }
    }
}

extension SignalProducer {
    /// Drops each value that is equivalent to the previous one. See ``Signal/skipRepeats(_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func skipRepeats(
        _ isEquivalent: @escaping @Sendable (Value, Value) -> Bool
    ) -> SignalProducer<Value, Error> {
        fuse { SkipRepeats.kernelOfStart(into: $0, isEquivalent) }
    }
}

extension SignalProducer where Value: Equatable {
    /// Drops each value that is equal to the previous one. See ``Signal/skipRepeats()``.
    @inlinable
    public func skipRepeats() -> SignalProducer<Value, Error> {
        fuse(shared { SkipRepeats.kernelOfStart(into: $0) { $0 == $1 } })
    }
}
