/// Binds less tightly than all operators except assignment.
precedencegroup BindingPrecedence {
    associativity: right
    higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// A type that can be bound to a target: a stream that can't fail, or a property.
public protocol BindingSource<Value>: SignalProducerConvertible where Error == Never {}

extension Signal: BindingSource where Error == Never {}

extension SignalProducer: BindingSource where Error == Never {}

extension BindingTargetProvider {
    /// Sends every value of a source to a target, until either ends or the binding is disposed of (law
    /// [B1](doc:Contracts#B1-Until-one-of-them-ends)).
    ///
    /// ```swift
    /// label <~ name.producer.map { "Hello, \($0)!" }
    /// ```
    ///
    /// The source is started at once, and disposed of when the target ends. The target isn't kept.
    ///
    /// - Returns: A disposable that ends the binding.
    /// ## Concurrency
    /// Properties may be bound in circles: they neither deadlock nor nest (law [R4](doc:Contracts#R4-No-deadlock-no-nesting)), and
    /// each assignment reaches each of them once (law [B2](doc:Contracts#B2-The-last-assignment-wins)).
    @inlinable
    @discardableResult
    public static func <~ <Source: BindingSource>(provider: Self, source: Source) -> (any Disposable)?
    where Source.Value == Value {
        let target = provider.bindingTarget
        return source.producer.start(into: assigning(target.action, from: source), during: target.lifetime)
    }

    /// Sends every value of a source to a target of optional values. See ``<~(_:_:)``.
    @inlinable
    @discardableResult
    public static func <~ <Source: BindingSource>(provider: Self, source: Source) -> (any Disposable)?
    where Value == Source.Value? {
        let target = provider.bindingTarget
        return source.producer.start(into: assigning({ target.action($0) }, from: source), during: target.lifetime)
    }
}

/// What a program sends to a signal is an assignment of its own, also inside the delivery of a bound property's change.
@inlinable
func assigning<Source: BindingSource>(
    _ action: @escaping (Source.Value) -> Void, from source: Source
) -> (Source.Value) -> Void {
    guard let signal = source as? Signal<Source.Value, Never>, signal.core.isOfProgram else { return action }
    return { value in ThreadState.current.during(.none) { action(value) } }
}

extension SignalState {
    /// Whether a program sends the events of this signal, or those of the signal from which it derives. False for that of a
    /// property, and for one that joins others.
    @usableFromInline
    final var isOfProgram: Bool {
        let root = root
        return root.resources == nil && !root.isOfProperty
    }
}

extension Signal.Observer {
    /// Sends every value of a source to an observer. The observer isn't kept. The source's termination is not sent.
    ///
    /// - Returns: A disposable that ends the binding.
    @inlinable
    @discardableResult
    public static func <~ <Source: BindingSource>(
        observer: Signal<Value, Error>.Observer, source: Source
    ) -> (any Disposable)? where Source.Value == Value {
        source.producer.start(
            into: Sink(value: { [weak observer] in observer?.send(value: $0) }, termination: { _ in }))
    }
}

extension SignalProducer where Error == Never {
    /// Starts this producer, and passes its values to `action` until a lifetime ends.
    @inlinable
    func start(into action: @escaping (Value) -> Void, during lifetime: Lifetime) -> ProducerRun {
        let run = ProducerRun()
        let ending = (lifetime += run)
        if run.isDisposed { return run }
        let outside = Trampoline.stepOutside()
        ThreadState.current.during(.starting) {
            begin(
                Sink(
                    value: action,
                    termination: { _ in
                        run.dispose()
                        ending?.dispose()
                    }),
                run)
        }
        Trampoline.goBack(outside)
        return run
    }
}
