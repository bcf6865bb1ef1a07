import BenchmarkKit
import Corinth

/// `pipe/N`: one sender, N observers.
enum Pipe {
    static func entry(observers: Int) -> ScenarioEntry {
        ScenarioEntry(
            "pipe/\(observers)",
            direct: { _ in PipeDirect(observers: observers) },
            library: { _ in PipeCorinth(observers: observers) })
    }
}

private final class PipeCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let tallies: [Tally]
    private var expected = Expectation()

    init(observers: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        tallies = (0..<observers).map { _ in
            let tally = Tally()
            output.observeValues { tally.add($0) }
            return tally
        }
    }

    func run(events: Int) {
        let input = input
        for value in 0..<events { input.send(value: value) }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        for tally in tallies { try expected.verify(tally) }
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// The same closures, called one after the other from a list.
private final class PipeDirect: Scenario {
    private let callees: CallList
    private let tallies: [Tally]
    private var expected = Expectation()

    init(observers: Int) {
        let tallies = (0..<observers).map { _ in Tally() }
        self.tallies = tallies
        callees = CallList(tallies.map { tally in ObserverBox { tally.add($0) } })
    }

    func run(events: Int) {
        callees.call(events: events)
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        for tally in tallies { try expected.verify(tally) }
    }
}
