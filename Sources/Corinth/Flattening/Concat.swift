extension SignalProducer {
    /// Starts `next` when this is complete.
    ///
    ///     self    --1--2|
    ///     next          --3--4|
    ///     result  --1--2--3--4|
    ///
    /// A failure of this ends the result. If this is interrupted, but not the result, `next` is started, too.
    ///
    /// - Complexity: O(1) and no allocation per value. A producer that ends in itself, over and over, takes constant stack and
    ///   memory (law P4).
    @inlinable
    public func concat(_ next: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        following(
            by: { termination, sink, run in
                if case .failed = termination { return .end(termination) }
                if run.isDisposed { return .end(.interrupted) }
                return .goOn(next, sink.absorbing(in: run))
            }, or: next.depth, absorbsInterruption: true, afterDisposal: true, value: { $0.onValue })
    }

    /// Starts `next` when this is complete. See ``concat(_:)-(SignalProducer<Value,Error>)``.
    @inlinable
    public func concat<Next: SignalProducerConvertible>(_ next: Next) -> SignalProducer<Value, Error>
    where Next.Value == Value, Next.Error == Error {
        concat(next.producer)
    }

    /// Sends a value when this is complete, and completes.
    @inlinable
    public func concat(value: Value) -> SignalProducer<Value, Error> {
        concat(SignalProducer(value: value))
    }

    /// Fails when this is complete.
    @inlinable
    public func concat(error: Error) -> SignalProducer<Value, Error> {
        concat(SignalProducer(error: error))
    }

    /// Starts `producer` first, and this when that is complete. See ``concat(_:)-(SignalProducer<Value,Error>)``.
    @inlinable
    public func prefix(_ producer: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        producer.concat(self)
    }

    /// Starts `producer` first, and this when that is complete. See ``concat(_:)-(SignalProducer<Value,Error>)``.
    @inlinable
    public func prefix<Previous: SignalProducerConvertible>(_ producer: Previous) -> SignalProducer<Value, Error>
    where Previous.Value == Value, Previous.Error == Error {
        producer.producer.concat(self)
    }

    /// Sends a value first, and then starts this.
    @inlinable
    public func prefix(value: Value) -> SignalProducer<Value, Error> {
        SignalProducer(value: value).concat(self)
    }
}
