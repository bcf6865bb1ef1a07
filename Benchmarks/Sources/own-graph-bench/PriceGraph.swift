import BenchmarkKit
import Corinth

/// A worked example: how to measure a graph of your own.
///
/// The graph receives prices in pence, drops those that aren't positive, keeps the highest price so far, and sends each new
/// high to its observers.
enum PriceGraph {
    /// Whether this is compiled with Corinth's lock-based build.
    static var isNaive: Bool {
        #if NaiveLocks
            true
        #else
            false
        #endif
    }

    /// `prices/1`, `prices/10`: throughput. `prices/paced`: latency at 100,000 prices per second, in an open loop.
    static let entries: [ScenarioEntry] =
        ScenarioEntry.family("prices", [1, 10]) { name, observers in
            ScenarioEntry(
                name,
                unit: "ns/price",
                direct: { _ in PriceLoop(observers: observers) },
                library: { _ in PriceSignal(observers: observers) })
        } + [
            ScenarioEntry(
                "prices/paced",
                unit: "ns, p99",
                measure: .latency(percentile: 99),
                sampleMilliseconds: 50,
                isThreaded: true,
                direct: { _ in PacedPrices(PriceLoop(observers: 1)) },
                library: { _ in PacedPrices(PriceSignal(observers: 1)) })
        ]

    /// A deterministic sequence of prices, some of which aren't positive.
    static func price(_ number: Int) -> Int {
        number &* 7919 % 10_007 &- 500
    }
}

/// A side: receives prices and checks the result.
protocol PriceTaking: Scenario {
    func take(_ price: Int)

    /// Checks the result of the first `prices` prices.
    func verify(prices: Int) throws
}

/// Sends prices in an open loop and records the time from when a price is due until it is processed.
final class PacedPrices<Graph: PriceTaking>: Scenario {
    private let graph: Graph
    private let pace = OpenLoop(eventsPerSecond: 100_000)
    private var sent = 0
    private var latencies = Histogram()
    private var uncorrected = Histogram()

    init(_ graph: Graph) {
        self.graph = graph
    }

    func run(events: Int) {
        pace.run(events: events) { number, due, sentAt in
            graph.take(PriceGraph.price(sent + number))
            let now = Clock.now()
            latencies.record(now - due)
            uncorrected.record(now - sentAt)
        }
        sent += events
    }

    func verify() throws {
        try graph.verify(prices: sent)
    }

    func takeLatencies() -> Histogram? {
        defer { latencies.reset() }
        return latencies
    }

    func takeUncorrectedLatencies() -> Histogram? {
        defer { uncorrected.reset() }
        return uncorrected
    }

    func tearDown() {
        graph.tearDown()
    }
}

/// The highs that an observer received. Unchecked: the events of a signal are serial.
final class Highs: @unchecked Sendable {
    private(set) var count = 0
    private(set) var sum = 0

    func add(_ price: Int) {
        count += 1
        sum += price
    }
}

/// The expected highs, computed by a plain loop, outside the measured time.
struct ExpectedHighs {
    private var added = 0
    private var highest = 0
    private var count = 0
    private var sum = 0

    /// Adds the prices up to number `end` that aren't added yet.
    mutating func add(pricesBelow end: Int) {
        while added < end {
            let price = PriceGraph.price(added)
            added += 1
            guard price > highest else { continue }
            highest = price
            count += 1
            sum += price
        }
    }

    func verify(_ observers: [Highs]) throws {
        for observer in observers {
            try CheckFailure.unless("new highs", is: count, got: observer.count)
            try CheckFailure.unless("sum of new highs", is: sum, got: observer.sum)
        }
    }
}

/// The side that uses the library.
final class PriceSignal: PriceTaking {
    private let input: Signal<Int, Never>.Observer
    private let observers: [Highs]
    private var taken = 0
    private var expected = ExpectedHighs()

    init(observers count: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        let highs = output.filter { $0 > 0 }.scan(0) { max($0, $1) }.skipRepeats()
        observers = (0..<count).map { _ in
            let seen = Highs()
            highs.observeValues { seen.add($0) }
            return seen
        }
    }

    func take(_ price: Int) {
        input.send(value: price)
    }

    func run(events: Int) {
        for number in taken..<taken + events { take(PriceGraph.price(number)) }
        taken += events
    }

    func verify() throws {
        try verify(prices: taken)
    }

    func verify(prices: Int) throws {
        expected.add(pricesBelow: prices)
        try expected.verify(observers)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// The same work without the library.
final class PriceLoop: PriceTaking {
    private let observers: [Highs]
    private let callees: [(Int) -> Void]
    private var highest = 0
    private var taken = 0
    private var expected = ExpectedHighs()

    init(observers count: Int) {
        let observers = (0..<count).map { _ in Highs() }
        self.observers = observers
        // Opaque, as closures are to a library.
        callees = observers.map { seen in opaque({ seen.add($0) }) }
    }

    func take(_ price: Int) {
        guard price > highest else { return }
        highest = price
        for callee in callees { callee(price) }
    }

    func run(events: Int) {
        for number in taken..<taken + events { take(PriceGraph.price(number)) }
        taken += events
    }

    func verify() throws {
        try verify(prices: taken)
    }

    func verify(prices: Int) throws {
        expected.add(pricesBelow: prices)
        try expected.verify(observers)
    }
}
