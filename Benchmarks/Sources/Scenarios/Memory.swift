import BenchmarkKit
import Corinth

/// `memory/*`: makes objects and keeps them. `--mode counts` reports the bytes that each of them takes.
///
/// An event is one object, or one stage of a chain. The direct side is an object that holds one closure.
enum Memory {
    static let entries: [ScenarioEntry] = [
        entry("pipe") { Keeping { _ in Signal<Int, Never>.pipe() } },
        entry("pipe/observed") {
            Keeping { tally in
                let (output, input) = Signal<Int, Never>.pipe()
                return (output, input, output.observeValues { tally.add($0) })
            }
        },
        entry("stage") { KeptStages() },
        entry("property") { Keeping { _ in MutableProperty(1) } },
        entry("start") {
            Keeping { tally in
                // The lifetime keeps the input, as that of a source which is still open does.
                SignalProducer<Int, Never> { input, lifetime in
                    lifetime.observeEnded { withExtendedLifetime(input) {} }
                }
                .map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &* 2 }
                .startWithValues { tally.add($0) }
            }
        },
        entry("action") { Keeping { _ in Action<Int, Int, Never> { SignalProducer(value: $0) } } },
        entry("composite/10") {
            Keeping { tally in
                let composite = CompositeDisposable()
                for _ in 0..<10 { composite.add { tally.add(1) } }
                return composite
            }
        },
    ]

    private static func entry(_ name: String, library: @escaping @Sendable () -> any Scenario) -> ScenarioEntry {
        ScenarioEntry(
            "memory/\(name)",
            unit: "ns/object",
            countedEvents: 1000,
            direct: { _ in Keeping { tally in opaqueObserver { tally.add($0) } } },
            library: { _ in library() })
    }
}

/// Makes objects and keeps them until there are so many that the next run begins anew.
private final class Keeping<Object>: Scenario {
    private let make: (Tally) -> Object
    private let tally = Tally()
    private var objects: [Object] = []
    private var expected = 0

    init(_ make: @escaping (Tally) -> Object) {
        self.make = make
        objects.reserveCapacity(Kept.limit)
    }

    var keepsObjects: Bool { true }

    func run(events: Int) {
        if expected + events > Kept.limit {
            objects.removeAll(keepingCapacity: true)
            expected = 0
        }
        for _ in 0..<events { objects.append(make(tally)) }
        expected += events
    }

    func verify() throws {
        try CheckFailure.unless("objects", is: expected, got: objects.count)
        try CheckFailure.unless("events", is: 0, got: tally.count)
    }
}

/// Makes chains of 100 stages with an observer at the end. Nobody keeps the signals in between.
private final class KeptStages: Scenario {
    private let (output, input) = Signal<Int, Never>.pipe()
    private let tally = Tally()
    private var chains: [(any Disposable)?] = []
    private var expected = 0
    private var sum = 0

    init() { chains.reserveCapacity(Kept.limit / granularity) }

    var granularity: Int { 100 }
    var keepsObjects: Bool { true }

    func run(events: Int) {
        if chains.count + events / granularity > Kept.limit / granularity {
            for chain in chains { chain?.dispose() }
            chains.removeAll(keepingCapacity: true)
        }
        for _ in 0..<(events / granularity) {
            var signal = output
            for _ in 0..<granularity { signal = signal.map { $0 &+ 1 } }
            chains.append(signal.observeValues { [tally] in tally.add($0) })
        }
    }

    func verify() throws {
        input.send(value: 0)
        expected += chains.count
        sum += chains.count * granularity
        try CheckFailure.unless("values", is: expected, got: tally.count)
        try CheckFailure.unless("sum", is: sum, got: tally.sum)
    }

    func tearDown() { input.sendCompleted() }
}

private enum Kept {
    /// How many objects are kept.
    static let limit = 100_000
}
