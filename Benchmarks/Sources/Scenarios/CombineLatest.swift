import BenchmarkKit
import Corinth

/// `combineLatest/2`: sends an event to one of two combined pipes, alternately.
enum CombineLatest {
    static let entry = ScenarioEntry(
        "combineLatest/2",
        direct: { _ in CombineLatestDirect() },
        library: { _ in CombineLatestCorinth() })
}

/// The values that the observer should have received.
private struct Sums {
    private var expected = Expectation()
    private var lastRight = 0

    /// Adds the values from 0 to `events` - 1, of which the left pipe gets the even ones.
    ///
    /// Each value is combined with the one before it, and the first one with the last value on the right. The sums 1, 3, 5, …
    /// add up to a square.
    mutating func add(valuesBelow events: Int) {
        expected.add(count: events, sum: lastRight &+ (events - 1) &* (events - 1))
        lastRight = events - 1
    }

    /// Adds one value.
    mutating func add(_ value: Int) {
        expected.add(value)
    }

    func verify(_ tally: Tally) throws {
        try expected.verify(tally)
    }
}

private final class CombineLatestCorinth: Scenario {
    private let left: Signal<Int, Never>.Observer
    private let right: Signal<Int, Never>.Observer
    private let tally = Tally()
    private var expected = Sums()

    init() {
        let (leftOutput, left) = Signal<Int, Never>.pipe()
        let (rightOutput, right) = Signal<Int, Never>.pipe()
        self.left = left
        self.right = right
        Signal.combineLatest(leftOutput, rightOutput).observeValues { [tally] pair in
            tally.add(pair.0 &+ pair.1)
        }
        // There is no combination until both have a value.
        left.send(value: 0)
        right.send(value: 0)
        expected.add(0)
    }

    var granularity: Int { 2 }

    func run(events: Int) {
        let (left, right) = (left, right)
        for value in stride(from: 0, to: events, by: 2) {
            left.send(value: value)
            right.send(value: value + 1)
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }

    func tearDown() {
        left.sendCompleted()
        right.sendCompleted()
    }
}

/// Sets one of two variables and calls the observer.
private final class CombineLatestDirect: Scenario {
    private let tally = Tally()
    private var latest = (0, 0)
    private var expected = Sums()

    var granularity: Int { 2 }

    func run(events: Int) {
        let observe = opaque(PairBox { [tally] in tally.add($0 &+ $1) }).body
        for value in stride(from: 0, to: events, by: 2) {
            latest.0 = value
            observe(latest.0, latest.1)
            latest.1 = value + 1
            observe(latest.0, latest.1)
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}

/// An observer of two values that can't be inlined: see ``opaqueObserver(_:)``.
private final class PairBox {
    let body: (Int, Int) -> Void

    init(_ body: @escaping (Int, Int) -> Void) {
        self.body = body
    }
}
