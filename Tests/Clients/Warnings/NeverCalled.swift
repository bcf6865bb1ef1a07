import Corinth

// Calls that give a warning, next to similar calls that give none.

struct Failure: Error {}

func signals(_ numbers: Signal<Int, Never>, _ fallible: Signal<Int, Failure>) {
    numbers.observeFailed { _ in }  // warning: signal can't fail
    numbers.map { $0 + 1 }.observeFailed { error in print(error) }  // warning: signal can't fail

    numbers.observeResult { _ in }
    numbers.observeValues { _ in }
    numbers.promoteError(Failure.self).observeFailed { _ in }
    fallible.observeFailed { _ in }
    fallible.map { $0 + 1 }.mapError { $0 }.observeFailed { _ in }
    fallible.observeResult { _ in }
}

func producers(_ numbers: SignalProducer<Int, Never>, _ fallible: SignalProducer<Int, Failure>) {
    numbers.startWithFailed { _ in }  // warning: producer can't fail
    numbers.map { $0 + 1 }.startWithFailed { error in print(error) }  // warning: producer can't fail

    numbers.startWithResult { _ in }
    numbers.startWithValues { _ in }
    numbers.promoteError(Failure.self).startWithFailed { _ in }
    fallible.startWithFailed { _ in }
    fallible.map { $0 + 1 }.mapError { $0 }.startWithFailed { _ in }
    fallible.startWithResult { _ in }
}

/// Code that is generic over the error type gives no warning, even if it is used with streams that can't fail.
func generic<Value, Failure>(_ signal: Signal<Value, Failure>, _ producer: SignalProducer<Value, Failure>) {
    signal.observeFailed { _ in }
    producer.startWithFailed { _ in }
}
