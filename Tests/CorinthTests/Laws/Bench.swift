import Corinth
import CorinthTesting

typealias Stream = Signal<Item, TestError>
typealias StreamProducer = SignalProducer<Item, TestError>

/// What an operator is put together from: the other sources, a scheduler, and closures that are counted and can be found
/// when they leak.
struct Bench: Sendable {
    let signals: [Stream]
    let producers: [StreamProducer]
    let scheduler: TestScheduler
    let lifetime: Lifetime
    let live: Live

    /// How often closures of the operator were called.
    let calls: Counter

    /// A closure of one argument, to be given to an operator.
    func hook<A, R>(_ body: @escaping @Sendable (A) -> R) -> @Sendable (A) -> R {
        let (token, calls) = (live.token(), calls)
        return { argument in
            token.touch()
            calls.increment()
            return body(argument)
        }
    }

    /// A closure of two arguments.
    func hook<A, B, R>(_ body: @escaping @Sendable (A, B) -> R) -> @Sendable (A, B) -> R {
        let (token, calls) = (live.token(), calls)
        return { first, second in
            token.touch()
            calls.increment()
            return body(first, second)
        }
    }

    /// A closure that changes its first argument.
    func hook<A, B, R>(changing body: @escaping @Sendable (inout A, B) -> R) -> @Sendable (inout A, B) -> R {
        let (token, calls) = (live.token(), calls)
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
        let (token, calls) = (live.token(), calls)
        return { argument in
            token.touch()
            calls.increment()
            return try body(argument)
        }
    }

    /// A closure without arguments. It isn't counted.
    func hook(_ body: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
        let token = live.token()
        return {
            token.touch()
            body()
        }
    }

    /// Another source, as what has a producer.
    func convertible(_ index: Int) -> Convertible<Item, TestError> { Convertible(producer: producers[index]) }

    /// Another source as what fires a trigger: it doesn't fail, and carries nothing.
    func trigger(_ index: Int) -> Signal<(), Never> { signals[index].infallible { _ in } }

    func trigger(_ index: Int) -> SignalProducer<(), Never> { producers[index].infallible { _ in } }

    /// Another source that doesn't fail.
    func infallible(_ index: Int) -> Signal<Item, Never> { signals[index].infallible { $0 } }

    func infallible(_ index: Int) -> SignalProducer<Item, Never> { producers[index].infallible { $0 } }
}

/// What is neither a signal nor a producer, for operators that take whatever has a producer.
struct Convertible<Value, Error: Swift.Error>: SignalProducerConvertible {
    let producer: SignalProducer<Value, Error>
}

// Made without the operators that are tested.
extension Signal where Error == TestError {
    /// This, with its failure as a completion.
    func infallible<U: Sendable>(_ transform: @escaping @Sendable (Value) -> U) -> Signal<U, Never> {
        Signal<U, Never> { observer, lifetime in
            lifetime += observe { observer.send($0.infallible(transform)) }
        }
    }
}

extension SignalProducer where Error == TestError {
    /// This, with its failure as a completion.
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
