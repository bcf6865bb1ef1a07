import Corinth
import CorinthTesting

typealias Stream = Signal<Item, TestError>
typealias StreamProducer = SignalProducer<Item, TestError>

/// The arguments for an operator under test: the other sources, a scheduler, and closures. Calls of the closures are counted,
/// and a leaked closure is detected.
struct HarnessInputs: Sendable {
    let signals: [Stream]
    let producers: [StreamProducer]
    let scheduler: TestScheduler
    let lifetime: Lifetime
    let leaks: LeakCounter

    /// How many times the operator's closures were called.
    let calls: Counter

    /// A closure with one argument, for an operator.
    func hook<A, R>(_ body: @escaping @Sendable (A) -> R) -> @Sendable (A) -> R {
        let (token, calls) = (leaks.token(), calls)
        return { argument in
            token.touch()
            calls.increment()
            return body(argument)
        }
    }

    /// A closure with two arguments.
    func hook<A, B, R>(_ body: @escaping @Sendable (A, B) -> R) -> @Sendable (A, B) -> R {
        let (token, calls) = (leaks.token(), calls)
        return { first, second in
            token.touch()
            calls.increment()
            return body(first, second)
        }
    }

    /// A closure that changes its first argument.
    func hook<A, B, R>(changing body: @escaping @Sendable (inout A, B) -> R) -> @Sendable (inout A, B) -> R {
        let (token, calls) = (leaks.token(), calls)
        return { first, second in
            token.touch()
            calls.increment()
            return body(&first, second)
        }
    }

    /// A closure that may throw.
    func hook<A, R>(
        throwing body: @escaping @Sendable (A) throws -> R
    ) -> @Sendable (A) throws -> R {
        let (token, calls) = (leaks.token(), calls)
        return { argument in
            token.touch()
            calls.increment()
            return try body(argument)
        }
    }

    /// A closure without arguments. Its calls aren't counted.
    func hook(_ body: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
        let token = leaks.token()
        return {
            token.touch()
            body()
        }
    }

    /// Another source, as a type that converts to a producer.
    func convertible(_ index: Int) -> Convertible<Item, TestError> { Convertible(producer: producers[index]) }

    /// Another source as a trigger: it can't fail, and its values are empty.
    func trigger(_ index: Int) -> Signal<(), Never> { signals[index].infallible { _ in } }

    func trigger(_ index: Int) -> SignalProducer<(), Never> { producers[index].infallible { _ in } }

    /// Another source, made unable to fail.
    func infallible(_ index: Int) -> Signal<Item, Never> { signals[index].infallible { $0 } }

    func infallible(_ index: Int) -> SignalProducer<Item, Never> { producers[index].infallible { $0 } }
}

/// Neither a signal nor a producer: for operators that accept any `SignalProducerConvertible`.
struct Convertible<Value, Error: Swift.Error>: SignalProducerConvertible {
    let producer: SignalProducer<Value, Error>
}

// These don't use the operators under test.
extension Signal where Error == TestError {
    /// Turns a failure into a completion.
    func infallible<U: Sendable>(_ transform: @escaping @Sendable (Value) -> U) -> Signal<U, Never> {
        Signal<U, Never> { observer, lifetime in
            lifetime += observe { observer.send($0.infallible(transform)) }
        }
    }
}

extension SignalProducer where Error == TestError {
    /// Turns a failure into a completion.
    func infallible<U: Sendable>(_ transform: @escaping @Sendable (Value) -> U) -> SignalProducer<U, Never> {
        SignalProducer<U, Never> { observer, lifetime in
            lifetime += start { observer.send($0.infallible(transform)) }
        }
    }
}

extension Signal.Event {
    fileprivate func infallible<U: Sendable>(_ transform: (Value) -> U) -> Signal<U, Never>.Event {
        switch self {
        case .value(let value): .value(transform(value))
        case .failed, .completed: .completed
        case .interrupted: .interrupted
        }
    }
}
