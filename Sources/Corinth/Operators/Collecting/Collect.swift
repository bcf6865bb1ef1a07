@usableFromInline
enum Collect {
    /// Adds each value to the batch, then sends the batch if `isFull` returns true.
    @inlinable @inline(__always)
    static func kernel<Value, Next: StoppableReceiver>(
        into next: Next, _ isFull: @escaping ([Value]) -> Bool
    ) -> Sink<Value, Next.Error> where Next.Value == [Value] {
        let batch = OperatorState(Batch<Value>())
        return Sink(
            value: { value in
                batch.value.append(value)
                if isFull(batch.value.values) { send(batch, to: next) }
            },
            termination: { end(batch, $0, to: next) })
    }

    /// Sends the batch if `isFull` returns true, then adds the value to the next batch.
    @inlinable @inline(__always)
    static func kernel<Value, Next: StoppableReceiver>(
        into next: Next, before isFull: @escaping ([Value], Value) -> Bool
    ) -> Sink<Value, Next.Error> where Next.Value == [Value] {
        let batch = OperatorState(Batch<Value>())
        return Sink(
            value: { value in
                if isFull(batch.value.values, value) { send(batch, to: next) }
                batch.value.append(value)
            },
            termination: { end(batch, $0, to: next) })
    }

    /// The values that are collected and not sent yet.
    @frozen
    @usableFromInline
    struct Batch<Value> {
        @usableFromInline var values: [Value] = []

        /// Whether any value was ever collected. If not, the completion sends an empty array.
        @usableFromInline var hasBegun = false

        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        mutating func append(_ value: Value) {
            values.append(value)
            hasBegun = true
        }
    }

    @inlinable @inline(__always)
    static func send<Value, Next: Receiver>(_ batch: OperatorState<Batch<Value>>, to next: Next)
    where Next.Value == [Value] {
        next.receive(batch.value.values)
        // If no observer keeps the array, its memory is reused.
        batch.value.values.removeAll(keepingCapacity: true)
    }

    @inlinable
    static func end<Value, Next: Receiver>(
        _ batch: OperatorState<Batch<Value>>, _ termination: Termination<Next.Error>, to next: Next
    ) where Next.Value == [Value] {
        let rest = batch.value
        batch.value = Batch()
        if case .completed = termination, !rest.hasBegun || !rest.values.isEmpty { next.receive(rest.values) }
        next.terminate(termination)
    }
}

extension Signal {
    /// Collects all values, and sends them as one array on completion. The array is empty if there were no values.
    ///
    /// A failure or an interruption drops them (law [E6](doc:Contracts#E6-Three-ways-to-end)).
    ///
    /// - Complexity: O(1) amortised per value. The buffer is unbounded. For a bound, see
    ///   ``collect(bufferingPolicy:statistics:)``.
    @inlinable
    public func collect() -> Signal<[Value], Error> {
        derive { Collect.kernel(into: $0) { _ in false } }
    }

    /// Collects values into arrays of `count` values. The completion sends the remaining ones.
    ///
    /// If there were no values, the completion sends an empty array. A failure or an interruption drops the remaining values.
    ///
    /// - Parameter count: The number of values in an array. At least 1.
    /// - Complexity: O(1) amortised per value. One allocation per array if an observer keeps it.
    @inlinable
    public func collect(count: Int) -> Signal<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        return derive { Collect.kernel(into: $0) { $0.count == count } }
    }

    /// Collects values, and sends them as an array each time `shouldEmit` returns true. The completion sends the remaining
    /// ones.
    ///
    /// If there were no values, the completion sends an empty array. A failure or an interruption drops the remaining values.
    ///
    /// - Parameter shouldEmit: Receives the collected values, including the newest one.
    /// - Complexity: See ``collect(count:)``.
    @inlinable
    public func collect(
        _ shouldEmit: sending @escaping (_ collectedValues: [Value]) -> Bool
    ) -> Signal<[Value], Error> {
        derive { Collect.kernel(into: $0, shouldEmit) }
    }

    /// Collects values, and sends them as an array each time `shouldEmit` returns true for them and the next value.
    ///
    /// That next value begins the next array. The completion sends the remaining values. If there were no values, it sends
    /// an empty array. A failure or an interruption drops the remaining values.
    ///
    /// - Parameter shouldEmit: Receives the collected values, without the newest one, and the newest value.
    /// - Complexity: See ``collect(count:)``.
    @inlinable
    public func collect(
        _ shouldEmit: sending @escaping (_ collected: [Value], _ latest: Value) -> Bool
    ) -> Signal<[Value], Error> {
        derive { Collect.kernel(into: $0, before: shouldEmit) }
    }
}

extension SignalProducer {
    /// Collects all values, and sends them as one array on completion. See ``Signal/collect()``.
    @inlinable
    public func collect() -> SignalProducer<[Value], Error> {
        fuseStoppable { Collect.kernel(into: $0) { _ in false } }
    }

    /// Collects values into arrays of `count` values. See ``Signal/collect(count:)``.
    @inlinable
    public func collect(count: Int) -> SignalProducer<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        return fuseStoppable { Collect.kernel(into: $0) { $0.count == count } }
    }

    /// Collects values, and sends them each time `shouldEmit` returns true. See ``Signal/collect(_:)-(([Value])->Bool)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ collectedValues: [Value]) -> Bool
    ) -> SignalProducer<[Value], Error> {
        fuseStoppable { Collect.kernel(into: $0, shouldEmit) }
    }

    /// Collects values, and sends them each time `shouldEmit` returns true for them and the next value.
    /// See ``Signal/collect(_:)-(([Value],Value)->Bool)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ collected: [Value], _ latest: Value) -> Bool
    ) -> SignalProducer<[Value], Error> {
        fuseStoppable { Collect.kernel(into: $0, before: shouldEmit) }
    }
}
