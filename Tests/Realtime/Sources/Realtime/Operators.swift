import CRealtime
import Corinth
import CorinthTesting
import Foundation

/// A use of an operator in the laws' registry, between pipes and an observer.
struct OperatorUse {
    let entry: OperatorEntry
    let overload: OperatorEntry.Overload

    /// Every use of every operator, on signals and on producers.
    static let all: [OperatorUse] = OperatorRegistry.all.flatMap { entry in
        entry.overloads.map { OperatorUse(entry: entry, overload: $0) }
    }

    var name: String { "\(entry.testDescription), on a \(overload)" }

    /// Why a value allocates, locks or calls the system, if it does so by design.
    var reason: Reason? { Reason.all.first { $0.covers(self) } }

    /// What happened while nothing may allocate, lock or call the system.
    enum Outcome: Int32, Equatable {
        case values = 10
        case noValue, ended
    }

    /// Sends values while nothing may allocate, lock or call the system. The sanitizer ends the process if something does.
    ///
    /// An operator that ends before the values do is tried again with one value; one that passes nothing on, with other values.
    func run() -> Outcome {
        // Some operators of the registry end with numbers above 5.
        let outcome = run((0..<1_100).map { $0 % 6 }, warmingUp: 100)
        return switch outcome {
        case .values: outcome
        case .noValue: run(Array(8..<1_108), warmingUp: 100)
        case .ended: run([0, 1], warmingUp: 1)
        }
    }

    private func run(_ numbers: [Int], warmingUp: Int) -> Outcome {
        let sources = UseSources(entry, overload)
        for number in numbers.prefix(warmingUp) { sources.send(number) }
        guard !sources.seen.hasEnded else { return .ended }
        let before = sources.seen.values
        let measured = numbers.dropFirst(warmingUp)
        __rtsan_realtime_enter()
        for number in measured { sources.send(number) }
        __rtsan_realtime_exit()
        if sources.seen.hasEnded { return .ended }
        return sources.seen.values > before ? .values : .noValue
    }
}

/// The sources of an operator, and what its observer has seen. One thread uses it.
private final class UseSources {
    let seen = Seen()
    private var main: Stream.Observer
    private var others: [Stream.Observer]
    private let token: Lifetime.Token
    private let scheduler = TestScheduler()
    private let isJoin: Bool

    init(_ entry: OperatorEntry, _ overload: OperatorEntry.Overload) {
        let pipes = (0...entry.others).map { _ in Stream.pipe() }
        let producers = pipes.map { StreamProducer($0.output) }
        let (lifetime, token) = Lifetime.make()
        self.token = token
        main = pipes[0].input
        others = pipes.dropFirst().map(\.input)
        isJoin = !entry.facts.contains(.endsWithOther)
        let inputs = HarnessInputs(
            signals: pipes.dropFirst().map(\.output), producers: Array(producers.dropFirst()), scheduler: scheduler,
            lifetime: lifetime, leaks: LeakCounter(), calls: Counter())
        let seen = seen
        switch overload {
        case .signal: entry.signal?(pipes[0].output, inputs).observe { seen.receive($0) }
        case .producer: entry.producer?(producers[0], inputs).start { seen.receive($0) }
        }
        if entry.facts.contains(.startsLater) { scheduler.advance(by: .seconds(1)) }
        if entry.facts.contains([.waitsForOther, .endsWithOther]) {
            for other in others { other.sendCompleted() }
        }
    }

    /// Sends a value to each source, except to those that would end the operator.
    func send(_ number: Int) {
        if isJoin {
            for other in others { other.send(value: Item(number)) }
        }
        main.send(value: Item(number))
    }
}

/// What an observer has seen.
private final class Seen: @unchecked Sendable {  // One thread sends.
    private(set) var values = 0
    private(set) var hasEnded = false

    func receive(_ event: Stream.Event) {
        if case .value = event { values += 1 } else { hasEnded = true }
    }
}

/// Counts the calls of an operator's closures, as the counter of the tests does.
final class Counter: @unchecked Sendable {  // One thread sends.
    private(set) var value = 0

    func increment() { value += 1 }
}
