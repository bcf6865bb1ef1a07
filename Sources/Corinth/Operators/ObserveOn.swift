/// Delivers on a scheduler: the hop.
///
/// The result has a strand of its own, which the scheduler's drain owns while it delivers. An interruption doesn't wait for
/// what is queued (law C3): what is left is dropped, and the interruption comes next.
@usableFromInline
final class ObserveOn<Next: Receiver>: @unchecked Sendable {  // Its flag is atomic, the rest the gate's.
    @usableFromInline typealias Item = Signal<Next.Value, Next.Error>.Event

    @usableFromInline var interruptedStorage: UInt64 = 0
    @usableFromInline let next: Next

    /// Owned by whoever owns the gate.
    @safe @exclusivity(unchecked)
    @usableFromInline var isTerminated = false

    /// Takes the hop out of the producer's run. Written when the hop is made.
    @safe @exclusivity(unchecked)
    @usableFromInline var handle: (any Disposable)?

    @inlinable
    init(_ next: Next) {
        self.next = next
    }

    @inlinable
    var interrupted: DisposalFlag {
        @inline(__always)
        get { DisposalFlag(of: self) }
    }

    /// Where the source sends to. Its events are serial, so the mailbox has one thread at a time that posts.
    @inlinable
    func entrance(on scheduler: any Scheduler, through gate: Strand) -> Sink<Next.Value, Next.Error> {
        let mailbox = Mailbox<Item>(on: scheduler, through: gate) { self.deliver($0) }
        return Sink(
            value: { mailbox.post(.value($0)) },
            termination: { termination in
                if case .interrupted = termination { self.interrupt() }
                mailbox.post(Item(termination))
            })
    }

    @inlinable
    func interrupt() { _ = interrupted.raise() }

    @inlinable
    func deliver(_ item: Item) {
        if dropsRest() {
            if case .value = item { Probe.drop(self) }
            return
        }
        switch item {
        case .value(let value): next.receive(value)
        case .failed(let error): end(.failed(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }

    /// Whether nothing is delivered any more. If that is because of an interruption, it is delivered here.
    @inlinable
    func dropsRest() -> Bool {
        if isTerminated { return true }
        guard interrupted.isRaised else { return false }
        end(.interrupted)
        return true
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        isTerminated = true
        next.terminate(termination)
        handle?.dispose()
    }
}

extension Signal {
    /// Delivers the events on a scheduler.
    ///
    /// - Parameter scheduler: Where the result's callbacks run, in order. `interrupted` doesn't wait for what is queued.
    /// - Complexity: One wake-up of the scheduler for a burst; no allocation per value in steady state. A drain delivers up to
    ///   1,024 values before the scheduler's other work has its turn.
    /// ## Concurrency
    /// What waits for the scheduler is not bounded.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Signal<Value, Error> {
        // Where there is no hop, there is nothing to do.
        if scheduler is ImmediateScheduler { return self }
        return .joining { output in
            let hop = ObserveOn(output.next)
            self.connect(to: hop.entrance(on: scheduler, through: output.strand), until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Delivers the events on a scheduler. See ``Signal/observe(on:)``.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        if scheduler is ImmediateScheduler { return self }
        let recipe = recipe
        return SignalProducer(recipe: { sink, run in
            let hop = ObserveOn(sink)
            // The source may be done while its events wait: then it is here that the disposal takes effect.
            hop.handle = run.resources.add { hop.interrupt() }
            recipe(hop.entrance(on: scheduler, through: Strand()), run)
        })
    }
}
