/// Where the events of one stream go: a closure for values, and one for the end.
///
/// Values are never wrapped in an event, and a stage is called through closures: a method of a generic type that is
/// reached through a table runs unspecialised code.
@frozen
@usableFromInline
struct Sink<Value, Error: Swift.Error> {
    @usableFromInline let onValue: (Value) -> Void
    @usableFromInline let onTermination: (Termination<Error>) -> Void

    /// Whether an interruption of what sends here counts as its completion, as that of a flattened stream does: then there is
    /// no need to say so again.
    @usableFromInline let absorbsInterruption: Bool

    @inlinable @inline(__always)
    init(
        value: @escaping (Value) -> Void, termination: @escaping (Termination<Error>) -> Void,
        absorbsInterruption: Bool = false
    ) {
        onValue = value
        onTermination = termination
        self.absorbsInterruption = absorbsInterruption
    }
}

/// What an operator's kernel sends to: a derived signal, or the next stage of a producer.
///
/// A kernel is written once, generic over this, and specialised for either. Its metatype may cross threads, with the
/// actions of a scheduler.
@usableFromInline
protocol Receiver<Value, Error>: SendableMetatype {
    associatedtype Value
    associatedtype Error: Swift.Error

    func receive(_ value: Value)
    func terminate(_ termination: Termination<Error>)

    /// ``receive(_:)`` as a closure, for stages that pass values on as they are: a value doesn't pass through them.
    var onValue: (Value) -> Void { get }

    /// ``terminate(_:)`` as a closure, for stages that pass the end on as it is.
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
