/// A type that provides a producer: a signal, a property, a result, or a producer.
///
/// Operators that take another stream accept any such type.
public protocol SignalProducerConvertible<Value, Error>: SendableMetatype {
    /// The values of the stream.
    associatedtype Value
    /// The errors of the stream.
    associatedtype Error: Swift.Error

    /// The producer.
    var producer: SignalProducer<Value, Error> { get }
}

/// A type that has a producer. For extensions of producers whose values have a certain type.
public protocol SignalProducerProtocol<Value, Error>: SendableMetatype {
    /// The values of the producer.
    associatedtype Value
    /// The errors of the producer.
    associatedtype Error: Swift.Error

    /// The producer.
    var producer: SignalProducer<Value, Error> { get }
}

extension SignalProducer: SignalProducerConvertible, SignalProducerProtocol {
    /// This producer itself.
    @inlinable
    public var producer: SignalProducer { self }
}

extension Signal: SignalProducerConvertible {
    /// A producer of the events that this signal sends after each start.
    @inlinable
    public var producer: SignalProducer<Value, Error> { SignalProducer(self) }
}

extension Result: SignalProducerConvertible {
    /// A producer of the value or of the failure.
    @inlinable
    public var producer: SignalProducer<Success, Failure> { SignalProducer(result: self) }
}
