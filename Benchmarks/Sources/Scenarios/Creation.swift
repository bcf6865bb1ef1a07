import BenchmarkKit
import Corinth

/// `create/chain/12`: builds 6 × (map, filter) on a pipe, observes it, and disposes the observation. `create/chain/12/lazy`: the same
/// as one stage.
enum Creation {
    static let entries = [
        ScenarioEntry(
            "create/chain/12",
            unit: "ns/chain",
            direct: { _ in CreationDirect() },
            library: { _ in CreationCorinth(isLazy: false) }),
        ScenarioEntry(
            "create/chain/12/lazy",
            unit: "ns/chain",
            direct: { _ in CreationDirect() },
            library: { _ in CreationCorinth(isLazy: true) }),
    ]
}

private final class CreationCorinth: Scenario {
    private let output: Signal<Int, Never>
    private let input: Signal<Int, Never>.Observer
    private let isLazy: Bool
    private let tally = Tally()
    private var expected = Expectation()

    init(isLazy: Bool) {
        (output, input) = Signal<Int, Never>.pipe()
        self.isLazy = isLazy
    }

    func run(events: Int) {
        if isLazy {
            for _ in 0..<events { observeLazily()?.dispose() }
        } else {
            for _ in 0..<events { observe()?.dispose() }
        }
    }

    @inline(__always)
    private func observe() -> (any Disposable)? {
        Chain.sixPairs(on: output).observeValues { [tally] in tally.add($0) }
    }

    @inline(__always)
    private func observeLazily() -> (any Disposable)? {
        Chain.lazySixPairs(on: output).observeValues { [tally] in tally.add($0) }
    }

    func verify() throws {
        // A disposed chain receives nothing. Another one receives the value once.
        let disposable = isLazy ? observeLazily() : observe()
        input.send(value: 1)
        expected.add(1 + (isLazy ? Chain.lazySixPairsOffset : Chain.sixPairsOffset))
        disposable?.dispose()
        input.send(value: 1)
        try expected.verify(tally, "the observed chain")
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// The same closures composed by hand: each stage is a closure that holds the next one. Then they are released.
private final class CreationDirect: Scenario {
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
