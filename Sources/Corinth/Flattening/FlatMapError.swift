/// The kernel of `flatMapError`: continues with another stream after a failure.
@usableFromInline
final class FlatMapError<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        super.init(output, sources: sources)
    }

    /// The input for one of the two streams. `recover` handles a failure.
    @inlinable
    func input<Failure>(
        _ recover: @escaping (Failure) -> Void
    ) -> Sink<Next.Value, Failure> {
        let strand = strand
        return Sink(
            value: { value in strand.send(value, to: self, self.forward(value)) { $0.forward($1) } },
            termination: { termination in
                switch termination {
                case .failed(let error): recover(error)
                case .completed: self.end(.completed)
                case .interrupted: self.end(.interrupted)
                }
            })
    }

    /// Ends the result. Thread-safe.
    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        strand.perform(on: self, with: termination) { $0.terminate($1) }
    }
}

extension Signal {
    /// Continues with the stream that `transform` makes from the error of a failure.
    ///
    ///     self         --1--2--X
    ///     transform(X)         --3--4|
    ///     result       --1--2----3--4|
    ///
    /// - Parameter transform: Makes a producer from the error. Runs once, on the thread that delivers the failure. The
    ///   producer is started on that thread.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func flatMapError<F>(
        _ transform: sending @escaping (Error) -> SignalProducer<Value, F>
    ) -> Signal<Value, F> {
        .joining { output in
            let join = FlatMapError(output, sources: 1)
            self.connect(
                to: join.input { error in
                    transform(error).connect(to: join.input { join.end(.failed($0)) }, until: output.resources)
                }, until: output.resources)
        }
    }

    /// Continues with the stream that `transform` makes from the error of a failure. See ``flatMapError(_:)-kzck``.
    @_disfavoredOverload
    @inlinable
    public func flatMapError<Inner: SignalProducerConvertible>(
        _ transform: sending @escaping (Error) -> Inner
    ) -> Signal<Value, Inner.Error> where Inner.Value == Value {
        flatMapError { transform($0).producer }
    }
}

extension SignalProducer {
    /// Continues with the producer that `transform` makes from the error of a failure. See ``Signal/flatMapError(_:)-kzck``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMapError<F>(
        _ transform: @escaping @Sendable (Error) -> SignalProducer<Value, F>
    ) -> SignalProducer<Value, F> {
        continued(
            by: { termination in
                switch termination {
                case .failed(let error): .start(transform(error))
                case .completed: .end(.completed)
                case .interrupted: .end(.interrupted)
                }
            }, value: { $0.onValue })
    }

    /// Continues with the stream that `transform` makes from the error of a failure. See ``Signal/flatMapError(_:)-kzck``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func flatMapError<Inner: SignalProducerConvertible>(
        _ transform: @escaping @Sendable (Error) -> Inner
    ) -> SignalProducer<Value, Inner.Error> where Inner.Value == Value {
        flatMapError { transform($0).producer }
    }
}
