@usableFromInline
enum Reduce {
    @inlinable @inline(__always)
    static func kernel<Value, Next: StoppableReceiver>(
        into next: Next, _ initialResult: Next.Value,
        _ nextPartialResult: @escaping (inout Next.Value, Value) -> Void
    ) -> Sink<Value, Next.Error> {
        let result = OperatorState(initialResult)
        return Sink(
            value: { nextPartialResult(&result.value, $0) },
            termination: { termination in
                if case .completed = termination { next.receive(result.value) }
                next.terminate(termination)
            })
    }
}

extension Signal {
    /// Combines all values into one result, and sends it on completion.
    ///
    /// Without values, the result is `initialResult`. A failure or an interruption drops the result (law
    /// [E6](doc:Contracts#E6-Three-ways-to-end)).
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: Receives the current result and a value, and returns the next result.
    /// - Complexity: O(1) and no allocation per value.
    @_disfavoredOverload
    @inlinable
    public func reduce<U>(
        _ initialResult: U, _ nextPartialResult: sending @escaping (U, Value) -> U
    ) -> Signal<U, Error> {
        // Swift 6.3 captures a `sending` parameter in a box and checks each access to it.
        let nextPartialResult = nextPartialResult
        return derive { Reduce.kernel(into: $0, initialResult) { $0 = nextPartialResult($0, $1) } }
    }

    /// Combines all values into one result in place, and sends it on completion. See ``reduce(_:_:)``.
    @inlinable
    public func reduce<U>(
        into initialResult: U, _ nextPartialResult: sending @escaping (inout U, Value) -> Void
    ) -> Signal<U, Error> {
        derive { Reduce.kernel(into: $0, initialResult, nextPartialResult) }
    }
}

extension SignalProducer {
    /// Combines all values into one result, and sends it on completion. See ``Signal/reduce(_:_:)``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func reduce<U>(
        _ initialResult: U, _ nextPartialResult: @escaping @Sendable (U, Value) -> U
    ) -> SignalProducer<U, Error> {
        // Each start begins with a copy.
        nonisolated(unsafe) let initialResult = initialResult
        return fuseStoppable { Reduce.kernel(into: $0, unsafe initialResult) { $0 = nextPartialResult($0, $1) } }
    }

    /// Combines all values into one result in place, and sends it on completion. See ``Signal/reduce(_:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func reduce<U>(
        into initialResult: U, _ nextPartialResult: @escaping @Sendable (inout U, Value) -> Void
    ) -> SignalProducer<U, Error> {
        nonisolated(unsafe) let initialResult = initialResult
        return fuseStoppable { Reduce.kernel(into: $0, unsafe initialResult, nextPartialResult) }
    }
}

extension Signal where Value == Int {
    // A separate overload for integers. See `scan`.
    @_documentation(visibility: internal)
    @inlinable
    public func reduce(
        _ initialResult: Int, _ nextPartialResult: sending @escaping (Int, Int) -> Int
    ) -> Signal<Int, Error> {
        let nextPartialResult = nextPartialResult
        return derive { Reduce.kernel(into: $0, initialResult) { $0 = nextPartialResult($0, $1) } }
    }
}

extension SignalProducer where Value == Int {
    // A separate overload for integers. See `scan`.
    @_documentation(visibility: internal)
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func reduce(
        _ initialResult: Int, _ nextPartialResult: @escaping @Sendable (Int, Int) -> Int
    ) -> SignalProducer<Int, Error> {
        fuseStoppable { Reduce.kernel(into: $0, initialResult) { $0 = nextPartialResult($0, $1) } }
    }
}
