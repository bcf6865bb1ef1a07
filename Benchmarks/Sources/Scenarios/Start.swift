import BenchmarkKit
import Corinth

/// `start`: starts a stored producer of one value with a map.
enum Start {
    static let entry = ScenarioEntry(
        "start",
        unit: "ns/start",
        direct: { _ in StartDirect() },
        library: { _ in StartCorinth() })

    static let value = 20
    static let mapped = 21
}

private final class StartCorinth: Scenario {
    private let producer = SignalProducer<Int, Never>(value: Start.value).map { $0 &+ 1 }
    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        for _ in 0..<events {
            producer.startWithValues { [tally] in tally.add($0) }
        }
        expected.add(Start.mapped, times: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}

/// Calls both closures.
private final class StartDirect: Scenario {
    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        let map = opaqueMap { $0 &+ 1 }
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for _ in 0..<events {
            observe(map(Start.value))
        }
        expected.add(Start.mapped, times: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}
