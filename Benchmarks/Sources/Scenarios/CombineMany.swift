import BenchmarkKit
import Corinth

/// `combineLatest/20000`: combines 20,000 pipes, sends a value to each, and completes each.
enum CombineMany {
    static let entry = ScenarioEntry(
        "combineLatest/20000",
        unit: "ns/round",
        sampleMilliseconds: 40,
        countedEvents: 1,
        direct: { _ in CombineManyDirect() },
        library: { _ in CombineManyCorinth() })

    static let sources = 20_000
}

private final class CombineManyCorinth: Scenario {
    private let tally = Tally()
    private let ends = Tally()
    private var rounds = 0

    func run(events: Int) {
        for _ in 0..<events {
            let pipes = (0..<CombineMany.sources).map { _ in Signal<Int, Never>.pipe() }
            Signal.combineLatest(pipes.map { $0.output }).observe { [tally, ends] event in
                switch event {
                case .value(let values): tally.add(values.count)
                case .completed: ends.add(1)
                default: break
                }
            }
            // The last value gives the only combination.
            for pipe in pipes { pipe.input.send(value: 1) }
            for pipe in pipes { pipe.input.sendCompleted() }
        }
        rounds += events
    }

    func verify() throws {
        try CheckFailure.unless("combinations", is: rounds, got: tally.count)
        try CheckFailure.unless("values in all of them", is: rounds * CombineMany.sources, got: tally.sum)
        try CheckFailure.unless("completions", is: rounds, got: ends.count)
    }
}

/// Writes as many boxed variables one by one and copies the array once.
private final class CombineManyDirect: Scenario {
    private final class Box { var value = 0 }

    private let tally = Tally()
    private var rounds = 0

    func run(events: Int) {
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for _ in 0..<events {
            let boxes = (0..<CombineMany.sources).map { _ in Box() }
            for box in opaque(boxes) { box.value = 1 }
            observe(opaque(boxes.map { $0.value }).count)
        }
        rounds += events
    }

    func verify() throws {
        try CheckFailure.unless("values in all combinations", is: rounds * CombineMany.sources, got: tally.sum)
    }
}
