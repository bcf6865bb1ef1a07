import BenchmarkKit
import Corinth

/// `churn/N`: adds and disposes an observer of a signal that has N others.
enum Churn {
    static func entry(present: Int) -> ScenarioEntry {
        ScenarioEntry(
            "churn/\(present)",
            unit: "ns/observer",
            direct: { _ in ChurnDirect(present: present) },
            library: { _ in ChurnCorinth(present: present) })
    }
}

private final class ChurnCorinth: Scenario {
    private let output: Signal<Int, Never>
    private let input: Signal<Int, Never>.Observer
    private let staying: [Tally]
    private let passing = Tally()
    private var expected = Expectation()

    init(present: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.output = output
        self.input = input
        staying = (0..<present).map { _ in
            let tally = Tally()
            output.observeValues { tally.add($0) }
            return tally
        }
    }

    func run(events: Int) {
        for _ in 0..<events {
            output.observeValues { [passing] in passing.add($0) }?.dispose()
        }
    }

    func verify() throws {
        input.send(value: 7)
        expected.add(7)
        for tally in staying { try expected.verify(tally, "an observer that stays") }
        try Expectation().verify(passing, "the disposed observers")
        // A new observer receives values.
        let again = Tally()
        let disposable = output.observeValues { again.add($0) }
        input.send(value: 8)
        expected.add(8)
        disposable?.dispose()
        try CheckFailure.unless("the value that reached a new observer", is: 8, got: again.sum)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// Appends a boxed closure to a plain array and removes it.
private final class ChurnDirect: Scenario {
    private var observers: [ObserverBox]
    private let staying: [Tally]
    private let passing = Tally()
    private var expected = Expectation()

    init(present: Int) {
        let staying = (0..<present).map { _ in Tally() }
        self.staying = staying
        observers = staying.map { tally in ObserverBox { tally.add($0) } }
    }

    func run(events: Int) {
        for _ in 0..<events {
            observers.append(opaque(ObserverBox { [passing] in passing.add($0) }))
            observers.removeLast()
        }
    }

    func verify() throws {
        for observer in observers { observer.body(7) }
        expected.add(7)
        for tally in staying { try expected.verify(tally, "an observer that stays") }
        try Expectation().verify(passing, "the disposed observers")
    }
}
