/// Where several sources meet: a strand of their own, and what ends with the result.
///
/// The kernel of an operator with more than one source subclasses it with its state, which belongs to the owner of the
/// strand. Each source sends through ``Strand/perform(on:with:_:)``.
@usableFromInline
class Join<Next: Receiver>: @unchecked Sendable {  // The strand's owner alone touches its state.
    /// For ``Flatten``'s admission and ``QueuingFlatten``'s flag. First, so that they are found whatever `Next` is.
    private final var words: (UInt64, UInt64) = (0, 0)

    @usableFromInline final let strand: Strand
    @usableFromInline final let next: Next

    /// How many sources have not completed. Owned by whoever owns the strand, as all that follows.
    @safe @exclusivity(unchecked)
    @usableFromInline final var active: Int

    @safe @exclusivity(unchecked)
    @usableFromInline final var isTerminated = false

    @inlinable
    init(_ output: JoinOutput<Next>, sources: Int) {
        strand = output.strand
        next = output.next
        active = sources
    }

    /// Sends the end, once.
    @inlinable
    final func terminate(_ termination: Termination<Next.Error>) {
        if isTerminated { return }
        isTerminated = true
        // The output disposes of `resources`, after the end has been delivered.
        next.terminate(termination)
    }
}

/// Where a join sends to: a signal, or the sink of a producer's start.
@frozen
@usableFromInline
struct JoinOutput<Next: Receiver> {
    @usableFromInline let next: Next
    @usableFromInline let strand: Strand
    @usableFromInline let resources: CompositeDisposable

    @inlinable
    init(next: Next, strand: Strand, resources: CompositeDisposable) {
        self.next = next
        self.strand = strand
        self.resources = resources
    }
}

/// What can be connected to a join: a signal is observed, a producer started.
@usableFromInline
protocol JoinSource<JoinedValue, JoinedError> {
    // Not `Value` and `Error`: what is declared for a protocol that isn't public would hide the public names of its types.
    associatedtype JoinedValue
    associatedtype JoinedError: Swift.Error

    /// Sends its events to `sink` until `resources` are disposed of.
    func connect(to sink: Sink<JoinedValue, JoinedError>, until resources: CompositeDisposable)
}

extension Signal: JoinSource {
    /// The signal of several sources, which `connect` observes. It has a strand of its own, and ends its observations when
    /// it ends or is of no more use.
    @inlinable
    static func joining(
        _ connect: (JoinOutput<DerivedReceiver<Value, Error>>) -> Void
    ) -> Signal<Value, Error> {
        let resources = CompositeDisposable()
        let core = SignalCore<Value, Error>(strand: Strand(), resources: resources)
        let signal = Signal(core)
        connect(JoinOutput(next: DerivedReceiver(core), strand: core.strand, resources: resources))
        return signal
    }

    /// Connects this to a join.
    @inlinable
    func connect(to sink: Sink<Value, Error>, until resources: CompositeDisposable) {
        resources.add(observe(into: sink))
    }
}

extension SignalProducer: JoinSource {
    /// The producer of several sources, each of which `connect` starts.
    @inlinable
    static func joining(
        _ connect: @escaping @Sendable (JoinOutput<Sink<Value, Error>>) -> Void
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: .unknown,
            recipe: { sink, run in
                // Disposal interrupts here, which lets go of the sources; they need not be waited for.
                let input = ProducerInput(to: sink, in: run)
                let next = Sink(value: { input.receive($0) }, termination: { input.terminate($0) })
                connect(JoinOutput(next: next, strand: input.strand, resources: input.resources))
            })
    }

    /// Starts this as a source of a join.
    @inlinable
    func connect(to sink: Sink<Value, Error>, until resources: CompositeDisposable) {
        connect(to: sink, until: resources, afterDisposal: false)
    }

    /// - Parameter afterDisposal: Whether the join hears of the completion when what the source held has been disposed of. Else
    ///   it is before.
    @inlinable
    func connect(to sink: Sink<Value, Error>, until resources: CompositeDisposable, afterDisposal: Bool) {
        let run = ProducerRun()
        let handle = resources.add(run)
        if run.isDisposed { return }
        begin(
            Sink(
                value: sink.onValue,
                termination: { termination in
                    if case .completed = termination, afterDisposal {
                        Ending.follow(run, on: sink, with: ()) { sink, _ in sink.onTermination(.completed) }
                    } else {
                        sink.onTermination(termination)
                    }
                    run.dispose()
                    handle?.dispose()
                }),
            run)
    }
}
