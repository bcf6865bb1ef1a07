import BenchmarkKit
import Corinth

/// `shared/1`: sends a value through a shared start that keeps the last value for later starts, to one observer.
enum Shared {
    static let entry = ScenarioEntry(
        "shared/1",
        unit: "ns/event",
        direct: { _ in SharedDirect() },
        library: { _ in SharedCorinth() })
}

private final class SharedCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let shared: SignalProducer<Int, Never>
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        shared = SignalProducer(output).replayLazily(upTo: 1)
        shared.startWithValues { [tally] in tally.add($0) }
    }

    func run(events: Int) {
        let input = input
        for value in 0..<events { input.send(value: value) }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
        // A later start receives the last value.
        input.send(value: 7)
        expected.add(7)
        let later = Tally()
        shared.startWithValues { later.add($0) }.dispose()
        try CheckFailure.unless("the value that reached a later start", is: 7, got: later.sum)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// Stores each value in a variable and calls the observer.
private final class SharedDirect: Scenario {
    private var last = 0
    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for value in 0..<events {
            last = opaque(value)
            observe(value)
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}
