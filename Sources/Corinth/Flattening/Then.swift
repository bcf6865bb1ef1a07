extension SignalProducer {
    /// The implementation of all overloads of `then`: waits for this producer's completion and ignores its values.
    @inlinable
    func followed<U, F>(
        by replacement: SignalProducer<U, F>, _ mapError: @escaping @Sendable (Error) -> F
    ) -> SignalProducer<U, F> {
        continued(
            by: { termination in
                switch termination {
                case .completed: .start(replacement)
                case .failed(let error): .end(.failed(mapError(error)))
                case .interrupted: .end(.interrupted)
                }
            }, or: replacement.depth, value: { _ in { _ in } })
    }

    /// Starts `replacement` when this producer completes, and sends only the values of `replacement`.
    ///
    ///     self         --1--2|
    ///     replacement        --a--b|
    ///     result       --------a--b|
    ///
    /// A failure or an interruption of this producer ends the result.
    @inlinable
    public func then<U>(_ replacement: SignalProducer<U, Never>) -> SignalProducer<U, Error> {
        followed(by: replacement.promoted()) { $0 }
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Error> where Replacement.Error == Never {
        followed(by: replacement.producer.promoted()) { $0 }
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<U>(_ replacement: SignalProducer<U, Error>) -> SignalProducer<U, Error> {
        followed(by: replacement) { $0 }
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Error> where Replacement.Error == Error {
        followed(by: replacement.producer) { $0 }
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then(_ replacement: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        followed(by: replacement) { $0 }
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Value, Error> where Replacement.Value == Value, Replacement.Error == Error {
        followed(by: replacement.producer) { $0 }
    }
}

extension SignalProducer where Error == Never {
    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<U, F>(_ replacement: SignalProducer<U, F>) -> SignalProducer<U, F> {
        followed(by: replacement, absurd)
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Replacement.Error> {
        followed(by: replacement.producer, absurd)
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<U>(_ replacement: SignalProducer<U, Never>) -> SignalProducer<U, Never> {
        followed(by: replacement, absurd)
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Never> where Replacement.Error == Never {
        followed(by: replacement.producer, absurd)
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then(_ replacement: SignalProducer<Value, Never>) -> SignalProducer<Value, Never> {
        followed(by: replacement, absurd)
    }

    /// Starts `replacement` when this producer completes. See ``then(_:)-2pon6``.
    @inlinable
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Value, Never> where Replacement.Value == Value, Replacement.Error == Never {
        followed(by: replacement.producer, absurd)
    }
}
