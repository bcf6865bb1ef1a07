/// What goes to one scheduler of a pool: a hop, and the signal behind it.
@usableFromInline
final class Lane<Value, Error: Swift.Error>: Sendable {  // Immutable, and of what may cross threads.
    @usableFromInline let core: SignalCore<Value, Error>
    @usableFromInline let hop: ObserveOn<DerivedReceiver<Value, Error>>

    /// Where the source sends to.
    @usableFromInline nonisolated(unsafe) let entrance: Sink<Value, Error>

    @inlinable
    init(on scheduler: any Scheduler, _ policy: BufferingPolicy<Error>, counting statistics: BufferStatistics?) {
        core = SignalCore(strand: Strand(), resources: nil)
        hop = ObserveOn(DerivedReceiver(core), counting: statistics)
        unsafe entrance = hop.entrance(on: scheduler, through: core.strand, policy)
    }

    @inlinable @inline(__always)
    func send(_ value: Value) {
        if core.isTerminated {
            hop.statistics?.countSent()
            hop.statistics?.countDropped()
        } else {
            unsafe entrance.receive(value)
        }
    }

    /// Ends the signal with the source. A failure or an interruption doesn't wait for what is queued (law E6).
    @inlinable
    func end(_ termination: Termination<Error>) {
        if case .failed(let error) = termination { hop.fail(error) }
        unsafe entrance.terminate(termination)
    }

    /// Ends the signal because nobody needs it any more.
    @inlinable
    func interrupt() { hop.interruptAtOnce(through: core.strand) }
}

extension JoinOutput {
    /// Connects a source with the lanes of a pool, and those with this.
    ///
    /// The source sends into the lanes without entering the strand, which is for the results alone.
    @inlinable
    func spread<Source: JoinSource, Key: Hashable>(
        _ source: Source, over pool: QueueSchedulerPool, by key: @escaping (Source.JoinedValue) -> Key,
        _ policy: BufferingPolicy<Source.JoinedError>, counting statistics: BufferStatistics?,
        _ transform: (Signal<Source.JoinedValue, Source.JoinedError>) -> Signal<Next.Value, Next.Error>
    ) {
        let resources = resources
        let merge = Merge(interruptible: self, sources: pool.count)
        let connection = pool.connection(within: resources)
        let lanes = pool.schedulers.map { scheduler in
            Lane<Source.JoinedValue, Source.JoinedError>(on: scheduler, policy, counting: statistics)
        }
        pool.atEnd(until: resources) {
            for lane in lanes { lane.hop.interrupt() }
            merge.interrupt()
        }
        resources.add { for lane in lanes { lane.interrupt() } }
        for lane in lanes { transform(Signal(lane.core)).connect(to: merge.port, until: resources) }
        source.connect(
            to: Sink(
                value: { lanes[pool.index(forHash: key($0).hashValue)].send($0) },
                termination: { termination in
                    // A source that was cut off because the pool is shut down has not ended: its values are delivered.
                    if case .interrupted = termination, connection.isDisposed { return }
                    for lane in lanes { lane.end(termination) }
                }),
            until: connection)
    }
}

extension Signal {
    /// Spreads the values over the schedulers of a pool, by key, and passes on what is made of them.
    ///
    /// ```swift
    /// requests
    ///     .observe(on: pool, by: \.client) { lane in lane.map(parse) }
    ///     .observeValues { print($0) }
    /// ```
    ///
    /// Each scheduler has a lane: a signal of the values whose keys it has, delivered there. Lanes run at the same time, so
    /// that the work belongs into `transform`; the callbacks of the result don't overlap (law E2). Values with equal keys are
    /// in one lane, in order; those of different lanes come as they are done.
    ///
    /// Completes when the results of all lanes have; ends as soon as one fails or is interrupted. A failure or an
    /// interruption of the source doesn't wait for the values that do. When the pool is shut down, the result is
    /// interrupted: see ``QueueSchedulerPool/shutDown(_:completion:)``.
    ///
    /// - Parameters:
    ///   - pool: Where the lanes are.
    ///   - key: Says which values belong together; runs once for each value, where the source delivers.
    ///   - transform: Makes the result of a lane. Runs once for each scheduler, at once. What it makes may run at the same time
    ///     for different lanes.
    /// - Complexity: O(1) per value; as for ``observe(on:)``, one wake-up of a scheduler for a burst. A result that comes while
    ///   another thread delivers one takes an allocation.
    /// ## Concurrency
    /// The result is delivered by the threads of the pool. The bound on what waits in a lane is that of ``observe(on:)``. To
    /// have another one, or none, see ``observe(on:by:bufferingPolicy:statistics:_:)``.
    @inlinable
    @preconcurrency
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: sending @escaping (Value) -> Key,
        _ transform: (_ lane: Signal<Value, Error>) -> Signal<U, F>
    ) -> Signal<U, F> {
        observe(on: pool, by: key, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Spreads the values over the schedulers of a pool, by key, with a bound on what waits in each lane.
    /// See ``observe(on:by:_:)``.
    ///
    /// - Parameters:
    ///   - pool: Where the lanes are.
    ///   - key: Says which values belong together; runs once for each value, where the source delivers.
    ///   - policy: What happens to values that find no room in their lane. One that fails ends the lane, behind what waits
    ///     there, and so the result, if `transform` passes that on.
    ///   - statistics: Where values are counted as sent to the lanes, delivered to them, and dropped.
    ///   - transform: Makes the result of a lane.
    /// - Complexity: As of ``observe(on:by:_:)``.
    /// ## Concurrency
    /// As of ``observe(on:by:_:)``.
    @inlinable
    @preconcurrency
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: sending @escaping (Value) -> Key,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil,
        _ transform: (_ lane: Signal<Value, Error>) -> Signal<U, F>
    ) -> Signal<U, F> {
        .joining { $0.spread(self, over: pool, by: key, policy, counting: statistics, transform) }
    }
}

extension SignalProducer {
    /// Spreads the values over the schedulers of a pool, by key, and passes on what is made of them.
    /// See ``Signal/observe(on:by:_:)``.
    @inlinable
    @preconcurrency
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: @escaping @Sendable (Value) -> Key,
        _ transform: @escaping @Sendable (_ lane: Signal<Value, Error>) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        observe(on: pool, by: key, bufferingPolicy: .usual(on: pool.schedulers[0]), transform)
    }

    /// Spreads the values over the schedulers of a pool, by key, with a bound on what waits in each lane of a start.
    /// See ``Signal/observe(on:by:bufferingPolicy:statistics:_:)``.
    @inlinable
    @preconcurrency
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: @escaping @Sendable (Value) -> Key,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil,
        _ transform: @escaping @Sendable (_ lane: Signal<Value, Error>) -> Signal<U, F>
    ) -> SignalProducer<U, F> {
        .joining { $0.spread(self, over: pool, by: key, policy, counting: statistics, transform) }
    }
}
