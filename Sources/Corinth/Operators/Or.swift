extension Signal where Value == Bool {
    /// Sends whether any of both latest values are true, whenever one sends and both have sent.
    ///
    /// Completes when both have completed; fails or is interrupted when one does.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public func or(_ signal: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal.any([self, signal])
    }

    /// Sends whether any of the latest values are true, whenever one sends and all have sent.
    ///
    /// Completes when all have completed; fails or is interrupted when one does. Without any it completes at once.
    ///
    /// - Complexity: O(1) and no allocation per value, however many there are.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public static func any<Booleans: Collection>(_ booleans: Booleans) -> Signal<Value, Error>
    where Booleans.Element == Signal<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? .empty : .joining { Vote.connect(booleans, quorum: 1, to: $0) }
    }

    /// Sends whether any of the latest values are true, as with a collection of signals.
    @inlinable
    public static func any(_ booleans: Signal<Value, Error>...) -> Signal<Value, Error> {
        any(booleans)
    }
}

extension SignalProducer where Value == Bool {
    /// Starts both, and sends whether any of both latest values are true. See ``Signal/or(_:)``.
    @inlinable
    public func or(_ booleans: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.any([self, booleans])
    }

    /// Starts both, and sends whether any of both latest values are true. See ``Signal/or(_:)``.
    @inlinable
    public func or<Booleans: SignalProducerConvertible>(_ booleans: Booleans) -> SignalProducer<Value, Error>
    where Booleans.Value == Value, Booleans.Error == Error {
        or(booleans.producer)
    }

    /// Starts all the producers, and sends whether any of their latest values are true: false, if there are none. See `any(_:)` of
    /// ``Signal``.
    @inlinable
    public static func any<Booleans: Collection>(_ booleans: Booleans) -> SignalProducer<Value, Error>
    where Booleans.Element == SignalProducer<Value, Error> {
        let booleans = Array(booleans)
        return booleans.isEmpty
            ? SignalProducer(value: false) : .joining { Vote.connect(booleans, quorum: 1, to: $0) }
    }

    /// Starts all the producers, and sends whether any of their latest values are true. See `any(_:)` of ``Signal``.
    @inlinable
    public static func any(_ booleans: SignalProducer<Value, Error>...) -> SignalProducer<Value, Error> {
        any(booleans)
    }

    /// Starts all of them, and sends whether any of their latest values are true. See `any(_:)` of ``Signal``.
    @inlinable
    public static func any<Boolean: SignalProducerConvertible, Booleans: Collection>(
        _ booleans: Booleans
    ) -> SignalProducer<Value, Error>
    where Boolean.Value == Value, Boolean.Error == Error, Booleans.Element == Boolean {
        any(booleans.map(\.producer))
    }
}
