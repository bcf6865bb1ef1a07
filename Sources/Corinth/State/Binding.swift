/// Looser than everything but assignment.
precedencegroup BindingPrecedence {
    associativity: right
    higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// What can be bound to a target: a stream that can't fail, or a property.
public protocol BindingSource<Value>: SignalProducerConvertible where Error == Never {}

extension Signal: BindingSource where Error == Never {}

extension SignalProducer: BindingSource where Error == Never {}

extension BindingTargetProvider {
    /// Sends every value of a source to a target, until one of them ends or the binding is disposed of (law B1).
    ///
    /// ```swift
    /// label <~ name.producer.map { "Hello, \($0)!" }
    /// ```
    ///
    /// The source is started at once, and cancelled when the target ends. The target isn't kept.
    ///
    /// - Returns: A disposable that ends the binding.
    /// ## Concurrency
    /// Two properties that are bound to each other neither deadlock nor nest (law R4). But each change goes round and
    /// round between them unless one of the sources is `skipRepeats()`.
    @inlinable
    @discardableResult
    public static func <~ <Source: BindingSource>(provider: Self, source: Source) -> (any Disposable)?
    where Source.Value == Value {
        let target = provider.bindingTarget
        return source.producer.start(into: target.action, during: target.lifetime)
    }

    /// Sends every value of a source to a target of optional values. See ``<~(_:_:)``.
    @inlinable
    @discardableResult
    public static func <~ <Source: BindingSource>(provider: Self, source: Source) -> (any Disposable)?
    where Value == Source.Value? {
        let target = provider.bindingTarget
        return source.producer.start(into: { target.action($0) }, during: target.lifetime)
    }
}

extension Signal.Observer {
    /// Sends every value of a source to an observer, which isn't kept. How the source ends is not sent.
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
    /// Starts, and gives values to `action` until a lifetime ends.
    @inlinable
    func start(into action: @escaping (Value) -> Void, during lifetime: Lifetime) -> ProducerRun {
        let run = ProducerRun()
        let ending = (lifetime += run)
        if run.isDisposed { return run }
        let outside = Trampoline.stepOutside()
        recipe(
            Sink(
                value: action,
                termination: { _ in
                    run.dispose()
                    ending?.dispose()
                }),
            run)
        unsafe Trampoline.goBack(outside)
        return run
    }
}
