import BenchmarkKit
import Corinth

/// `create/chain/12`: builds 6 × (map, filter) on a pipe, observes it, and disposes the observation.
enum Creation {
    static let entry = ScenarioEntry(
        "create/chain/12",
        unit: "ns/chain",
        direct: { _ in CreationDirect() },
        library: { _ in CreationCorinth() })
}

private final class CreationCorinth: Scenario {
    private let output: Signal<Int, Never>
    private let input: Signal<Int, Never>.Observer
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        (output, input) = Signal<Int, Never>.pipe()
    }

    func run(events: Int) {
        for _ in 0..<events {
            Chain.sixPairs(on: output).observeValues { [tally] in tally.add($0) }?.dispose()
        }
    }

    func verify() throws {
        // A disposed chain receives nothing. Another one receives the value once.
        let disposable = Chain.sixPairs(on: output).observeValues { [tally] in tally.add($0) }
        input.send(value: 1)
        expected.add(1 + Chain.sixPairsOffset)
        disposable?.dispose()
        input.send(value: 1)
        try expected.verify(tally, "the observed chain")
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// The same closures composed by hand: each stage is a closure that holds the next one. Then they are released.
final class CreationDirect: Scenario {
    private typealias Sink = (Int) -> Void

    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        for _ in 0..<events { _ = build() }
    }

    func verify() throws {
        build()(1)
        expected.add(1 + Chain.sixPairsOffset)
        try expected.verify(tally, "the end of the chain")
    }

    // Not inlined, like the next one, so that the closures are allocated as in stages that are composed at run time.
    @inline(never)
    private func build() -> Sink {
        var sink: Sink = { [tally] in tally.add($0) }
        sink = pair({ $0 &+ 6 }, { $0 > 5 }, sink)
        sink = pair({ $0 &+ 5 }, { $0 > 4 }, sink)
        sink = pair({ $0 &+ 4 }, { $0 > 3 }, sink)
        sink = pair({ $0 &+ 3 }, { $0 > 2 }, sink)
        sink = pair({ $0 &+ 2 }, { $0 > 1 }, sink)
        return pair({ $0 &+ 1 }, { $0 > 0 }, sink)
    }

    @inline(never)
    private func pair(
        _ map: @escaping (Int) -> Int,
        _ passes: @escaping (Int) -> Bool,
        _ next: @escaping Sink
    ) -> Sink {
        let filter: Sink = { if passes($0) { next($0) } }
        return { filter(map($0)) }
    }
}
