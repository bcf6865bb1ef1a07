/// A derived signal that contains the only closure of its operator, so that a stage is one allocation.
///
/// The closure is released when the source has removed this signal or has ended, even if the signal is still referenced.
@usableFromInline
final class Stage<Value, Error: Swift.Error>: SignalCore<Value, Error>, @unchecked Sendable {  // As the superclass.
    /// The closure, of a type that only the operator knows. Accessed through ``operation(_:)``. Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var closureStorage = ClosureWords()

    /// - Parameter operation: A struct that contains the closure and nothing else.
    @inlinable
    init<Operation: ~Copyable>(from source: SignalState, _ operation: consuming Operation) {
        super.init(from: source)
        assert(MemoryLayout<Operation>.size == MemoryLayout<ClosureWords>.size)
        unsafe self.operation(Operation.self).initialize(to: operation)
        assert(isStored(in: &closureStorage))
    }

    deinit { closureStorage.release() }

    @inlinable @inline(__always)
    func operation<Operation: ~Copyable>(_ type: Operation.Type) -> UnsafeMutablePointer<Operation> {
        PlainAccess.read(self)
        let properties = unsafe _getUnsafePointerToStoredProperties(self)
        return unsafe (properties + SignalState.size).assumingMemoryBound(to: type)
    }

    /// Whether ``operation(_:)`` is at `field`. A property that is inserted
    /// above it would move it.
    @inlinable
    func isStored(in field: inout ClosureWords) -> Bool {
        unsafe withUnsafeMutablePointer(to: &field) { unsafe $0 == operation(ClosureWords.self) }
    }

    /// Delivers a value to the observers of this signal.
    @inlinable @inline(__always)
    func receive(_ value: Value) { DerivedReceiver(self).receive(value) }

    /// Terminates this signal with its source, which sends no more values.
    @inlinable
    func end(_ termination: Termination<Error>) {
        terminate(termination)
        releaseClosure()
    }

    /// What ends this signal.
    @inlinable @inline(__always)
    func ending() -> (Termination<Error>) -> Void { { self.end($0) } }

    @usableFromInline
    override func releaseClosure() {
        PlainAccess.write(self)
        closureStorage.release()
    }
}

/// A closure that transforms a value, or drops it if the output is an optional. Not copyable, so that a call doesn't retain it.
@frozen
@usableFromInline
struct Transform<Input, Output>: ~Copyable {
    @usableFromInline let run: (Input) -> Output

    @inlinable @inline(__always)
    init(_ run: __owned @escaping (Input) -> Output) { self.run = run }

    @inlinable @inline(__always)
    borrowing func callAsFunction(_ input: Input) -> Output { run(input) }

    /// Whether the closure is a function.
    @inlinable
    var capturesNothing: Bool {
        @inline(__always)
        borrowing get {
            unsafe withUnsafePointer(to: self) {
                unsafe UnsafeRawPointer($0).load(as: ClosureWords.self).captures == nil
            }
        }
    }
}

/// A closure that decides about a value. Not copyable, so that a call doesn't retain it.
@frozen
@usableFromInline
struct Predicate<Input>: ~Copyable {
    @usableFromInline let run: (Input) -> Bool

    @inlinable @inline(__always)
    init(_ run: __owned @escaping (Input) -> Bool) { self.run = run }

    @inlinable @inline(__always)
    borrowing func callAsFunction(_ input: Input) -> Bool { run(input) }
}

extension SignalCore {
    /// Adds a derived signal that was made for this one, and for no other.
    ///
    /// - Parameter receiver: Makes what receives the values of this signal. If that captures only the stage, it isn't allocated.
    @inlinable @inline(__always)
    final func attach<U>(
        _ stage: Stage<U, Error>, _ receiver: (Stage<U, Error>) -> (Value) -> Void
    ) -> SignalCore<U, Error> {
        // The closures aren't put into variables: those would be released after the call, and retained before.
        attach(stage, through: Sink(value: receiver(stage), termination: stage.ending()))
        return stage
    }
}
