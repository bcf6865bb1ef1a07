@usableFromInline
enum TakeLast {
    @inlinable @inline(__always)
    static func kernel<Next: StoppableReceiver>(into next: Next, _ count: Int) -> Sink<Next.Value, Next.Error> {
        let latest = OperatorState(Latest<Next.Value>(upTo: count))
        return Sink(
            value: { latest.value.append($0) },
            termination: { termination in
                let values = latest.value
                latest.value = Latest(upTo: count)
                if case .completed = termination {
                    for offset in 0..<values.count where !next.isStopped { next.receive(values[offset]) }
                }
                next.terminate(termination)
            })
    }

    /// The latest values. A ring when it is full.
    @frozen
    @usableFromInline
    struct Latest<Value> {
        @usableFromInline let limit: Int
        @usableFromInline var values: [Value] = []
        @usableFromInline var oldest = 0

        @inlinable
        init(upTo limit: Int) {
            self.limit = limit
        }

        @inlinable
        var count: Int { values.count }

        @inlinable
        mutating func append(_ value: Value) {
            if values.count < limit {
                values.append(value)
            } else if limit > 0 {
                values[oldest] = value
                oldest = oldest + 1 == limit ? 0 : oldest + 1
            }
        }

        /// The value at `offset` from the oldest one.
        @inlinable
        subscript(offset: Int) -> Value {
            let place = oldest + offset
            return values[place < values.count ? place : place - values.count]
        }
    }
}

extension Signal {
    /// On completion, sends the last `count` values, or fewer if there were fewer, and then completes.
    ///
    /// A failure or an interruption drops them (law [E6](doc:Contracts#E6-Three-ways-to-end)).
    ///
    /// - Parameter count: The number of values to send. At least 0.
    /// - Complexity: O(1) per value. No allocation per value after the first `count` values, which are retained.
    @inlinable
    public func take(last count: Int) -> Signal<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        return derive { TakeLast.kernel(into: $0, count) }
    }
}

extension SignalProducer {
    /// On completion, sends the last `count` values. See ``Signal/take(last:)``.
    @inlinable
    public func take(last count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        return fuseStoppable { TakeLast.kernel(into: $0, count) }
    }
}
