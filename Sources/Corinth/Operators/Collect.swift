@usableFromInline
enum Collect {
    /// Sends what was collected when `isFull` says so, after the value was added.
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

    /// Sends what was collected when `isFull` says so, before the value is added.
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

    /// The values that were collected and not sent.
    @frozen
    @usableFromInline
    struct Batch<Value> {
        @usableFromInline var values: [Value] = []

        /// Whether anything was ever collected. If not, an empty array is sent.
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
        // Nobody may have kept it: then its room is used again.
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
    /// Collects all values, and sends them as an array on completion; an empty one, if there were none.
    ///
    /// A failure or an interruption drops them (law E6).
    ///
    /// - Complexity: O(1) amortised per value. What is collected is kept, without a bound: for one, see
    ///   ``collect(bufferingPolicy:statistics:)``.
    @inlinable
    public func collect() -> Signal<[Value], Error> {
        derive { Collect.kernel(into: $0) { _ in false } }
    }

    /// Collects values into arrays of `count` each; the rest comes on completion.
    ///
    /// If there were no values at all, an empty array comes on completion. A failure or an interruption drops the rest.
    ///
    /// - Parameter count: At least 1.
    /// - Complexity: O(1) amortised per value, and one allocation per array if it is kept.
    @inlinable
    public func collect(count: Int) -> Signal<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        return derive { Collect.kernel(into: $0) { $0.count == count } }
    }

    /// Collects values, and sends them as an array each time `shouldEmit` is true; the rest comes on completion.
    ///
    /// If there were no values at all, an empty array comes on completion. A failure or an interruption drops the rest.
    ///
    /// - Parameter shouldEmit: Gets what has been collected, with the newest value.
    /// - Complexity: O(1) amortised per value, and one allocation per array if it is kept.
    @inlinable
    @preconcurrency
    public func collect(
        _ shouldEmit: sending @escaping (_ collectedValues: [Value]) -> Bool
    ) -> Signal<[Value], Error> {
        derive { Collect.kernel(into: $0, shouldEmit) }
    }

    /// Collects values, and sends them as an array each time `shouldEmit` is true of them and the value that comes next,
    /// which then begins the next array; the rest comes on completion.
    ///
    /// If there were no values at all, an empty array comes on completion. A failure or an interruption drops the rest.
    ///
    /// - Parameter shouldEmit: Gets what has been collected, without the newest value, and the newest value.
    /// - Complexity: O(1) amortised per value, and one allocation per array if it is kept.
    @inlinable
    @preconcurrency
    public func collect(
        _ shouldEmit: sending @escaping (_ collected: [Value], _ latest: Value) -> Bool
    ) -> Signal<[Value], Error> {
        derive { Collect.kernel(into: $0, before: shouldEmit) }
    }
}

extension SignalProducer {
    /// Collects all values, and sends them as an array on completion. See ``Signal/collect()``.
    @inlinable
    public func collect() -> SignalProducer<[Value], Error> {
        fuseStoppable { Collect.kernel(into: $0) { _ in false } }
    }

    /// Collects values into arrays of `count` each. See ``Signal/collect(count:)``.
    @inlinable
    public func collect(count: Int) -> SignalProducer<[Value], Error> {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        return fuseStoppable { Collect.kernel(into: $0) { $0.count == count } }
    }

    /// Collects values, and sends them each time `shouldEmit` is true. See ``Signal/collect(_:)-(([Value])->Bool)``.
    @inlinable
    @preconcurrency
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ collectedValues: [Value]) -> Bool
    ) -> SignalProducer<[Value], Error> {
        fuseStoppable { Collect.kernel(into: $0, shouldEmit) }
    }

    /// Collects values, and sends them each time `shouldEmit` is true of them and the value that comes next. See
    /// ``Signal/collect(_:)-(([Value],Value)->Bool)``.
    @inlinable
    @preconcurrency
    public func collect(
        _ shouldEmit: @escaping @Sendable (_ collected: [Value], _ latest: Value) -> Bool
    ) -> SignalProducer<[Value], Error> {
        fuseStoppable { Collect.kernel(into: $0, before: shouldEmit) }
    }
}
