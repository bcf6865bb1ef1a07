/// Delivers on a scheduler: the hop.
///
/// The result has a strand of its own, which the scheduler's drain owns while it delivers. An interruption doesn't wait for
/// what is queued (law C3): what is left is dropped, and the interruption comes next.
@usableFromInline
final class ObserveOn<Next: Receiver>: @unchecked Sendable {  // Its flag is atomic, the rest the gate's.
    @usableFromInline typealias Item = Signal<Next.Value, Next.Error>.Event

    /// Whether what is queued is dropped: 0 if not, else how it ends, ``interrupted`` or ``failed``.
    @usableFromInline var cutStorage: UInt64 = 0
    @usableFromInline let next: Next

    /// What it fails with, if the cut says so. Written before that.
    @safe @exclusivity(unchecked)
    @usableFromInline var failure: Next.Error?

    /// What is counted, if anybody asked for that.
    @usableFromInline let statistics: BufferStatistics?

    /// Owned by whoever owns the gate.
    @safe @exclusivity(unchecked)
    @usableFromInline var isTerminated = false

    /// Whether nothing is posted any more, for want of room. Owned by whoever posts.
    @safe @exclusivity(unchecked)
    @usableFromInline var isClosed = false

    /// The places of what waits. Written when the hop is made.
    @safe @exclusivity(unchecked)
    @usableFromInline var permits: Permits?

    /// Takes the hop out of the producer's run. Written when the hop is made.
    @safe @exclusivity(unchecked)
    @usableFromInline var handle: (any Disposable)?

    /// What else ends with the hop. Written when it is made.
    @safe @exclusivity(unchecked)
    @usableFromInline var ending: CompositeDisposable?

    /// The source's run, if it ends with the hop, and what takes it out of the producer's. Written when the hop is made.
    @safe @exclusivity(unchecked)
    @usableFromInline var upstream: (run: ProducerRun, handle: (any Disposable)?)?

    @inlinable
    init(_ next: Next, counting statistics: BufferStatistics?) {
        self.next = next
        self.statistics = statistics
        failure = nil
    }

    @inlinable static var interrupted: UInt64 { 1 }
    @inlinable static var failed: UInt64 { 2 }

    @inlinable
    var cut: AtomicWord {
        @inline(__always)
        get { AtomicWord(of: self) }
    }

    /// Where the source sends to. Its events are serial, so the mailbox has one thread at a time that posts.
    @inlinable
    func entrance(
        on scheduler: any Scheduler, through gate: Strand, _ policy: BufferingPolicy<Next.Error>
    ) -> Sink<Next.Value, Next.Error> {
        switch policy.kind {
        case .unbounded: unboundedEntrance(on: scheduler, through: gate)
        case .blocking(let bound):
            entrance(Mailbox(on: scheduler, through: gate, bound: bound, abandon: abandon) { self.deliver($0) })
        case .dropping(let capacity, _) where BufferingPolicy<Next.Error>.isUnlimited(capacity),
            .failing(let capacity, _) where BufferingPolicy<Next.Error>.isUnlimited(capacity):
            // A mailbox that drops has its places from the start.
            unboundedEntrance(on: scheduler, through: gate)
        case .dropping(let capacity, let oldest):
            entrance(
                SlidingMailbox(
                    on: scheduler, through: gate, capacity: capacity, dropsOldest: oldest, abandon: abandon
                ) { self.deliver($0) },
                failure: nil)
        case .failing(let capacity, let failure):
            entrance(
                SlidingMailbox(
                    on: scheduler, through: gate, capacity: capacity, dropsOldest: false, abandon: abandon
                ) { self.deliver($0) },
                failure: failure)
        }
    }

    @inlinable
    func unboundedEntrance(on scheduler: any Scheduler, through gate: Strand) -> Sink<Next.Value, Next.Error> {
        entrance(Mailbox(on: scheduler, through: gate, abandon: abandon) { self.deliver($0) })
    }

    @inlinable
    func entrance(_ mailbox: Mailbox<Item>) -> Sink<Next.Value, Next.Error> {
        permits = mailbox.permits
        mailbox.permits.statistics = statistics
        let termination = { (termination: Termination<Next.Error>) in
            if case .interrupted = termination { self.interrupt() }
            mailbox.postLast(Item(termination))
        }
        guard let statistics else { return Sink(value: { mailbox.post(.value($0)) }, termination: termination) }
        return Sink(
            value: { value in
                statistics.countSent()
                mailbox.post(.value(value))
            },
            termination: termination)
    }

    /// - Parameter failure: What the stream fails with when there is no room; nil if it goes on.
    @inlinable
    func entrance(_ mailbox: SlidingMailbox<Item>, failure: Next.Error?) -> Sink<Next.Value, Next.Error> {
        permits = mailbox.permits
        return Sink(
            value: { value in
                self.statistics?.countSent()
                if !self.isClosed, mailbox.post(.value(value)) { return }
                self.statistics?.countDropped()
                guard let failure, !self.isClosed else { return }
                self.isClosed = true
                mailbox.postLast(.failed(failure))
                self.upstream?.run.dispose()
            },
            termination: { termination in
                if case .interrupted = termination, !self.isClosed { self.interrupt() }
                // Of two ends, the first one counts.
                if self.isClosed { return }
                self.isClosed = true
                mailbox.postLast(Item(termination))
            })
    }

    /// Has what is queued dropped, and an interruption delivered in its place.
    @inlinable
    func interrupt() {
        // release: whoever sees it also sees what was done before. Pairs with the acquire in `dropsRest()`. Of two ends, the
        // first one counts.
        if cut.compareExchange(0, ObserveOn.interrupted, .release).won { dropRest() }
    }

    /// Nothing is delivered any more: the drain goes on, wherever it has stopped, and so do those who wait for a place.
    @inlinable
    func dropRest() {
        permits?.cancelStops()
        permits?.close()
    }

    /// The same, and doesn't wait for the scheduler to come to it.
    @inlinable
    func interruptAtOnce(through gate: Strand) {
        interrupt()
        gate.performAtOnce(on: self, with: ()) { hop, _ in _ = hop.dropsRest() }
    }

    /// Has what is queued dropped, and a failure delivered in its place. Called by whoever posts.
    @inlinable
    func fail(_ error: Next.Error) {
        PlainAccess.write(self)
        failure = error
        // release: as in `interrupt()`, and publishes the failure.
        if cut.compareExchange(0, ObserveOn.failed, .release).won { dropRest() }
    }

    /// What counts values that a scheduler has not come to, and never will.
    @inlinable
    var abandon: ((Item) -> Void)? {
        guard let statistics else { return nil }
        return { if case .value = $0 { statistics.countDropped() } }
    }

    /// Interrupts when the scheduler runs nothing any more: what waits would wait for ever.
    @inlinable
    func end(with scheduler: any Scheduler, through gate: Strand) {
        guard let end = scheduler.end else { return }
        let ending = CompositeDisposable()
        self.ending = ending
        ending.add(end.add { self.interruptAtOnce(through: gate) })
        // Nothing that is posted from then on is delivered.
        if let thread = scheduler as? ThreadScheduler {
            ending.add(thread.loop.stopping.add { self.permits?.close() })
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

    /// Whether nothing is delivered any more. If that is because of a cut, the end is delivered here.
    @inlinable
    func dropsRest() -> Bool {
        if isTerminated { return true }
        // acquire: sees the failure. Pairs with the release in `fail(_:)`.
        let seen = cut.load(.acquire)
        if seen == 0 { return false }
        guard seen == ObserveOn.failed else {
            end(.interrupted)
            return true
        }
        PlainAccess.read(self)
        end(failure.map { .failed($0) } ?? .interrupted)
        return true
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        isTerminated = true
        permits?.close()
        next.terminate(termination)
        ending?.dispose()
        handle?.dispose()
        if let (run, handle) = upstream {
            run.dispose()
            handle?.dispose()
        }
    }
}

extension Signal {
    /// Delivers the events on a scheduler.
    ///
    /// - Parameter scheduler: Where the result's callbacks run, in order. `interrupted` doesn't wait for what is queued.
    /// - Complexity: One wake-up of the scheduler for a burst; no allocation per value in steady state. A drain delivers up to
    ///   1,024 values before the scheduler's other work has its turn.
    /// ## Concurrency
    /// On a ``QueueScheduler``, a ``ThreadScheduler`` and a ``UIScheduler``, the bound on what waits is
    /// ``BufferingPolicy/blocking(capacity:stallTimeout:)`` with a capacity of 16,384; on any other, there is none. To have
    /// another bound, or none, see ``observe(on:bufferingPolicy:statistics:)``.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Signal<Value, Error> {
        observe(on: scheduler, bufferingPolicy: .usual(on: scheduler))
    }

    /// Delivers the events on a scheduler, with a bound on what waits for it.
    ///
    /// Values come in order. A completion or a failure comes after what waits when it is sent, and always has room;
    /// `interrupted` drops what waits.
    ///
    /// - Parameters:
    ///   - scheduler: Where the result's callbacks run.
    ///   - policy: What happens to values that find no room.
    ///   - statistics: Where values are counted as sent, delivered and dropped.
    /// - Complexity: As of ``observe(on:)``. Where values are dropped, the room for them is reserved when the hop is made.
    /// ## Concurrency
    /// A value that is dropped is released by the thread that sends.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> {
        // Where there is no hop, there is nothing to do.
        if scheduler is ImmediateScheduler, statistics == nil { return self }
        return .joining { output in
            let hop = ObserveOn(output.next, counting: statistics)
            hop.end(with: scheduler, through: output.strand)
            output.resources.add(hop.ending)
            // Nobody needs the result any more.
            output.resources.add(AnyDisposable { hop.interrupt() })
            self.connect(to: hop.entrance(on: scheduler, through: output.strand, policy), until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Delivers the events on a scheduler. See ``Signal/observe(on:)``.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        observe(on: scheduler, bufferingPolicy: .usual(on: scheduler))
    }

    /// Delivers the events on a scheduler, with a bound on what waits for it in each start.
    /// See ``Signal/observe(on:bufferingPolicy:statistics:)``.
    ///
    /// - Parameters:
    ///   - scheduler: Where callbacks run.
    ///   - policy: What happens to values that find no room. A start that fails for that reason is cancelled upstream.
    ///   - statistics: Where the values of all starts are counted as sent, delivered and dropped.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> {
        if scheduler is ImmediateScheduler, statistics == nil { return self }
        let recipe = recipe
        return SignalProducer(
            over: depth,
            recipe: { sink, run in
                let hop = ObserveOn(sink, counting: statistics)
                // The source may be done while its events wait: then it is here that the disposal takes effect.
                hop.handle = run.resources.add { hop.interrupt() }
                var upstream = run
                if policy.fails || scheduler.end != nil {
                    upstream = ProducerRun(upstreamOf: run)
                    hop.upstream = (upstream, run.resources.add(upstream))
                }
                let gate = Strand()
                hop.end(with: scheduler, through: gate)
                recipe(hop.entrance(on: scheduler, through: gate, policy), upstream)
            })
    }
}
