import BenchmarkKit

// Scenarios that are closures, for the tests: each form, and what can go wrong. The README shows some of them.

/// Numbers in an order that only the seed decides.
func shuffled(_ count: Int, seed: Int) -> [Int] {
    var generator = SeededGenerator(seed: UInt64(seed))
    return Array(0..<count).shuffled(using: &generator)
}

func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(1) { ($0 &* 31) ^ UInt32($1) }
}

actor Counter {
    private var count = 0

    func increment() { count += 1 }
}

@MainActor final class MainCounter {
    private var count = 0

    func increment() { count += 1 }
}

struct Refusal: Error, CustomStringConvertible {
    var description: String { "the closure refuses" }
}

let page = [UInt8](repeating: 7, count: 4096)
let numbers = Array(0..<100)
let counter = Counter()
let mainCounter = MainCounter()

let catalogue = [
    // With a rate, in MB/s.
    ScenarioEntry("checksum", throughput: .bytes(4096)) { events in
        for _ in 0..<events { opaque(checksum(opaque(page))) }
    },
    // With the same work without the library: times are also multiples of that.
    ScenarioEntry(
        "sum",
        direct: { events in
            for _ in 0..<events {
                var sum = 0
                for number in opaque(numbers) { sum &+= number }
                opaque(sum)
            }
        },
        run: { events in
            for _ in 0..<events { opaque(opaque(numbers).reduce(0, &+)) }
        }),
    // With an input for each event, which isn't timed. At most 100 exist at the same time.
    ScenarioEntry("sort", batch: 100, input: { shuffled(1000, seed: $0) }) { numbers in
        numbers.sort()
    },
    // Asynchronous.
    ScenarioEntry("actor") { events in
        for _ in 0..<events { await counter.increment() }
    },
]

let others = [
    ScenarioEntry("allocate") { events in
        for _ in 0..<events { opaque([Int](repeating: 1, count: 50)) }
    },
    ScenarioEntry("input", throughput: .elements(50), input: { _ in [Int](repeating: 1, count: 50) }) { numbers in
        opaque(numbers.count)
    },
    ScenarioEntry("main-actor") { events in
        for _ in 0..<events { await mainCounter.increment() }
    },
    ScenarioEntry("fails/closure", isOnRequest: true) { _ in throw Refusal() },
    ScenarioEntry("fails/async", isOnRequest: true) { _ in
        await counter.increment()
        throw Refusal()
    },
    ScenarioEntry("fails/input", isOnRequest: true, input: { _ in throw Refusal() }, run: { (_: inout Int) in }),
    ScenarioEntry("fails/never-ends", isOnRequest: true) { _ in
        try await Task.sleep(for: .seconds(3600))
    },
]

BenchmarkTool(catalogue: catalogue + others).main()
