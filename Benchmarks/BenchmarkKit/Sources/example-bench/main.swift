import BenchmarkKit

// count/10 and count/1000: counts keys in a dictionary, and checks that none is lost.
let catalogue = ScenarioEntry.family("count", [10, 1000]) { name, keys in
    ScenarioEntry(name) { events in
        var counts: [Int: Int] = [:]
        for event in 0..<events { counts[opaque(event % keys), default: 0] += 1 }
        try CheckFailure.unless("counted events", is: events, got: counts.values.reduce(0, +))
    }
}

BenchmarkTool(catalogue: catalogue).main()
