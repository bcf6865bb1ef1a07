extension LazySignal {
    /// Combines each value with the current result, and sends each new result.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value. It is not sent.
    ///   - nextPartialResult: Receives the current result and a value, and returns the next result.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func scan<U>(
        _ initialResult: U, _ nextPartialResult: sending @escaping (U, Value) -> U
    ) -> LazySignal<Stateful<U, U>> {
        let nextPartialResult = nextPartialResult
        return stateful(initialResult) { result, value in
            result = nextPartialResult(result, value)
            return (result, nil)
        }
    }

    /// Combines each value with the current result in place, and sends each new result. See ``scan(_:_:)``.
    @export(implementation) @inline(__always)
    public func scan<U>(
        into initialResult: U, _ nextPartialResult: sending @escaping (inout U, Value) -> Void
    ) -> LazySignal<Stateful<U, U>> {
        let nextPartialResult = nextPartialResult
        return stateful(initialResult) { result, value in
            nextPartialResult(&result, value)
            return (result, nil)
        }
    }

    /// Transforms each value, and changes a state in place.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first value.
    ///   - next: Receives the state and a value. Changes the state, and returns the value to send.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func scanMap<State, U>(
        into initialState: State, _ next: sending @escaping (inout State, Value) -> U
    ) -> LazySignal<Stateful<State, U>> {
        let next = next
        return stateful(initialState) { (next(&$0, $1), nil) }
    }

    /// Drops values while `shouldContinueSkipping` returns true. Forwards the first other value and all later ones.
    ///
    /// - Parameter shouldContinueSkipping: Returns whether to drop a value. Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func skip(while shouldContinueSkipping: sending @escaping (Value) -> Bool) -> LazySignal<
        Stateful<Bool, Value>
    > {
        let shouldContinueSkipping = shouldContinueSkipping
        return stateful(true) { isSkipping, value in
            if isSkipping { isSkipping = shouldContinueSkipping(value) }
            return (isSkipping ? nil : value, nil)
        }
    }

    /// Drops each value that is equivalent to the previous one.
    ///
    /// - Parameter isEquivalent: Receives the last value that was sent, and the new value.
    /// - Complexity: O(1) and no allocation per value. Retains the last value.
    @export(implementation) @inline(__always)
    public func skipRepeats(
        _ isEquivalent: sending @escaping (Value, Value) -> Bool
    ) -> LazySignal<Stateful<Value?, Value>> {
        let isEquivalent = isEquivalent
        return stateful(nil) { previous, value in
            if let previous, isEquivalent(previous, value) { return (nil, nil) }
            previous = value
            return (value, nil)
        }
    }

    @export(implementation) @inline(__always)
    func stateful<State, U>(
        _ initial: State, _ next: @escaping (inout State, Value) -> (U?, Termination<Error>?)
    ) -> LazySignal<Stateful<State, U>> {
        let stages = stages
        return appending { Stateful(source: stages(), initial: initial, next: next) }
    }

    /// The stages of operators that have a state, or may end the stream with a value.
    @frozen
    public struct Stateful<State, Value>: LazyStages {
        public typealias Input = Stages.Input
        public typealias InputError = Stages.InputError
        public typealias Error = Stages.Error

        @usableFromInline let source: Stages
        @usableFromInline let state: OperatorState<State>

        /// Returns the value to send, and the termination that follows it.
        @usableFromInline let next: (inout State, Stages.Value) -> (Value?, Termination<Error>?)

        @export(implementation) @inline(__always)
        init(
            source: Stages, initial: State,
            next: @escaping (inout State, Stages.Value) -> (Value?, Termination<Error>?)
        ) {
            self.source = source
            self.next = next
            state = OperatorState(initial)
        }

        @export(implementation)
        public static var isStateless: Bool { false }

        @export(implementation) @inline(__always)
        public func step(_ value: Input, _ end: (Termination<Error>) -> Void) -> Value? {
            guard let value = source.step(value, end) else { return nil }
            let (result, termination) = next(&state.value, value)
            if let termination { end(termination) }
            return result
        }
    }
}

extension LazySignal where Stages.Value: Equatable {
    /// Drops each value that is equal to the previous one.
    ///
    /// - Complexity: O(1) and no allocation per value. Retains the last value.
    @export(implementation) @inline(__always)
    public func skipRepeats() -> LazySignal<Stateful<Value?, Value>> { skipRepeats { $0 == $1 } }
}
