import Corinth
import Foundation

/// A class without annotations. Closures that capture it give no warning, because the closures of Corinth's operators are
/// `@preconcurrency`. On an actor and in a task, the compiler still warns.
final class Tally {
    var count = 0

    func add(_ amount: Int = 1) { count += amount }

    func effects(of producer: SignalProducer<Int, Failure>) -> SignalProducer<Int, Failure> {
        producer
            .on(
                starting: { self.count += 1 }, started: { self.count += 1 }, event: { _ in self.count += 1 },
                failed: { _ in self.count += 1 }, completed: { self.count += 1 }, interrupted: { self.count += 1 },
                terminated: { self.count += 1 }, disposed: { self.count += 1 }, value: { self.count += $0 }
            )
            .on(starting: { self.add() }, value: add)
            .logEvents { _, _, _, _, _ in self.count += 1 }
            .finally { self.count += 1 }
    }

    func values(of producer: SignalProducer<Int, Failure>) -> SignalProducer<Int, Failure> {
        producer
            .map { $0 + self.count }
            .filter { $0 > self.count - 100 }
            .compactMap { $0 + self.count }
            .flatMap(.merge) { SignalProducer(value: $0 + self.count) }
            .flatMapError { _ in SignalProducer<Int, Failure>(value: self.count) }
            .mapError { error in
                self.count += 1
                return error
            }
            .scan(0) { $0 + $1 + self.count }
            .scan(into: 0) { $0 += $1 + self.count }
            .reduce(0) { $0 + $1 + self.count }
            .reduce(into: 0) { $0 += $1 + self.count }
            .skipRepeats { $0 == $1 + self.count }
            .uniqueValues { $0 + self.count }
            .take(while: { $0 > self.count - 1000 })
            .skip(while: { $0 > self.count + 1000 })
            .attempt { (_: Int) -> Result<(), Failure> in
                self.count += 1
                return .success(())
            }
            .attemptMap { .success($0 + self.count) }
            .lazyMap(on: ImmediateScheduler()) { $0 + self.count }
    }

    func makers() -> [Any] {
        let property = MutableProperty(1)
        return [
            SignalProducer<Int, Failure> { _, lifetime in lifetime.observeEnded { self.count += 1 } },
            SignalProducer<Int, Failure>.unserialized { _, _ in self.count += 1 },
            SignalProducer<Int, Failure> { self.count },
            SignalProducer<Int, Failure> { Result.success(self.count) },
            SignalProducer<Int, any Error> { () throws -> Int in self.count },
            property.map { $0 + self.count },
            property.filter(initial: 0) { $0 > self.count },
            property.flatMap(.latest) { Property(value: $0 + self.count) },
            property.skipRepeats { $0 == $1 + self.count },
            ValidatingProperty<Int, LoginError>(0) { _ in self.count > 0 ? .valid : .invalid(.tooShort) },
            Action<Int, Int, Failure> { SignalProducer(value: $0 + self.count) },
            Action<Int, Int, Failure>(enabledIf: property.map { $0 > 0 }) { _ in SignalProducer(value: self.count) },
            AnyDisposable { self.count += 1 },
            AnyDisposable(end),
        ]
    }

    func end() {}
}

func captures() {
    let tally = Tally()
    let numbers = SignalProducer<Int, Failure>([1, 2])
    tally.effects(of: numbers).start()
    precondition(tally.count > 10)
    precondition(tally.values(of: numbers).single() != nil)
    precondition(!tally.makers().isEmpty)
}
