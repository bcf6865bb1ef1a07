/// The kernel of `observe(on:)`, the hop: delivers events on a scheduler.
///
/// The result has its own strand, which the scheduler's drain owns while it delivers. An interruption overtakes queued
/// values (law C3): they are dropped, and the interruption is delivered next.
@usableFromInline
final class ObserveOn<Next: Receiver>: Disposable, @unchecked Sendable {  // `cut` is atomic, the rest the owner's.
    @usableFromInline typealias Item = Signal<Next.Value, Next.Error>.Event

    @usableFromInline let cut = AtomicState<HopCut>(.none)
    @usableFromInline let next: Next

    /// The error if ``cut`` is ``HopCut/failed``. Written before ``cut``.
    @safe @exclusivity(unchecked)
    @usableFromInline var failure: Next.Error?

    /// Counts values. nil if the caller passed no statistics.
    @usableFromInline let statistics: BufferStatistics?

    /// Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var isTerminated = false

    /// Whether nothing more is posted: after an overflow or a termination. Owned by the thread that posts.
    @safe @exclusivity(unchecked)
    @usableFromInline var isClosed = false

    /// Written when the hop is made.
    @safe @exclusivity(unchecked)
    @usableFromInline var neighbours = HopNeighbours()

    @inlinable
    init(_ next: Next, counting statistics: BufferStatistics?) {
        self.next = next
        self.statistics = statistics
        failure = nil
    }

    /// The input for the source's events. They are serial, so only one thread at a time posts to the mailbox.
    @inlinable
    func input(
        on scheduler: any Scheduler, through strand: Strand, _ policy: BufferingPolicy<Next.Error>
    ) -> Sink<Next.Value, Next.Error> {
        switch policy.kind {
        case .unbounded: unboundedInput(on: scheduler, through: strand)
        case .blocking(let bound):
            input(
                Mailbox(on: scheduler.runningWorkItems, through: strand, bound: bound, abandon: abandon) {
                    self.deliver($0)
                })
        case .dropping(let capacity, _) where BufferingPolicy<Next.Error>.isUnlimited(capacity),
            .failing(let capacity, _) where BufferingPolicy<Next.Error>.isUnlimited(capacity):
            // A dropping mailbox allocates its whole capacity at once. This capacity is too large for that.
            unboundedInput(on: scheduler, through: strand)
        case .dropping(let capacity, let oldest):
            input(
                DroppingMailbox(
                    on: scheduler.runningWorkItems, through: strand, capacity: capacity, dropsOldest: oldest,
                    abandon: abandon
                ) { self.deliver($0) },
                failure: nil)
        case .failing(let capacity, let failure):
            input(
                DroppingMailbox(
                    on: scheduler.runningWorkItems, through: strand, capacity: capacity, dropsOldest: false,
                    abandon: abandon
                ) { self.deliver($0) },
                failure: failure)
        }
    }

    @inlinable
    func unboundedInput(on scheduler: any Scheduler, through strand: Strand) -> Sink<Next.Value, Next.Error> {
        input(Mailbox(on: scheduler.runningWorkItems, through: strand, abandon: abandon) { self.deliver($0) })
    }

    @inlinable
    func input(_ mailbox: Mailbox<Item>) -> Sink<Next.Value, Next.Error> {
        neighbours.permits = mailbox.permits
        mailbox.permits.statistics = statistics
        let termination = { (termination: Termination<Next.Error>) in
            if case .interrupted = termination { self.interrupt() }
            mailbox.postLast(Item(termination))
        }
        guard let statistics else { return Sink(value: { mailbox.post(.value($0)) }, termination: termination) }
        return Sink(
            value: { value in
                statistics.countSent()
                if !mailbox.post(.value(value)) { statistics.countDropped() }
            },
            termination: termination)
    }

    /// - Parameter failure: The error with which the stream fails on overflow. nil if it continues.
    @inlinable
    func input(_ mailbox: DroppingMailbox<Item>, failure: Next.Error?) -> Sink<Next.Value, Next.Error> {
        neighbours.permits = mailbox.permits
        return Sink(
            value: { value in
                self.statistics?.countSent()
                if !self.isClosed, mailbox.post(.value(value)) { return }
                self.statistics?.countDropped()
                guard let failure, !self.isClosed else { return }
                self.isClosed = true
                mailbox.postLast(.failed(failure))
                self.neighbours.upstream?.run.dispose()
            },
            termination: { termination in
                if case .interrupted = termination, !self.isClosed { self.interrupt() }
                // Of two terminations, the first one wins.
                if self.isClosed { return }
                self.isClosed = true
                mailbox.postLast(Item(termination))
            })
    }

    /// Whether queued events are dropped.
    // acquire: sees what was done before. Pairs with the release in `interrupt()`.
    @usableFromInline
    var isDisposed: Bool { cut.load(.acquire) != .none }

    @usableFromInline
    func dispose() { interrupt() }

    /// Drops queued events and delivers an interruption in their place.
    @inlinable
    func interrupt() {
        // release: publishes what this thread did before. Pairs with the acquire in `dropsRest()`. Of two terminations, the
        // first one wins.
        if cut.tryUpdate(from: .none, .release, { $0.interrupting() }).won { neighbours.permits?.endWaits() }
    }

    /// Like ``interrupt()``, but delivers the interruption without waiting for the scheduler.
    @inlinable
    func interruptAtOnce(through strand: Strand) {
        interrupt()
        strand.performAtOnce(on: self, with: ()) { hop, _ in _ = hop.dropsRest() }
    }

    /// Drops queued events and delivers a failure in their place. Called by the thread that posts.
    @inlinable
    func fail(_ error: Next.Error) {
        PlainAccess.write(self)
        failure = error
        // release: as in `interrupt()`, and publishes `failure`.
        if cut.tryUpdate(from: .none, .release, { $0.failing() }).won { neighbours.permits?.endWaits() }
    }

    /// Counts a queued value that the scheduler will never run as dropped.
    @inlinable
    var abandon: ((Item) -> Void)? {
        guard let statistics else { return nil }
        return { if case .value = $0 { statistics.countDropped() } }
    }

    /// Interrupts when the scheduler has ended, because queued events would wait forever.
    @inlinable
    func end(with scheduler: any Scheduler, through strand: Strand) {
        guard let end = scheduler.end else { return }
        let ending = CompositeDisposable()
        neighbours.ending = ending
        ending.add(end.add { self.interruptAtOnce(through: strand) })
        // Events posted from now on are never delivered.
        if let thread = scheduler as? ThreadScheduler {
            ending.add(thread.loop.stopping.add { self.neighbours.permits?.close() })
        }
    }

    @inlinable
    func deliver(_ item: Item) {
        if dropsRest() {
            if case .value = item {
                Probe.drop(self)
                statistics?.countDropped()
            }
            return
        }
        switch item {
        case .value(let value):
            statistics?.countDelivered()
            next.receive(value)
        case .failed(let error): end(.failed(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }

    /// Whether nothing more is delivered. After a cut, the first call delivers the termination.
    @inlinable
    func dropsRest() -> Bool {
        if isTerminated { return true }
        // acquire: sees `failure`. Pairs with the release in `fail(_:)`.
        let seen = cut.load(.acquire)
        if seen == .none { return false }
        guard seen == .failed else {
            end(.interrupted)
            return true
        }
        PlainAccess.read(self)
        end(failure.map { .failed($0) } ?? .interrupted)
        return true
    }

    // Not inlined: a value's path has no reference counts.
    @inlinable
    @inline(never)
    func end(_ termination: Termination<Next.Error>) {
        isTerminated = true
        neighbours.permits?.close()
        next.terminate(termination)
        neighbours.end()
    }
}

/// What a hop ends with, or ends.
@frozen
@usableFromInline
struct HopNeighbours {
    /// Those of the mailbox.
    @usableFromInline var permits: Permits?

    /// The producer's run, which may continue with another source when the hop has ended, and what it has given for the hop; nil
    /// for a signal.
    @usableFromInline var run: ProducerRun?
    @usableFromInline var entry: CompositeEntry?

    /// The source's run, if it ends with the hop, and what the producer's run has given for it.
    @usableFromInline var upstream: (run: ProducerRun, entry: CompositeEntry?)?

    /// Disposed of when the hop ends.
    @usableFromInline var ending: CompositeDisposable?

    @inlinable
    init() {}

    /// The hop has ended.
    @usableFromInline
    func end() {
        ending?.dispose()
        if let (upstream, entry) = upstream {
            upstream.dispose()
            run?.release(entry)
        }
        run?.release(entry)
    }
}

extension Signal where Value: Sendable {
    /// Delivers the events on a scheduler.
    ///
    /// - Parameter scheduler: The scheduler on which the result's callbacks run, in FIFO order. `interrupted` overtakes
    ///   queued values.
    /// - Complexity: One wake-up of the scheduler for a burst, for which a dispatch queue may allocate its own record. No
    ///   allocation per value in steady state. A drain delivers up to 1,024 values before it lets the scheduler run other
    ///   work. If the next value usually comes soon, it waits for that: see “Lingering” in ``QueueScheduler``.
    /// ## Concurrency
    /// On a ``QueueScheduler``, a ``ThreadScheduler`` and a ``UIScheduler``, the overflow policy is
    /// ``BufferingPolicy/blocking(capacity:stallTimeout:)-(_,DispatchTimeInterval)`` with a capacity of 16,384. On any other
    /// scheduler, the queue is
    /// unbounded. For another bound, or none, see ``observe(on:bufferingPolicy:statistics:)``.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Signal<Value, Error> {
        observe(on: scheduler, bufferingPolicy: .usual(on: scheduler))
    }

    /// Delivers the events on a scheduler, with an overflow policy.
    ///
    /// Values are delivered in FIFO order. A completion or a failure is delivered after the values that were queued before
    /// it, and is never dropped. `interrupted` drops queued values.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - policy: The overflow policy.
    ///   - statistics: Counts values as sent, delivered and dropped.
    /// - Complexity: See ``observe(on:)``. A policy that drops or fails allocates its whole capacity when the operator is
    ///   applied.
    /// ## Concurrency
    /// The sending thread releases a dropped value.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> {
        // The immediate scheduler needs no hop.
        if scheduler is ImmediateScheduler, statistics == nil { return self }
        return .joining { output in
            let hop = ObserveOn(output.next, counting: statistics)
            hop.end(with: scheduler, through: output.strand)
            output.resources.add(hop.neighbours.ending)
            // The result is no longer observed.
            output.resources.add(hop)
            self.connect(to: hop.input(on: scheduler, through: output.strand, policy), until: output.resources)
        }
    }
}

extension SignalProducer where Value: Sendable {
    /// Delivers the events on a scheduler. See ``Signal/observe(on:)``.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        observe(on: scheduler, bufferingPolicy: .usual(on: scheduler))
    }

    /// Delivers the events on a scheduler, with an overflow policy for each start.
    /// See ``Signal/observe(on:bufferingPolicy:statistics:)``.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which callbacks run.
    ///   - policy: The overflow policy. A start that fails on overflow disposes of its source.
    ///   - statistics: Counts the values of all starts as sent, delivered and dropped.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> {
        if scheduler is ImmediateScheduler, statistics == nil { return self }
        return SignalProducer(
            over: depth, inputs: .one,
            boundary: { _, sink, run in
                run.passes(through: scheduler)
                let hop = ObserveOn(sink, counting: statistics)
                // The source may have ended while its events are queued. The disposal must then take effect here.
                hop.neighbours.run = run
                run.hold(hop) { hop.neighbours.entry = $0 }
                var upstream = run
                if policy.fails || scheduler.end != nil {
                    upstream = ProducerRun(upstreamOf: run)
                    // Not the first one, so there is an entry.
                    hop.neighbours.upstream = (upstream, run.hold(upstream))
                }
                let strand = Strand()
                hop.end(with: scheduler, through: strand)
                self.begin(hop.input(on: scheduler, through: strand, policy), upstream)
            })
    }
}
