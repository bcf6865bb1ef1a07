extension Signal where Value == Bool {
    /// Sends whether both latest values are true, whenever one sends and both have sent.
    ///
    /// Completes when both have completed; fails or is interrupted when one does.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public func and(_ signal: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal.all([self, signal])
    }

    /// Sends whether all of the latest values are true, whenever one sends and all have sent.
    ///
    /// Completes when all have completed; fails or is interrupted when one does. Without any it completes at once.
    ///
    /// - Complexity: O(1) and no allocation per value, however many there are.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public static func all<Booleans: Collection>(_ booleans: Booleans) -> Signal<Value, Error>
    where Booleans.Element == Signal<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? .empty : .joining { Vote.connect(booleans, quorum: booleans.count, to: $0) }
    }

    /// Sends whether all of the latest values are true, as with a collection of signals.
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

    /// Starts all the producers, and sends whether all of their latest values are true: true, if there are none. See `all(_:)` of
    /// ``Signal``.
    @inlinable
    public static func all<Booleans: Collection>(_ booleans: Booleans) -> SignalProducer<Value, Error>
    where Booleans.Element == SignalProducer<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? SignalProducer(value: true) : .joining { Vote.connect(booleans, quorum: booleans.count, to: $0) }
    }

    /// Starts all the producers, and sends whether all of their latest values are true. See `all(_:)` of ``Signal``.
    @inlinable
    public static func all(_ booleans: SignalProducer<Value, Error>...) -> SignalProducer<Value, Error> {
        all(booleans)
    }

    /// Starts all of them, and sends whether all of their latest values are true. See `all(_:)` of ``Signal``.
    @inlinable
    public static func all<Boolean: SignalProducerConvertible, Booleans: Collection>(
        _ booleans: Booleans
    ) -> SignalProducer<Value, Error>
    where Boolean.Value == Value, Boolean.Error == Error, Booleans.Element == Boolean {
        all(booleans.map(\.producer))
    }
}
