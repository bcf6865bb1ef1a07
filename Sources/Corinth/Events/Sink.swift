/// A receiver of one stream's events: a closure for values, and a closure for the termination.
///
/// Values are never wrapped in an event. A stage is called through closures: a method of a generic type called through a
/// table runs unspecialised code.
@frozen
@usableFromInline
struct Sink<Value, Error: Swift.Error> {
    @usableFromInline let onValue: (Value) -> Void
    @usableFromInline let onTermination: (Termination<Error>) -> Void

    /// Whether the receiver treats an interruption of its sender as a completion, like a flattening operator. Then a sender
    /// need not convert it.
    @usableFromInline let treatsInterruptionAsCompletion: Bool

    @inlinable @inline(__always)
    init(
        value: @escaping (Value) -> Void, termination: @escaping (Termination<Error>) -> Void,
        treatsInterruptionAsCompletion: Bool = false
    ) {
        onValue = value
        onTermination = termination
        self.treatsInterruptionAsCompletion = treatsInterruptionAsCompletion
    }
}

/// The receiver of an operator's kernel: a derived signal, or the next stage of a producer.
///
/// A kernel is generic over this type, written once, and specialised for both. The metatype may cross threads, together with
/// the actions of a scheduler.
@usableFromInline
protocol Receiver<Value, Error>: SendableMetatype {
    associatedtype Value
    associatedtype Error: Swift.Error

    func receive(_ value: Value)
    func terminate(_ termination: Termination<Error>)

    /// ``receive(_:)`` as a closure, for stages that pass values on unchanged: values skip such a stage.
    var onValue: (Value) -> Void { get }

    /// ``terminate(_:)`` as a closure, for stages that pass the termination on unchanged.
    var onTermination: (Termination<Error>) -> Void { get }
}

extension Receiver {
    @inlinable
    var onValue: (Value) -> Void {
        @inline(__always)
        get { { receive($0) } }
    }
}

extension Sink: Receiver {
    @inlinable @inline(__always)
    func receive(_ value: Value) { onValue(value) }

    @inlinable @inline(__always)
    func terminate(_ termination: Termination<Error>) { onTermination(termination) }
}
