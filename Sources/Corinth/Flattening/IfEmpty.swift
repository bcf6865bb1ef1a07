extension SignalProducer {
    /// Starts `replacement` when this producer completes without having sent a value.
    ///
    ///     self         ---|
    ///     replacement     --1--2|
    ///     result       -----1--2|
    ///
    /// A failure or an interruption of this producer ends the result.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func ifEmpty(_ replacement: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        continued(or: replacement.depth) { sink in
            let isEmpty = OperatorState(true)
            return (
                {
                    isEmpty.value = false
                    sink.onValue($0)
                },
                { termination in
                    if case .completed = termination, isEmpty.value { .start(replacement) } else { .end(termination) }
                }
            )
        }
    }

    /// Starts `replacement` when this producer completes without having sent a value. See
    /// ``ifEmpty(_:)-(SignalProducer<Value,Error>)``.
    @inlinable
    public func ifEmpty<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Value, Error> where Replacement.Value == Value, Replacement.Error == Error {
        ifEmpty(replacement.producer)
    }

    /// Sends a value when this producer completes without having sent one, and then completes.
    @inlinable
    public func ifEmpty(value: Value) -> SignalProducer<Value, Error> { ifEmpty(SignalProducer(value: value)) }
}
