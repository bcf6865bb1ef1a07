/// A receiver that reports when further events are useless. For kernels that send several events for one.
@usableFromInline
protocol StoppableReceiver<Value, Error>: Receiver {
    /// Whether events sent from now on reach no observer.
    var isStopped: Bool { get }
}

extension DerivedReceiver: StoppableReceiver {
    @inlinable
    var isStopped: Bool {
        @inline(__always)
        get { core.isTerminated }
    }
}

/// The next stage of a producer, together with the start that it belongs to.
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

    /// Passes the termination on. Sends `interrupted` instead if the start was disposed of in the meantime (law P2).
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
    /// Fuses a kernel that may send several events for one and stops when the start is disposed of.
    @inlinable @inline(__always)
    func fuseStoppable<U, F>(
        _ kernel: @escaping @Sendable (StartReceiver<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        let (recipe, source) = content
        return SignalProducer<U, F>(
            over: depth, from: source, inputs: .one,
            boundary: { source, sink, run in recipe(source, kernel(StartReceiver(sink, in: run)), run) })
    }

    /// Like ``fuseStoppable(_:)``, for a kernel that may end before its source does. See ``fuseEnding(_:)``.
    @inlinable
    func fuseStoppable<U, F>(
        endingEarly: Bool, _ kernel: @escaping @Sendable (StartReceiver<U, F>) -> Sink<Value, Error>
    ) -> SignalProducer<U, F> {
        guard endingEarly else { return fuseStoppable(kernel) }
        let (recipe, source) = content
        return SignalProducer<U, F>(
            over: depth, from: source, inputs: .one,
            boundary: { source, sink, run in
                let upstream = ProducerRun(upstreamOf: run)
                recipe(source, kernel(StartReceiver(sink.ending(upstream, within: run), in: run)), upstream)
            })
    }
}
