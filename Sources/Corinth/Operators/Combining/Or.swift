extension Signal where Value == Bool {
    /// Sends whether at least one of the two latest values is true, whenever one signal sends and both have sent.
    ///
    /// Completes when both have completed. Fails or is interrupted when one of them does.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time.
    @inlinable
    public func or(_ signal: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal.any([self, signal])
    }

    /// Sends whether at least one latest value is true, whenever one signal sends and all have sent.
    ///
    /// Completes when all have completed. Fails or is interrupted when one of them does. Without signals, it completes at
    /// once.
    ///
    /// - Complexity: O(1) and no allocation per value, for any number of signals.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time.
    @inlinable
    public static func any<Booleans: Collection>(_ booleans: Booleans) -> Signal<Value, Error>
    where Booleans.Element == Signal<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? .empty : .joining { BooleanAggregate.connect(booleans, quorum: 1, to: $0) }
    }

    /// Sends whether at least one latest value is true. See `any(_:)` for a collection of signals.
    @inlinable
    public static func any(_ booleans: Signal<Value, Error>...) -> Signal<Value, Error> {
        any(booleans)
    }
}

extension SignalProducer where Value == Bool {
    /// Starts both, and sends whether at least one of the two latest values is true. See ``Signal/or(_:)``.
    @inlinable
    public func or(_ booleans: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.any([self, booleans])
    }

    /// Starts both, and sends whether at least one of the two latest values is true. See ``Signal/or(_:)``.
    @inlinable
    public func or<Booleans: SignalProducerConvertible>(_ booleans: Booleans) -> SignalProducer<Value, Error>
    where Booleans.Value == Value, Booleans.Error == Error {
        or(booleans.producer)
    }

    /// Starts all producers and sends whether at least one of their latest values is true. Without producers, it sends false.
    /// See `any(_:)` of ``Signal``.
    @inlinable
    public static func any<Booleans: Collection>(_ booleans: Booleans) -> SignalProducer<Value, Error>
    where Booleans.Element == SignalProducer<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? SignalProducer(value: false) : .joining { BooleanAggregate.connect(booleans, quorum: 1, to: $0) }
    }

    /// Starts all producers and sends whether at least one of their latest values is true. See `any(_:)` of ``Signal``.
    @inlinable
    public static func any(_ booleans: SignalProducer<Value, Error>...) -> SignalProducer<Value, Error> {
        any(booleans)
    }

    /// Starts all producers and sends whether at least one of their latest values is true. See `any(_:)` of ``Signal``.
    @inlinable
    public static func any<Boolean: SignalProducerConvertible, Booleans: Collection>(
        _ booleans: Booleans
    ) -> SignalProducer<Value, Error>
    where Boolean.Value == Value, Boolean.Error == Error, Booleans.Element == Boolean {
        any(booleans.map(\.producer))
    }
}
