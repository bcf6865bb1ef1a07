extension AggregateBuilder where Use == OrderedMergeStrategy {
    /// Connects sources each of which is ordered.
    ///
    /// - Parameter isStopped: Whether values sent from now on reach no observer: one event may release many.
    @export(implementation)
    func connect<Source: JoinSource>(
        _ sources: [Source], by areInIncreasingOrder: @escaping (Next.Value, Next.Value) -> Bool,
        until isStopped: @escaping () -> Bool
    ) where Source.JoinedValue == Next.Value, Source.JoinedError == Next.Error {
        let cells: AggregateCells<Next.Value, Use> = state.makeCells(sources.count)
        let tournament = Tournament(cells, by: areInIncreasingOrder)
        let aggregate = Aggregate<Use, Next>(state, output, failure: failure) { [state] next in
            while state.missing == 0, !isStopped(), let value = tournament.popFirst() { next.receive(value) }
        }
        unsafe aggregate.replaced = { cell in
            let offset = unsafe cell - UnsafeRawPointer(cells.cell(0))
            tournament.replay(offset / MemoryLayout<AggregateCell<Next.Value, Use>>.stride)
        }
        Source.connect(sources, until: output.resources) { aggregate.input(for: cells, at: $0) }
    }
}

extension Signal {
    /// Merges signals whose values are in order, and keeps the order.
    ///
    ///     a          1---4-----6-|
    ///     b          --2---3-5--|
    ///     result     --1-2-3-4-56|
    ///
    /// The smallest value is sent as soon as each signal that has not completed has a value waiting, because a later value
    /// of a signal isn't smaller than one before it. Of equal values, that of an earlier signal is sent first.
    ///
    /// ```swift
    /// // One log of several machines.
    /// Signal.merge(ordered: [first, second, third]) { $0.time < $1.time }
    /// ```
    ///
    /// The others wait for a signal that sends nothing. Have it send values that only tell the time, and drop them behind this. A
    /// value that is smaller than the one before it on its signal breaks the order: it is sent when that one has been sent and no
    /// other signal's next value is smaller.
    ///
    /// Completes when all have completed. Fails or is interrupted when one of them does, at once, which drops the waiting values
    /// (law [E6](doc:Contracts#E6-Three-ways-to-end)). Without signals, it completes at once.
    ///
    /// - Parameters:
    ///   - signals: Signals, each of which sends values in increasing order.
    ///   - policy: The overflow policy of the values of one signal that wait for the others. After `.dropOldest`, a signal's next
    ///     value takes the place of the dropped one. Any policy except `.blocking`: a blocked sender may be the one that has
    ///     to send the missing values. By default there is no bound.
    ///   - statistics: Counts the values of all signals as sent, delivered and dropped.
    ///   - areInIncreasingOrder: Whether the first value is smaller than the second. A strict weak ordering.
    /// - Complexity: O(log signals) calls of `areInIncreasingOrder` per value. No allocation, except for buffers that grow.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time. `areInIncreasingOrder` runs on
    /// them, one call at a time. All values that no longer wait are sent during one event.
    @export(implementation)
    public static func merge<Signals: Sequence>(
        ordered signals: Signals, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded,
        statistics: BufferStatistics? = nil, by areInIncreasingOrder: sending @escaping (Value, Value) -> Bool
    ) -> Signal<Value, Error> where Signals.Element == Signal<Value, Error> {
        merging(Array(signals), policy.buffering(in: "merge", counting: statistics), by: areInIncreasingOrder)
    }

    @export(implementation)
    static func merging(
        _ signals: [Signal], _ buffering: Buffering<Error>, by areInIncreasingOrder: @escaping (Value, Value) -> Bool
    ) -> Signal<Value, Error> {
        signals.isEmpty
            ? .empty
            : .joining { output in
                AggregateBuilder(OrderedMergeStrategy.self, output, buffering)
                    .connect(signals, by: areInIncreasingOrder) { [resources = output.resources] in
                        resources.isDisposed
                    }
            }
    }
}

extension Signal where Value: Comparable {
    /// Merges signals whose values are in order, and keeps the order. See
    /// ``merge(ordered:bufferingPolicy:statistics:by:)``.
    @export(implementation)
    public static func merge<Signals: Sequence>(
        ordered signals: Signals, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> where Signals.Element == Signal<Value, Error> {
        merging(Array(signals), policy.buffering(in: "merge", counting: statistics)) { $0 < $1 }
    }
}

extension SignalProducer {
    /// Starts producers whose values are in order, and merges them in that order. See
    /// ``Signal/merge(ordered:bufferingPolicy:statistics:by:)``.
    ///
    /// A failure or an interruption cancels the others. Without producers, it completes at once.
    @export(implementation)
    #if Preconcurrency
        @preconcurrency
    #endif
    public static func merge<Producers: Sequence>(
        ordered producers: Producers, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded,
        statistics: BufferStatistics? = nil, by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool
    ) -> SignalProducer<Value, Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        merging(
            producers.map(\.producer), policy.buffering(in: "merge", counting: statistics), by: areInIncreasingOrder)
    }

    @export(implementation)
    static func merging(
        _ producers: [SignalProducer], _ buffering: Buffering<Error>,
        by areInIncreasingOrder: @escaping (Value, Value) -> Bool
    ) -> SignalProducer<Value, Error> {
        if producers.isEmpty { return .empty }
        nonisolated(unsafe) let areInIncreasingOrder = areInIncreasingOrder
        // As `joining`, with the run of the start, whose disposal is seen while an event is being delivered.
        return SignalProducer(
            over: .unknown,
            boundary: { _, sink, run in
                let input = ProducerInput(to: sink, in: run)
                let next = Sink(value: { input.receive($0) }, termination: { input.terminate($0) })
                let output = JoinOutput(next: next, strand: input.strand, resources: input.resources)
                unsafe AggregateBuilder(OrderedMergeStrategy.self, output, buffering)
                    .connect(producers, by: areInIncreasingOrder) { run.isDisposed }
            })
    }
}

extension SignalProducer where Value: Comparable {
    /// Starts producers whose values are in order, and merges them in that order. See
    /// ``merge(ordered:bufferingPolicy:statistics:by:)``.
    @export(implementation)
    public static func merge<Producers: Sequence>(
        ordered producers: Producers, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error>
    where
        Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Error
    {
        merging(producers.map(\.producer), policy.buffering(in: "merge", counting: statistics)) { $0 < $1 }
    }
}
