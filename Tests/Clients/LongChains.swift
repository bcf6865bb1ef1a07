import Corinth

// Long chains of closures without type annotations. The compiler must type-check each of them in a few seconds. With one
// overload too many on one of these operators, each further operator doubles the time.

struct Failure: Error {
    let count: Int
    var next: Failure { Failure(count: count + 1) }
}
struct Place { let name: String }

func signals(_ numbers: Signal<Int, Never>) {
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .observeValues { print($0) }
    numbers
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .observeValues { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .observeValues { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .reduce(0, +)
        .observeValues { print($0) }
}

func failingSignals(_ numbers: Signal<Int, Failure>) {
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .observeResult { print($0) }
    numbers
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .observeResult { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .observeResult { print($0) }
    numbers
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .observeResult { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .reduce(0, +)
        .observeResult { print($0) }
}

func producers(_ numbers: SignalProducer<Int, Never>) {
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .startWithValues { print($0) }
    numbers
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .startWithValues { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .startWithValues { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .reduce(0, +)
        .startWithValues { print($0) }
}

func failingProducers(_ numbers: SignalProducer<Int, Failure>) {
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .startWithResult { print($0) }
    numbers
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { SignalProducer(value: $0) }
        .startWithResult { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .map { $0 + 1 }.filter { $0 % 2 != 0 }.scan(0, +).skipRepeats()
        .startWithResult { print($0) }
    numbers
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .map { $0 + 1 }.mapError { $0.next }.flatMapError { SignalProducer(error: $0) }
        .startWithResult { print($0) }
    numbers
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .map { $0 + 1 }.filter { $0 % 2 != 0 }
        .reduce(0, +)
        .startWithResult { print($0) }
}

func properties(_ numbers: Property<Int>) {
    _ =
        numbers
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
        .map { $0 + 1 }.filter(initial: 0) { $0 % 2 != 0 }
    _ =
        numbers
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
        .map { $0 + 1 }.flatMap(.merge) { Property(value: $0) }
}

/// Both ways to name a part of a value by key path.
func keyPaths(
    _ signal: Signal<Place, Never>, _ producer: SignalProducer<Place, Never>, _ property: Property<Place>,
    _ path: any KeyPath<Place, String> & Sendable
) {
    let _: Signal<String, Never> = signal.map(\.name)
    let _: SignalProducer<String, Never> = producer.map(\.name)
    let _: Property<String> = property.map(\.name)
    let _: Signal<String, Never> = signal.map(path)
    let _: SignalProducer<String, Never> = producer.map(path)
    let _: Property<String> = property.map(path)
    let lengths = signal.map(\.name.count).map(\.description).map { $0 + "!" }
    lengths.observeValues { print($0) }
}
