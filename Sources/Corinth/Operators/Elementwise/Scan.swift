@usableFromInline
enum Scan {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ initialResult: Next.Value,
        _ nextPartialResult: @escaping (inout Next.Value, Value) -> Void
    ) -> Sink<Value, Next.Error> {
        let values = next.values
        let result = OperatorState(initialResult)
        return Sink(
            value: {
                nextPartialResult(&result.value, $0)
                values.receive(result.value)
            },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Combines each value with the current result, and sends each new result.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value. It is not sent.
    ///   - nextPartialResult: Receives the current result and a value, and returns the next result.
    /// - Complexity: O(1) and no allocation per value.
    @_disfavoredOverload
    @inlinable
    public func scan<U>(
        _ initialResult: U, _ nextPartialResult: sending @escaping (U, Value) -> U
    ) -> Signal<U, Error> {
        // Swift 6.3 captures a `sending` parameter in a box and checks each access to it.
        let nextPartialResult = nextPartialResult
        return derive { Scan.kernel(into: $0, initialResult) { $0 = nextPartialResult($0, $1) } }
    }

    /// Combines each value with the current result in place, and sends each new result. See ``scan(_:_:)``.
    @inlinable
    public func scan<U>(
        into initialResult: U, _ nextPartialResult: sending @escaping (inout U, Value) -> Void
    ) -> Signal<U, Error> {
        derive { Scan.kernel(into: $0, initialResult, nextPartialResult) }
    }
}

extension SignalProducer {
    /// Combines each value with the current result, and sends each new result. See ``Signal/scan(_:_:)``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func scan<U>(
        _ initialResult: U, _ nextPartialResult: @escaping @Sendable (U, Value) -> U
    ) -> SignalProducer<U, Error> {
        // Each start begins with a copy.
        nonisolated(unsafe) let initialResult = initialResult
        return fuse { Scan.kernel(into: $0, unsafe initialResult) { $0 = nextPartialResult($0, $1) } }
    }

    /// Combines each value with the current result in place, and sends each new result. See ``Signal/scan(into:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func scan<U>(
        into initialResult: U, _ nextPartialResult: @escaping @Sendable (inout U, Value) -> Void
    ) -> SignalProducer<U, Error> {
        nonisolated(unsafe) let initialResult = initialResult
        return fuse { Scan.kernel(into: $0, unsafe initialResult, nextPartialResult) }
    }
}

extension Signal where Value == Int {
    // A separate overload for integers: if `U` is generic, the compiler takes too long for a `+` that is passed by name.
    // With an overload for any other type, `scan(0)` would use that type instead of `Int`.
    @_documentation(visibility: internal)
    @inlinable
    public func scan(
        _ initialResult: Int, _ nextPartialResult: sending @escaping (Int, Int) -> Int
    ) -> Signal<Int, Error> {
        let nextPartialResult = nextPartialResult
        return derive { Scan.kernel(into: $0, initialResult) { $0 = nextPartialResult($0, $1) } }
    }
}

extension SignalProducer where Value == Int {
    // A separate overload for integers. See above.
    @_documentation(visibility: internal)
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func scan(
        _ initialResult: Int, _ nextPartialResult: @escaping @Sendable (Int, Int) -> Int
    ) -> SignalProducer<Int, Error> {
        fuse { Scan.kernel(into: $0, initialResult) { $0 = nextPartialResult($0, $1) } }
    }
}
