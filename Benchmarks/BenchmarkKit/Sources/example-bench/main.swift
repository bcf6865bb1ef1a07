import BenchmarkKit

/// The side with the library: counts keys in a dictionary.
final class DictionaryCounter: Scenario {
    private let keys: Int
    private var counts: [Int: Int] = [:]
    private var sent = 0

    init(keys: Int) {
        self.keys = keys
    }

    // Timed. Returns when all events are processed.
    func run(events: Int) {
        for event in 0..<events { counts[opaque(event % keys), default: 0] += 1 }
        sent += events
    }

    // Not timed. Throws if the work was not done.
    func verify() throws {
        try CheckFailure.unless("counted events", is: sent, got: counts.values.reduce(0, +))
    }
}

/// The direct side: the same work without the library, in an array.
final class ArrayCounter: Scenario {
    private let keys: Int
    private var counts: [Int]
    private var sent = 0

    init(keys: Int) {
        self.keys = keys
        counts = Array(repeating: 0, count: keys)
    }

    func run(events: Int) {
        for event in 0..<events { counts[opaque(event % keys)] += 1 }
        sent += events
    }

    func verify() throws {
        try CheckFailure.unless("counted events", is: sent, got: counts.reduce(0, +))
    }
}

// count/10 and count/1000.
let catalogue = ScenarioEntry.family("count", [10, 1000]) { name, keys in
    ScenarioEntry(name, direct: { _ in ArrayCounter(keys: keys) }, library: { _ in DictionaryCounter(keys: keys) })
}

BenchmarkTool(catalogue: catalogue).main()
