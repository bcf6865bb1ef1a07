/// What the operators on one boundary share.
///
/// A boundary is the input of an operator that starts other producers one after the other. They all send to it. A start is a
/// list of boundaries. A disposal interrupts the last one first, before it returns (law P2), whatever the stages before it do with
/// an interruption: a hop would deliver it later, and `materialize` would send a value. Then the boundary disposes of the
/// producers before it.
///
/// Operators with nothing between them share one input: values pass it once, and a recursion needs constant memory (law P4).
@usableFromInline
final class Boundary: SinkBoundary, @unchecked Sendable {  // Immutable and atomic.
    /// Disposed of when the boundary ends.
    @usableFromInline let resources: CompositeDisposable

    /// The phase of the last producer of a list, while it is started where another one has ended.
    @usableFromInline let phase = AtomicState<StartPhase>(.returned)

    @inlinable
    init(_ resources: CompositeDisposable) {
        self.resources = resources
        super.init()
    }
}

extension Sink {
    /// What this shares with other operators on the same boundary; nil if it isn't the input of one.
    @inlinable
    var shared: Boundary? {
        guard let boundary = unsafe boundary else { return nil }
        return unsafe unsafeDowncast(boundary.takeUnretainedValue(), to: Boundary.self)
    }

    /// The input of the boundary before this sink: itself if it is the input of one.
    @inlinable
    func behindBoundary(in run: ProducerRun) -> Sink {
        if unsafe boundary != nil { return self }
        let input = ProducerInput(to: self, in: run)
        let shared = Boundary(input.resources)
        return unsafe Sink(
            value: { input.send($0) },
            termination: { termination in withExtendedLifetime(shared) { input.send(termination) } },
            boundary: .passUnretained(shared))
    }

    /// The same, for the last producer of a list that wait for each other. An interruption of it counts as its completion.
    @inlinable
    func behindList(in run: ProducerRun) -> Sink {
        if endsList { return self }
        let input = behindBoundary(in: run)
        let list = Boundary(input.shared?.resources ?? CompositeDisposable())
        let onTermination = input.onTermination
        return unsafe Sink(
            value: input.onValue,
            termination: { termination in
                switch termination {
                case .failed: onTermination(termination)
                case .interrupted where run.isDisposed: onTermination(.interrupted)
                case .interrupted, .completed: if !list.phase.delegates() { onTermination(.completed) }
                }
            }, boundary: .passUnretained(list), endsList: true)
    }

    /// Continues with the last producer of a list, where the start of another one has returned. The list ends when this start has
    /// returned, too.
    @inlinable
    func goOn(withLast producer: SignalProducer<Value, Error>, in run: ProducerRun) {
        // Of an operator that shares only the input, the end goes to that operator, and not to the list.
        // relaxed: only the starting thread begins a phase, and publishes the stream to others by the start.
        guard endsList, let list = shared, list.phase.tryUpdate(from: .returned, .relaxed, { _ in .starting }).won
        else {
            return producer.replaceTail(to: self, in: run)
        }
        producer.replaceTail(to: self, in: run)
        if list.phase.returns() {
            list.phase.store(.returned, .relaxed)
            onTermination(run.isDisposed ? .interrupted : .completed)
        }
    }
}
