extension Signal where Value: SignalProducerConvertible, Error == Value.Error {
    /// Flattens the streams that this signal sends, with a strategy. See ``flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Error> {
        flattening(strategy, { $0 }) { $0.producer }
    }
}

extension Signal where Value: SignalProducerConvertible, Error == Never {
    /// Flattens the streams that this signal sends, with a strategy. See ``flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Value.Error> {
        flattening(strategy, absurd) { $0.producer }
    }
}

extension Signal where Value: SignalProducerConvertible, Error == Never, Value.Error == Never {
    /// Flattens the streams that this signal sends, with a strategy. See ``flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Never> {
        flattening(strategy, absurd) { $0.producer }
    }
}

extension Signal where Value: SignalProducerConvertible, Value.Error == Never {
    /// Flattens the streams that this signal sends, with a strategy. See ``flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Error> {
        flattening(strategy, { $0 }) { $0.producer.promoted() }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Value.Error {
    /// Flattens the streams that this producer sends, with a strategy. See ``Signal/flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Error> {
        flattening(strategy, { $0 }) { $0.producer }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Never {
    /// Flattens the streams that this producer sends, with a strategy. See ``Signal/flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Value.Error> {
        flattening(strategy, absurd) { $0.producer }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Never, Value.Error == Never {
    /// Flattens the streams that this producer sends, with a strategy. See ``Signal/flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Never> {
        flattening(strategy, absurd) { $0.producer }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Error == Never {
    /// Flattens the streams that this producer sends, with a strategy. See ``Signal/flatMap(_:_:)-1szey``.
    @inlinable
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Error> {
        flattening(strategy, { $0 }) { $0.producer.promoted() }
    }
}
