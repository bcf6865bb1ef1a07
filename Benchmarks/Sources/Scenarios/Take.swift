import BenchmarkKit
import Corinth

/// `take/1`: observes the first value of a signal, and sends it.
enum Take {
    static let entry = ScenarioEntry(
        "take/1",
        unit: "ns/observer",
        direct: { _ in TakeDirect() },
        library: { _ in TakeCorinth() })
}

private final class TakeCorinth: Scenario {
    private let output: Signal<Int, Never>
    private let input: Signal<Int, Never>.Observer
    private let tally = Tally()
    private var expected = Expectation()

    init() { (output, input) = Signal<Int, Never>.pipe() }

    func run(events: Int) {
        for value in 0..<events {
            output.take(first: 1).observeValues { [tally] in tally.add($0) }
            input.send(value: value)
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
        // All of them have ended.
        input.send(value: 7)
        try expected.verify(tally)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// Appends a boxed closure to a plain array, calls it, and removes it.
private final class TakeDirect: Scenario {
    private var observers: [ObserverBox] = []
    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        for value in 0..<events {
            observers.append(opaque(ObserverBox { [tally] in tally.add($0) }))
            for observer in observers { observer.body(value) }
            observers.removeLast()
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}
