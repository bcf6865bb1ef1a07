extension Signal where Value: SignalProducerConvertible, Error == Value.Error {
    /// Flattens the streams that this signal sends, with a strategy and an overflow policy for waiting streams.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value.Value, Error> {
        flattening(strategy, policy, counting: statistics, { $0 }) { $0.producer }
    }
}

extension Signal where Value: SignalProducerConvertible, Error == Never {
    /// Flattens the streams that this signal sends, with a strategy and an overflow policy for waiting streams.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Value.Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value.Value, Value.Error> {
        flattening(strategy, policy, counting: statistics, absurd) { $0.producer }
    }
}

extension Signal where Value: SignalProducerConvertible, Error == Never, Value.Error == Never {
    /// Flattens the streams that this signal sends, with a strategy and an overflow policy for waiting streams.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Never>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value.Value, Never> {
        flattening(strategy, policy, counting: statistics, absurd) { $0.producer }
    }
}

extension Signal where Value: SignalProducerConvertible, Value.Error == Never {
    /// Flattens the streams that this signal sends, with a strategy and an overflow policy for waiting streams.
    /// See ``flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> Signal<Value.Value, Error> {
        flattening(strategy, policy, counting: statistics, { $0 }) { $0.producer.promoted() }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Value.Error {
    /// Flattens the streams that this producer sends, with a strategy and an overflow policy for waiting streams.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value.Value, Error> {
        flattening(strategy, policy, counting: statistics, { $0 }) { $0.producer }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Never {
    /// Flattens the streams that this producer sends, with a strategy and an overflow policy for waiting streams.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Value.Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value.Value, Value.Error> {
        flattening(strategy, policy, counting: statistics, absurd) { $0.producer }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Never, Value.Error == Never {
    /// Flattens the streams that this producer sends, with a strategy and an overflow policy for waiting streams.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Never>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value.Value, Never> {
        flattening(strategy, policy, counting: statistics, absurd) { $0.producer }
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Error == Never {
    /// Flattens the streams that this producer sends, with a strategy and an overflow policy for waiting streams.
    /// See ``Signal/flatMap(_:_:)-1szey`` and ``BufferingPolicy``.
    @inlinable
    public func flatten(
        _ strategy: FlattenStrategy, bufferingPolicy policy: BufferingPolicy<Error>,
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value.Value, Error> {
        flattening(strategy, policy, counting: statistics, { $0 }) { $0.producer.promoted() }
    }
}
