extension SignalProducer {
    /// Starts `next` when this producer completes.
    ///
    ///     self    --1--2|
    ///     next          --3--4|
    ///     result  --1--2--3--4|
    ///
    /// A failure of this producer ends the result. If this producer is interrupted but the result is not, `next` is
    /// started, too.
    ///
    /// - Complexity: O(1) and no allocation per value. A producer that concatenates itself repeatedly needs constant stack
    ///   depth and memory (law [P4](doc:Contracts#P4-Constant-stack)).
    @inlinable
    public func concat(_ next: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        continued(
            by: { termination in
                if case .failed = termination { .end(termination) } else { .start(next) }
            }, or: next.depth, asList: true, value: { $0.onValue })
    }

    /// Starts `next` when this producer completes. See ``concat(_:)-(SignalProducer<Value,Error>)``.
    @inlinable
    public func concat<Next: SignalProducerConvertible>(_ next: Next) -> SignalProducer<Value, Error>
    where Next.Value == Value, Next.Error == Error {
        concat(next.producer)
    }

    /// Sends a value when this producer completes, and then completes.
    @inlinable
    public func concat(value: Value) -> SignalProducer<Value, Error> {
        concat(SignalProducer(value: value))
    }

    /// Fails when this producer completes.
    @inlinable
    public func concat(error: Error) -> SignalProducer<Value, Error> {
        concat(SignalProducer(error: error))
    }

    /// Starts `producer`, and then this producer when that completes. See ``concat(_:)-(SignalProducer<Value,Error>)``.
    @inlinable
    public func prefix(_ producer: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        producer.concat(self)
    }

    /// Starts `producer`, and then this producer when that completes. See ``concat(_:)-(SignalProducer<Value,Error>)``.
    @inlinable
    public func prefix<Previous: SignalProducerConvertible>(_ producer: Previous) -> SignalProducer<Value, Error>
    where Previous.Value == Value, Previous.Error == Error {
        producer.producer.concat(self)
    }

    /// Sends a value, and then starts this producer.
    @inlinable
    public func prefix(value: Value) -> SignalProducer<Value, Error> {
        SignalProducer(value: value).concat(self)
    }
}
