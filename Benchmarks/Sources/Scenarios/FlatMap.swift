import BenchmarkKit
import Corinth

/// `flatMap/…`: sends a value to a pipe; `flatMap` maps it to a producer of one value. `flatMap/started`: to a producer that
/// makes a value when it is started. `flatMap/sequence`: to a producer of a sequence of one value.
enum FlatMap {
    static let entries = [
        entry("merge", .merge), entry("concat", .concat), entry("latest", .latest),
        ScenarioEntry(
            "flatMap/started",
            direct: { _ in FlatMapDirect() },
            library: { _ in
                FlatMapCorinth { $0.flatMap(.merge) { SignalProducer<Int, Never>(value: $0).map { $0 &+ 1 } } }
            }),
        ScenarioEntry(
            "flatMap/sequence",
            direct: { _ in FlatMapDirect() },
            library: { _ in
                FlatMapCorinth { $0.flatMap(.merge) { SignalProducer<Int, Never>(CollectionOfOne($0 &+ 1)) } }
            }),
    ]

    private static func entry(_ name: String, _ strategy: FlattenStrategy) -> ScenarioEntry {
        ScenarioEntry(
            "flatMap/\(name)",
            direct: { _ in FlatMapDirect() },
            library: { _ in
                FlatMapCorinth { $0.flatMap(strategy) { SignalProducer<Int, Never>(value: $0 &+ 1) } }
            })
    }
}

private final class FlatMapCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let tally = Tally()
    private var expected = Expectation()

    init(_ flatMap: (Signal<Int, Never>) -> Signal<Int, Never>) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        flatMap(output).observeValues { [tally] in tally.add($0) }
    }

    func run(events: Int) {
        let input = input
        for value in 0..<events { input.send(value: value) }
        expected.add(valuesBelow: events, offset: 1)
    }

    func verify() throws {
        try expected.verify(tally)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// Calls both closures.
private final class FlatMapDirect: Scenario {
    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        let map = opaqueMap { $0 &+ 1 }
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for value in 0..<events { observe(map(value)) }
        expected.add(valuesBelow: events, offset: 1)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}
