/// The boundary whose input a sink is: see ``Boundary``, which is the only subclass.
@usableFromInline
class SinkBoundary: @unchecked Sendable {  // Its subclass says why.
    @inlinable
    init() {}
}

/// A receiver of one stream's events: a closure for values, and a closure for the termination.
///
/// Values are never wrapped in an event. A stage is called through closures: a method of a generic type called through a
/// table runs unspecialised code.
@frozen
@usableFromInline
@safe struct Sink<Value, Error: Swift.Error> {
    @usableFromInline let onValue: (Value) -> Void
    @usableFromInline let onTermination: (Termination<Error>) -> Void

    /// The boundary whose input receives the values. Not retained, so that a sink without one costs nothing more: the closure for the
    /// termination retains it.
    @usableFromInline let boundary: Unmanaged<SinkBoundary>?

    /// Whether the termination is that of a list of producers: see ``behindList(in:)``.
    @usableFromInline let endsList: Bool

    @inlinable @inline(__always)
    init(value: @escaping (Value) -> Void, termination: @escaping (Termination<Error>) -> Void) {
        onValue = value
        onTermination = termination
        unsafe boundary = nil
        endsList = false
    }

    /// The input of a boundary.
    @inlinable @inline(__always)
    init(
        value: @escaping (Value) -> Void, termination: @escaping (Termination<Error>) -> Void,
        boundary: Unmanaged<SinkBoundary>?, endsList: Bool = false
    ) {
        onValue = value
        onTermination = termination
        unsafe self.boundary = unsafe boundary
        self.endsList = endsList
    }
}

extension Sink {
    /// The same, for a stage in a long chain. It stops the program if the stack is nearly used up.
    @usableFromInline
    var requiringStack: Sink {
        let (onValue, onTermination) = (onValue, onTermination)
        return unsafe Sink(
            value: {
                StackSpace.require()
                onValue($0)
            },
            termination: {
                StackSpace.require()
                onTermination($0)
            },
            boundary: boundary, endsList: endsList)
    }
}

/// A receiver that its holder releases. Not copyable, so that a call doesn't retain it.
@frozen
@usableFromInline
struct HeldSink<Value, Error: Swift.Error>: ~Copyable {
    @usableFromInline let onValue: (Value) -> Void
    @usableFromInline let onTermination: (Termination<Error>) -> Void

    @inlinable @inline(__always)
    init(_ sink: Sink<Value, Error>) {
        onValue = sink.onValue
        onTermination = sink.onTermination
    }

    /// A receiver of nothing.
    @inlinable @inline(__always)
    init() {
        onValue = { _ in }
        onTermination = { _ in }
    }

    // A method: the closure would be retained if it were called from outside.
    @inlinable @inline(__always)
    borrowing func receive(_ value: Value) { onValue(value) }
}

/// A receiver of values.
@usableFromInline
protocol ValueReceiver<Value>: SendableMetatype {
    associatedtype Value

    func receive(_ value: Value)
}

/// The receiver of an operator's kernel: a derived signal, or the next stage of a producer.
///
/// A kernel is generic over this type, written once, and specialised for both. The metatype may cross threads, together with
/// the actions of a scheduler.
@usableFromInline
protocol Receiver<Value, Error>: ValueReceiver {
    associatedtype Error: Swift.Error

    /// What receives the values.
    associatedtype Values: ValueReceiver<Value> = Self

    /// The part of this that receives the values. A closure for values that captures only this takes less memory, and doesn't
    /// retain the closure for the termination.
    var values: Values { get }

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

extension Receiver where Values == Self {
    @inlinable
    var values: Self {
        @inline(__always)
        get { self }
    }
}

/// The values' half of a sink.
@frozen
@usableFromInline
struct SinkValues<Value>: ValueReceiver {
    @usableFromInline let onValue: (Value) -> Void

    @inlinable @inline(__always)
    init(_ onValue: __owned @escaping (Value) -> Void) { self.onValue = onValue }

    @inlinable @inline(__always)
    func receive(_ value: Value) { onValue(value) }
}

extension Sink: Receiver {
    @inlinable
    var values: SinkValues<Value> {
        @inline(__always)
        get { SinkValues(onValue) }
    }

    @inlinable @inline(__always)
    func receive(_ value: Value) { onValue(value) }

    @inlinable @inline(__always)
    func terminate(_ termination: Termination<Error>) { onTermination(termination) }
}
