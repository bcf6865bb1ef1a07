extension Collect {
    /// Collects values in a bounded batch, which the completion sends.
    @inlinable @inline(__always)
    static func kernel<Value, Next: StoppableReceiver>(
        into next: Next, _ batch: OperatorState<Held<Value>>, failure: Next.Error?
    ) -> Sink<Value, Next.Error> where Next.Value == [Value] {
        Sink(
            value: { value in
                if batch.value.isOver {
                    batch.value.values.refuse()
                } else if !batch.value.values.append(value), let failure {
                    batch.value.end()
                    next.terminate(.failed(failure))
                }
            },
            termination: { termination in
                if batch.value.isOver { return }
                if case .completed = termination {
                    batch.value.isOver = true
                    next.receive(batch.value.values.takeAll())
                } else {
                    batch.value.end()
                }
                next.terminate(termination)
            })
    }

    /// A batch, and whether the stream has ended.
    @frozen
    @usableFromInline
    struct Held<Value> {
        @usableFromInline var values: BoundedBatch<Value>
        @usableFromInline var isOver = false

        @inlinable
        init(_ bound: BufferBound, counting statistics: BufferStatistics?) {
            values = BoundedBatch(bound, counting: statistics)
        }

        @inlinable
        mutating func end() {
            isOver = true
            values.dropAll()
        }
    }
}

extension Signal {
    /// Collects a bounded number of values, and sends them as one array on completion. The array is empty if there were no
    /// values.
    ///
    ///     source              a-b-c-d|
    ///     dropOldest, 2       -------([cd]|)
    ///     dropNewest, 2       -------([ab]|)
    ///
    /// A failure or an interruption drops them (law [E6](doc:Contracts#E6-Three-ways-to-end)). So does the failure of the policy.
    ///
    /// - Parameters:
    ///   - policy: The overflow policy. Any policy except `.blocking`: the sender would wait for space that only its own
    ///     completion can free.
    ///   - statistics: Counts values as sent, delivered and dropped.
    /// - Complexity: O(1) amortised per value.
    @inlinable
    public func collect(
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> Signal<[Value], Error> {
        let buffering = policy.buffering(in: "collect", counting: statistics)
        let batch = OperatorState(Collect.Held<Value>(buffering.bound, counting: statistics))
        guard statistics != nil else {
            return derive { Collect.kernel(into: $0, batch, failure: buffering.failure) }
        }
        let resources = CompositeDisposable()
        let strand = core.strand
        // Only the strand's owner accesses it.
        nonisolated(unsafe) let counted = batch
        // Runs after the end, or when the result is no longer observed.
        resources.add { strand.performAtOnce(on: unsafe counted, with: ()) { batch, _ in batch.value.end() } }
        return derive(until: resources) { Collect.kernel(into: $0, batch, failure: buffering.failure) }
    }
}

extension SignalProducer {
    /// Collects a bounded number of values in each start, and sends them as one array on completion.
    /// See ``Signal/collect(bufferingPolicy:statistics:)``.
    @inlinable
    public func collect(
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> SignalProducer<[Value], Error> {
        let buffering = policy.buffering(in: "collect", counting: statistics)
        return fuseStoppable(endingEarly: buffering.failure != nil) {
            let batch = OperatorState(Collect.Held<Value>(buffering.bound, counting: buffering.statistics))
            return Collect.kernel(into: $0, batch, failure: buffering.failure)
        }
    }
}
