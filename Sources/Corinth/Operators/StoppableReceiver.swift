/// A receiver that says when there is no use in sending more: for kernels that send several events for one.
@usableFromInline
protocol StoppableReceiver<Value, Error>: Receiver {
    /// Whether what is sent from here on reaches nobody.
    var isStopped: Bool { get }
}

extension DerivedReceiver: StoppableReceiver {
    @inlinable
    var isStopped: Bool {
        @inline(__always)
        get { core.isTerminated }
    }
}

/// The next stage of a producer, with the start that it belongs to.
@frozen
@usableFromInline
struct StartReceiver<Value, Error: Swift.Error>: StoppableReceiver {
    @usableFromInline let sink: Sink<Value, Error>
    @usableFromInline let run: ProducerRun

    @inlinable @inline(__always)
    init(_ sink: Sink<Value, Error>, in run: ProducerRun) {
        self.sink = sink
        self.run = run
    }

    @inlinable @inline(__always)
    func receive(_ value: Value) { sink.onValue(value) }

    /// Passes the end on; an interruption, if the start was disposed of since the end came (law P2).
    @inlinable @inline(__always)
    func terminate(_ termination: Termination<Error>) {
        sink.onTermination(run.isDisposed ? .interrupted : termination)
    }

    @inlinable
    var onValue: (Value) -> Void { sink.onValue }

    @inlinable
    var onTermination: (Termination<Error>) -> Void { sink.onTermination }

    @inlinable
    var isStopped: Bool {
        @inline(__always)
        get { run.isDisposed }
    }
}

extension SignalProducer {
    /// Fuses a kernel that may send several events for one, and stops when the start is disposed of.
    @inlinable @inline(__always)
    func fuseStoppable<U, F>(
        _ kernel: @escaping @Sendable (StartReceiver<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: depth, recipe: { [recipe] sink, run in recipe(kernel(StartReceiver(sink, in: run)), run) })
    }

    /// The same for a kernel that may end before its source does: see ``fuseEnding(_:)``.
    @inlinable
    func fuseStoppable<U, F>(
        endingEarly: Bool, _ kernel: @escaping @Sendable (StartReceiver<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        guard endingEarly else { return fuseStoppable(kernel) }
        return SignalProducer<U, F>(
            over: depth,
            recipe: { [recipe] sink, run in
                let upstream = ProducerRun(upstreamOf: run)
                recipe(kernel(StartReceiver(sink.ending(upstream, within: run), in: run)), upstream)
            })
    }
}
