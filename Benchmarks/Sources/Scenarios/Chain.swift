import BenchmarkKit
import Corinth

/// `chain/3`, `chain/12`, `map/10`: one sender, a chain of operators, one observer.
///
/// The filters let every event pass, but the compiler can't know that. So each event goes through each stage.
enum Chain {
    static let entries = [
        ScenarioEntry("chain/3", direct: { _ in ThreeStages() }, library: { _ in ChainCorinth.three() }),
        ScenarioEntry("chain/12", direct: { _ in SixPairs() }, library: { _ in ChainCorinth.twelve() }),
        ScenarioEntry("map/10", direct: { _ in TenMaps() }, library: { _ in ChainCorinth.maps() }),
    ]

    /// 6 × (map, filter) on `source`.
    @inline(__always)
    static func sixPairs(on source: Signal<Int, Never>) -> Signal<Int, Never> {
        // In steps: `map` has overloads, and the compiler can't type-check longer expressions in time.
        let first = source.map { $0 &+ 1 }.filter { $0 > 0 }
        let second = first.map { $0 &+ 2 }.filter { $0 > 1 }
        let third = second.map { $0 &+ 3 }.filter { $0 > 2 }
        let fourth = third.map { $0 &+ 4 }.filter { $0 > 3 }
        let fifth = fourth.map { $0 &+ 5 }.filter { $0 > 4 }
        return fifth.map { $0 &+ 6 }.filter { $0 > 5 }
    }

    /// The sum that ``sixPairs(on:)`` adds to a value.
    static let sixPairsOffset = 21
}

private final class ChainCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let tally = Tally()
    private let factor: Int
    private let offset: Int
    private var expected = Expectation()

    private init(
        factor: Int = 1,
        offset: Int,
        _ derive: (Signal<Int, Never>) -> Signal<Int, Never>
    ) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        self.factor = factor
        self.offset = offset
        derive(output).observeValues { [tally] in tally.add($0) }
    }

    static func three() -> ChainCorinth {
        ChainCorinth(factor: 3, offset: 3) { source in
            source.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &* 3 }
        }
    }

    static func twelve() -> ChainCorinth {
        ChainCorinth(offset: Chain.sixPairsOffset) { Chain.sixPairs(on: $0) }
    }

    static func maps() -> ChainCorinth {
        ChainCorinth(offset: 55) { source in
            let third = source.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }
            let sixth = third.map { $0 &+ 4 }.map { $0 &+ 5 }.map { $0 &+ 6 }
            return sixth.map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }
        }
    }

    func run(events: Int) {
        let input = input
        for value in 0..<events { input.send(value: value) }
        expected.add(valuesBelow: events, factor: factor, offset: offset)
    }

    func verify() throws {
        try expected.verify(tally)
    }

    func tearDown() {
        input.sendCompleted()
    }
}
