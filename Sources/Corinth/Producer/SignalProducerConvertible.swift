/// What a producer can be made of: a signal, a property, a result, a producer itself.
///
/// Operators that take another stream take anything of this kind.
public protocol SignalProducerConvertible<Value, Error>: SendableMetatype {
    /// The values of the stream.
    associatedtype Value
    /// The errors of the stream.
    associatedtype Error: Swift.Error

    /// The producer.
    var producer: SignalProducer<Value, Error> { get }
}

/// What has a producer: for extensions of producers whose values have a certain shape.
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
    /// A producer of what this sends from each start on.
    @inlinable
    public var producer: SignalProducer<Value, Error> { SignalProducer(self) }
}

extension Result: SignalProducerConvertible {
    /// A producer of the value or the failure.
    @inlinable
    public var producer: SignalProducer<Success, Failure> { SignalProducer(result: self) }
}
