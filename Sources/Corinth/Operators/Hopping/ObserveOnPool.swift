/// The partition of one scheduler of a pool: a hop, and the signal that the hop sends to.
@usableFromInline
final class Partition<Value, Error: Swift.Error>: Sendable {  // Immutable. All properties are thread-safe.
    @usableFromInline let core: SignalCore<Value, Error>
    @usableFromInline let hop: ObserveOn<DerivedReceiver<Value, Error>>

    /// The input for the source's events.
    @usableFromInline nonisolated(unsafe) let input: Sink<Value, Error>

    @inlinable
    init(on scheduler: any Scheduler, _ policy: BufferingPolicy<Error>, counting statistics: BufferStatistics?) {
        core = SignalCore(strand: Strand(), resources: nil)
        hop = ObserveOn(DerivedReceiver(core), counting: statistics)
        unsafe input = hop.input(on: scheduler, through: core.strand, policy)
    }

    @inlinable @inline(__always)
    func send(_ value: Value) {
        if core.isTerminated {
            hop.statistics?.countSent()
            hop.statistics?.countDropped()
        } else {
            unsafe input.receive(value)
        }
    }

    /// Ends the signal with the source. A failure or an interruption overtakes queued values (law E6).
    @inlinable
    func end(_ termination: Termination<Error>) {
        if case .failed(let error) = termination { hop.fail(error) }
        unsafe input.terminate(termination)
    }

    /// Ends the signal because the result is no longer observed.
    @inlinable
    func interrupt() { hop.interruptAtOnce(through: core.strand) }
}

extension JoinOutput {
    /// Connects a source to the partitions of a pool, and the partitions to this output.
    ///
    /// The source sends into the partitions without entering the strand. Only results enter the strand.
    @inlinable
    func spread<Source: JoinSource, Key: Hashable>(
        _ source: Source, over pool: QueueSchedulerPool, by key: @escaping (Source.JoinedValue) -> Key,
        _ policy: BufferingPolicy<Source.JoinedError>, counting statistics: BufferStatistics?,
        _ transform: (Signal<Source.JoinedValue, Source.JoinedError>) -> Signal<Next.Value, Next.Error>
    ) {
        let resources = resources
        let merge = Merge(interruptible: self, sources: pool.count)
        let connection = pool.connection(within: resources)
        let partitions = pool.schedulers.map { scheduler in
            Partition<Source.JoinedValue, Source.JoinedError>(on: scheduler, policy, counting: statistics)
        }
        pool.atEnd(until: resources) {
            for partition in partitions { partition.hop.interrupt() }
            merge.interrupt()
        }
        resources.add { for partition in partitions { partition.interrupt() } }
        for partition in partitions { transform(Signal(partition.core)).connect(to: merge.input, until: resources) }
        source.connect(
            to: Sink(
                value: { partitions[pool.index(forHash: key($0).hashValue)].send($0) },
                termination: { termination in
                    // The shutdown of the pool disconnected the source. The source has not ended: its values are delivered.
                    if case .interrupted = termination, connection.isDisposed { return }
                    for partition in partitions { partition.end(termination) }
                }),
            until: connection)
    }
}

extension Signal where Value: Sendable {
    /// Partitions the values by key over the schedulers of a pool, and merges the results of the partitions.
    ///
    /// ```swift
    /// requests
    ///     .observe(on: pool, by: \.client) { partition in partition.map(parse) }
    ///     .observeValues { print($0) }
    /// ```
    ///
    /// Each scheduler has one partition: a signal of the values whose keys map to it, delivered on that scheduler. Partitions
    /// run concurrently, so expensive work belongs in `transform`. The callbacks of the result don't overlap (law
    /// [E2](doc:Contracts#E2-Serial)). Values with equal keys are in one partition, in FIFO order. Values of different partitions
    /// have no order among them.
    ///
    /// Completes when the results of all partitions have completed. Ends as soon as one of them fails or is interrupted. A
    /// failure or an interruption of the source overtakes queued values. When the pool is shut down, the result is
    /// interrupted: see ``QueueSchedulerPool/shutDown(_:completion:)``.
    ///
    /// - Parameters:
    ///   - pool: The pool whose schedulers run the partitions.
    ///   - key: Returns the key of a value. Runs once for each value, on the thread on which the source delivers.
    ///   - transform: Makes the result of a partition. Called once for each scheduler, before this method returns. The
    ///     streams that it returns may run concurrently for different partitions.
    /// - Complexity: O(1) per value. One wake-up of a scheduler for a burst, as in ``observe(on:)``. A result that arrives
    ///   while another thread delivers one costs an allocation.
    /// ## Concurrency
    /// The pool's threads deliver the result. Each partition has the default bound of ``observe(on:)``. For another bound,
    /// or none, see ``observe(on:by:bufferingPolicy:statistics:_:)``.
    @inlinable
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: sending @escaping (Value) -> Key,
        _ transform: (_ partition: Signal<Value, Error>) -> Signal<U, F>
    ) -> Signal<U, F> {
        observe(on: pool, by: key, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Partitions the values by key over the schedulers of a pool, with an overflow policy for each partition. See
    /// ``observe(on:by:_:)``.
    ///
    /// - Parameters:
    ///   - pool: The pool whose schedulers run the partitions.
    ///   - key: Returns the key of a value. Runs once for each value, on the thread on which the source delivers.
    ///   - policy: The overflow policy of each partition. With a policy that fails, the partition fails after its queued
    ///     values. The result then fails if `transform` passes the failure on.
    ///   - statistics: Counts the values sent to, delivered to and dropped by the partitions.
    ///   - transform: Makes the result of a partition.
    /// - Complexity: See ``observe(on:by:_:)``.
    @inlinable
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: sending @escaping (Value) -> Key,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil,
        _ transform: (_ partition: Signal<Value, Error>) -> Signal<U, F>
    ) -> Signal<U, F> {
        .joining { $0.spread(self, over: pool, by: key, policy, counting: statistics, transform) }
    }
}

extension SignalProducer where Value: Sendable {
    /// Partitions the values by key over the schedulers of a pool, and merges the results of the partitions. See
    /// ``Signal/observe(on:by:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: @escaping @Sendable (Value) -> Key,
        _ transform: @escaping @Sendable (_ partition: Signal<Value, Error>) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        observe(on: pool, by: key, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Partitions the values by key over the schedulers of a pool, with an overflow policy for each partition of a start.
    /// See ``Signal/observe(on:by:bufferingPolicy:statistics:_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: @escaping @Sendable (Value) -> Key,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (_ partition: Signal<Value, Error>) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        .joining { $0.spread(self, over: pool, by: key, policy, counting: statistics, transform) }
    }
}
