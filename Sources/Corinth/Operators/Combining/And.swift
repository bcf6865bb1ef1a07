extension Signal where Value == Bool {
    /// Sends whether both latest values are true, whenever one signal sends and both have sent.
    ///
    /// Completes when both have completed. Fails or is interrupted when one of them does.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time.
    @inlinable
    public func and(_ signal: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal.all([self, signal])
    }

    /// Sends whether all latest values are true, whenever one signal sends and all have sent.
    ///
    /// Completes when all have completed. Fails or is interrupted when one of them does. Without signals, it completes at
    /// once.
    ///
    /// - Complexity: O(1) and no allocation per value, for any number of signals.
    /// ## Concurrency
    /// The result has its own strand: the signals may send on different threads at the same time.
    @inlinable
    public static func all<Booleans: Collection>(_ booleans: Booleans) -> Signal<Value, Error>
    where Booleans.Element == Signal<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? .empty : .joining { BooleanAggregate.connect(booleans, quorum: booleans.count, to: $0) }
    }

    /// Sends whether all latest values are true. See `all(_:)` for a collection of signals.
    @inlinable
    public static func all(_ booleans: Signal<Value, Error>...) -> Signal<Value, Error> {
        all(booleans)
    }
}

extension SignalProducer where Value == Bool {
    /// Starts both, and sends whether both latest values are true. See ``Signal/and(_:)``.
    @inlinable
    public func and(_ booleans: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.all([self, booleans])
    }

    /// Starts both, and sends whether both latest values are true. See ``Signal/and(_:)``.
    @inlinable
    public func and<Booleans: SignalProducerConvertible>(_ booleans: Booleans) -> SignalProducer<Value, Error>
    where Booleans.Value == Value, Booleans.Error == Error {
        and(booleans.producer)
    }

    /// Starts all producers and sends whether all their latest values are true. Without producers, it sends true. See
    /// `all(_:)` of ``Signal``.
    @inlinable
    public static func all<Booleans: Collection>(_ booleans: Booleans) -> SignalProducer<Value, Error>
    where Booleans.Element == SignalProducer<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? SignalProducer(value: true)
            : .joining { BooleanAggregate.connect(booleans, quorum: booleans.count, to: $0) }
    }

    /// Starts all producers and sends whether all their latest values are true. See `all(_:)` of ``Signal``.
    @inlinable
    public static func all(_ booleans: SignalProducer<Value, Error>...) -> SignalProducer<Value, Error> {
        all(booleans)
    }

    /// Starts all producers and sends whether all their latest values are true. See `all(_:)` of ``Signal``.
    @inlinable
    public static func all<Boolean: SignalProducerConvertible, Booleans: Collection>(
        _ booleans: Booleans
    ) -> SignalProducer<Value, Error>
    where Boolean.Value == Value, Boolean.Error == Error, Booleans.Element == Boolean {
        all(booleans.map(\.producer))
    }
}
