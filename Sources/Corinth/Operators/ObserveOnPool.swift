/// Spreads a stream over a pool: a lane for each scheduler, and one result of all lanes.
///
/// The source sends into the lanes without entering the strand, which is for the results alone.
@usableFromInline
final class Spread<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        super.init(output, sources: sources)
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value) {
        if !isTerminated { next.receive(value) }
    }

    @inlinable
    func interrupt() {
        strand.performAtOnce(on: self, with: ()) { spread, _ in spread.terminate(.interrupted) }
    }

    /// Where the result of a lane sends to.
    @inlinable
    var port: Sink<Next.Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { spread, value in spread.receive(value) }
                }
            },
            termination: { termination in
                strand.perform(on: self, with: termination) { spread, termination in
                    if case .completed = termination {
                        spread.active -= 1
                        if spread.active > 0 { return }
                    }
                    spread.terminate(termination)
                }
            })
    }
}

/// What goes to one scheduler of a pool: a hop, and the signal behind it.
@usableFromInline
final class Lane<Value, Error: Swift.Error>: @unchecked Sendable {  // A flag; the rest is the strand's, or immutable.
    @usableFromInline typealias Item = Signal<Value, Error>.Event

    /// Raised when the source has failed, or was interrupted.
    @usableFromInline var brokenOffStorage: UInt64 = 0

    @usableFromInline let core: SignalCore<Value, Error>

    /// How the source has ended that has broken off. Written before the flag is raised.
    @safe @exclusivity(unchecked)
    @usableFromInline var termination: Termination<Error> = .interrupted

    @inlinable
    init() {
        core = SignalCore(strand: Strand(), resources: nil)
    }

    @inlinable
    var brokenOff: DisposalFlag {
        @inline(__always)
        get { DisposalFlag(of: self) }
    }

    /// The signal's events, where the scheduler runs. What has broken off doesn't wait for what is queued (law E6).
    @inlinable
    func deliver(_ item: Item) {
        if brokenOff.isRaised {
            core.terminate(termination)
            return
        }
        switch item {
        case .value(let value): core.deliver(value)
        case .failed(let error): core.terminate(.failed(error))
        case .completed: core.terminate(.completed)
        case .interrupted: core.terminate(.interrupted)
        }
    }

    /// Ends the signal because nobody needs it any more.
    @inlinable
    func interrupt() {
        if core.isTerminated { return }
        core.strand.performAtOnce(on: core, with: ()) { core, _ in core.terminate(.interrupted) }
    }
}

extension JoinOutput {
    /// Connects a source with the lanes of a pool, and those with this.
    @inlinable
    func spread<Source: JoinSource, Key: Hashable>(
        _ source: Source, over pool: QueueSchedulerPool, by key: @escaping (Source.JoinedValue) -> Key,
        _ transform: (Signal<Source.JoinedValue, Source.JoinedError>) -> Signal<Next.Value, Next.Error>
    ) {
        let resources = resources
        let spread = Spread(self, sources: pool.count)
        pool.atEnd(until: resources) { spread.interrupt() }
        let connection = pool.connection(within: resources)
        let lanes = pool.schedulers.map { scheduler in
            let lane = Lane<Source.JoinedValue, Source.JoinedError>()
            return (lane, Mailbox(on: scheduler, through: lane.core.strand) { lane.deliver($0) })
        }
        resources.add { for lane in lanes { lane.0.interrupt() } }
        for lane in lanes { transform(Signal(lane.0.core)).connect(to: spread.port, until: resources) }
        source.connect(
            to: Sink(
                value: { value in
                    let lane = lanes[pool.index(forHash: key(value).hashValue)]
                    if !lane.0.core.isTerminated { lane.1.post(.value(value)) }
                },
                termination: { termination in
                    // A source that was cut off because the pool is shut down has not ended: its values are delivered.
                    if case .interrupted = termination, connection.isDisposed { return }
                    for lane in lanes {
                        if case .completed = termination {
                        } else {
                            lane.0.termination = termination
                            _ = lane.0.brokenOff.raise()
                        }
                        lane.1.post(Signal<Source.JoinedValue, Source.JoinedError>.Event(termination))
                    }
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
    /// The result is delivered by the threads of the pool. What waits for them is not bounded.
    @inlinable
    public func observe<Key: Hashable & Sendable, U, F>(
        on pool: QueueSchedulerPool, by key: sending @escaping (Value) -> Key,
        _ transform: (_ lane: Signal<Value, Error>) -> Signal<U, F>
    ) -> Signal<U, F> {
        .joining { $0.spread(self, over: pool, by: key, transform) }
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
        .joining { $0.spread(self, over: pool, by: key, transform) }
    }
}
