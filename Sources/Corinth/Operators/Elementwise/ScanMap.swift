@usableFromInline
enum ScanMap {
    @inlinable @inline(__always)
    static func kernel<Value, State, Next: Receiver>(
        into next: Next, _ initialState: State, _ transform: @escaping (inout State, Value) -> Next.Value
    ) -> Sink<Value, Next.Error> {
        let values = next.values
        let state = OperatorState(initialState)
        return Sink(value: { values.receive(transform(&state.value, $0)) }, termination: next.onTermination)
    }
}

extension Signal {
    /// Transforms each value, and passes a state from one value to the next.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first value.
    ///   - next: Receives the state and a value. Returns the next state and the value to send.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func scanMap<State, U>(
        _ initialState: State, _ next: sending @escaping (State, Value) -> (State, U)
    ) -> Signal<U, Error> {
        // Swift 6.3 captures a `sending` parameter in a box and checks each access to it.
        let next = next
        return derive {
            ScanMap.kernel(into: $0, initialState) { state, value in
                let (nextState, result) = next(state, value)
                state = nextState
                return result
            }
        }
    }

    /// Transforms each value, and changes a state in place. See ``scanMap(_:_:)``.
    @inlinable
    public func scanMap<State, U>(
        into initialState: State, _ next: sending @escaping (inout State, Value) -> U
    ) -> Signal<U, Error> {
        derive { ScanMap.kernel(into: $0, initialState, next) }
    }
}

extension SignalProducer {
    /// Transforms each value, and passes a state from one value to the next. See ``Signal/scanMap(_:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func scanMap<State, U>(
        _ initialState: State, _ next: @escaping @Sendable (State, Value) -> (State, U)
    ) -> SignalProducer<U, Error> {
        // Each start begins with a copy.
        nonisolated(unsafe) let initialState = initialState
        return fuse {
            ScanMap.kernel(into: $0, unsafe initialState) { state, value in
                let (nextState, result) = next(state, value)
                state = nextState
                return result
            }
        }
    }

    /// Transforms each value, and changes a state in place. See ``Signal/scanMap(_:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func scanMap<State, U>(
        into initialState: State, _ next: @escaping @Sendable (inout State, Value) -> U
    ) -> SignalProducer<U, Error> {
        nonisolated(unsafe) let initialState = initialState
        return fuse { ScanMap.kernel(into: $0, unsafe initialState, next) }
    }
}
