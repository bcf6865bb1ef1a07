import BenchmarkKit
import Corinth

/// `chain/12/lazy`, `chain/12/lazy/captures`, `create/chain/12/lazy`: the chain of `chain/12` as one stage.
///
/// In a file of its own: the optimiser merges equal closures of a file, and one of them is then a jump to the other.
enum LazyChain {
    static let entries = [
        ScenarioEntry("chain/12/lazy", direct: { _ in SixPairs() }, library: { _ in LazyChainCorinth() }),
        ScenarioEntry(
            "chain/12/lazy/captures", direct: { _ in SixPairs() },
            library: { _ in LazyChainCorinth(capturing: opaque(1)) }),
    ]

    static let creation = ScenarioEntry(
        "create/chain/12/lazy",
        unit: "ns/chain",
        direct: { _ in CreationDirect() },
        library: { _ in LazyCreationCorinth() })

    @inline(__always)
    static func sixPairs(on source: Signal<Int, Never>) -> LazySignal<some LazyStages<Int, Never>> {
        // In steps, as in `Chain`.
        let first = source.lazy.map { $0 &+ 1 }.filter { $0 > 0 }
        let second = first.map { $0 &+ 2 }.filter { $0 > 1 }
        let third = second.map { $0 &+ 3 }.filter { $0 > 2 }
        let fourth = third.map { $0 &+ 4 }.filter { $0 > 3 }
        let fifth = fourth.map { $0 &+ 5 }.filter { $0 > 4 }
        return fifth.map { $0 &+ 6 }.filter { $0 > 5 }
    }

    /// The same with closures that capture the number 1, so that each of them is called.
    @inline(__always)
    static func sixPairs(on source: Signal<Int, Never>, _ one: Int) -> LazySignal<some LazyStages<Int, Never>> {
        let first = source.lazy.map { $0 &+ one }.filter { $0 > one &- 1 }
        let second = first.map { $0 &+ 2 &* one }.filter { $0 > one }
        let third = second.map { $0 &+ 3 &* one }.filter { $0 > one &+ 1 }
        let fourth = third.map { $0 &+ 4 &* one }.filter { $0 > one &+ 2 }
        let fifth = fourth.map { $0 &+ 5 &* one }.filter { $0 > one &+ 3 }
        return fifth.map { $0 &+ 6 &* one }.filter { $0 > one &+ 4 }
    }
}

private final class LazyChainCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        LazyChain.sixPairs(on: output).observeValues { [tally] in tally.add($0) }
    }

    init(capturing one: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        LazyChain.sixPairs(on: output, one).observeValues { [tally] in tally.add($0) }
    }

    func run(events: Int) {
        let input = input
        for value in 0..<events { input.send(value: value) }
        expected.add(valuesBelow: events, factor: 1, offset: Chain.sixPairsOffset)
    }

    func verify() throws {
        try expected.verify(tally)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

private final class LazyCreationCorinth: Scenario {
    private let output: Signal<Int, Never>
    private let input: Signal<Int, Never>.Observer
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        (output, input) = Signal<Int, Never>.pipe()
    }

    func run(events: Int) {
        for _ in 0..<events {
            LazyChain.sixPairs(on: output).observeValues { [tally] in tally.add($0) }?.dispose()
        }
    }

    func verify() throws {
        // A disposed chain receives nothing. Another one receives the value once.
        let disposable = LazyChain.sixPairs(on: output).observeValues { [tally] in tally.add($0) }
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
