/// Joins several sources on one strand and ends them with the result.
///
/// The kernel of an operator with several sources is a subclass. Its state belongs to the strand's owner. Each source sends
/// through ``Strand/send(_:to:_:queued:)`` and ``Strand/perform(on:with:_:)``.
@usableFromInline
class Join<Next: Receiver>: @unchecked Sendable {  // Only the strand's owner accesses its state.
    @usableFromInline final let strand: Strand
    @usableFromInline final let next: Next

    /// The number of sources that have not completed. This and all properties below are owned by the strand's owner.
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

    /// The same as ``Strand/send(_:to:_:queued:)``, for a caller that retains this and not the strand. The strand isn't
    /// retained for each value either.
    @inlinable @inline(__always)
    final func send<State: AnyObject, Input>(
        _ input: @autoclosure () -> Input, to state: State, _ work: @autoclosure () -> Void,
        queued: @escaping (State, Input) -> Void
    ) {
        // A join of joins, and so on, is a chain of strands.
        StackSpace.require()
        let strand = unsafe Unmanaged.passUnretained(strand)
        if let owned = unsafe strand.enter() {
            work()
            unsafe strand.leave(owned)
        } else {
            unsafe strand.withStrand { $0.queue(input(), for: state, queued) }
        }
    }

    /// The same as ``Strand/perform(on:with:_:)``.
    @inlinable
    final func perform<State: AnyObject, Input>(
        on state: State, with input: Input, _ work: @escaping (State, Input) -> Void
    ) {
        StackSpace.require()
        let strand = unsafe Unmanaged.passUnretained(strand)
        if let owned = unsafe strand.enter() {
            work(state, input)
            unsafe strand.leave(owned)
        } else {
            unsafe strand.withStrand { $0.enqueue(InputNode(input, for: state, work), .atOnce) }
        }
    }

    /// Forwards a value, unless the result has ended.
    @inlinable @inline(__always)
    final func forward(_ value: Next.Value) {
        if !isTerminated { next.receive(value) }
    }

    /// Handles the end of a source: completes with the last one, fails or is interrupted with any of them (law E6).
    @inlinable
    final func endSource(_ termination: Termination<Next.Error>) {
        if case .completed = termination {
            active -= 1
            if active > 0 { return }
        }
        terminate(termination)
    }

    /// Sends the termination, at most once.
    @inlinable
    final func terminate(_ termination: Termination<Next.Error>) {
        if isTerminated { return }
        isTerminated = true
        // The output disposes of `resources` after it has delivered the termination.
        next.terminate(termination)
    }
}

/// The output of a join: a signal, or the sink of a producer's start.
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

/// A source that can be connected to a join: a signal is observed, a producer is started.
@usableFromInline
protocol JoinSource<JoinedValue, JoinedError> {
    // Not `Value` and `Error`: names that a non-public protocol declares would hide the public names of its types.
    associatedtype JoinedValue
    associatedtype JoinedError: Swift.Error

    /// Sends its events to `sink` until `resources` are disposed of.
    func connect(to sink: Sink<JoinedValue, JoinedError>, until resources: CompositeDisposable)

    /// Connects several sources, in their order.
    ///
    /// - Parameter makeSink: Makes the sink of the source at an index.
    static func connect(
        _ sources: [Self], until resources: CompositeDisposable,
        to makeSink: (Int) -> Sink<JoinedValue, JoinedError>)
}

extension Signal: JoinSource {
    /// A signal that joins the sources that `connect` observes. It has its own strand. It stops observing the sources when
    /// it ends or is no longer observed.
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

    /// Observes this signal as a source of a join.
    @inlinable
    func connect(to sink: Sink<Value, Error>, until resources: CompositeDisposable) {
        resources.add(observe(into: sink))
    }

    /// Observes signals as the sources of a join. Their observations are one entry of the resources.
    @inlinable
    static func connect(
        _ sources: [Signal], until resources: CompositeDisposable, to makeSink: (Int) -> Sink<Value, Error>
    ) {
        var observations: [Observation] = []
        observations.reserveCapacity(sources.count)
        for index in sources.indices {
            // Retained by the array.
            let source = unsafe Unmanaged.passUnretained(sources[index])
            let observation = unsafe source._withUnsafeGuaranteedRef { $0.core.observe(makeSink(index)) }
            if let observation { observations.append(observation) }
        }
        resources.add(JoinedObservations(observations))
    }
}

extension SignalProducer: JoinSource {
    /// A producer that joins the sources that `connect` starts.
    @inlinable
    static func joining(
        _ connect: @escaping @Sendable (JoinOutput<Sink<Value, Error>>) -> Void
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: .unknown,
            boundary: { _, sink, run in
                // Disposal interrupts here, which releases the sources. Nothing waits for them.
                let input = ProducerInput(to: sink, in: run)
                let next = Sink(value: { input.receive($0) }, termination: { input.terminate($0) })
                connect(JoinOutput(next: next, strand: input.strand, resources: input.resources))
            })
    }

    /// Starts this producer as a source of a join.
    @inlinable
    func connect(to sink: Sink<Value, Error>, until resources: CompositeDisposable) {
        let run = ProducerRun()
        let handle = resources.add(run)
        beginOrEnd(
            Sink(
                value: sink.onValue,
                termination: { termination in
                    sink.onTermination(termination)
                    run.dispose()
                    handle?.dispose()
                }),
            run)
    }

    /// Starts producers as the sources of a join.
    @inlinable
    static func connect(
        _ sources: [SignalProducer], until resources: CompositeDisposable, to makeSink: (Int) -> Sink<Value, Error>
    ) {
        for index in sources.indices { sources[index].connect(to: makeSink(index), until: resources) }
    }
}

/// The observations of a join's sources, which end together.
@usableFromInline
final class JoinedObservations: Disposable {
    @usableFromInline let observations: [Observation]

    @inlinable
    init(_ observations: [Observation]) {
        self.observations = observations
    }

    @usableFromInline
    var isDisposed: Bool { observations.allSatisfy { $0.isDisposed } }

    @usableFromInline
    func dispose() {
        // Retained by the array.
        for index in observations.indices {
            unsafe Unmanaged.passUnretained(observations[index])._withUnsafeGuaranteedRef { $0.dispose() }
        }
    }
}
