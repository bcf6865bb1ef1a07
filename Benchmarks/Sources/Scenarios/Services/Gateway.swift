import BenchmarkKit
import Corinth
import CorinthServices
import Dispatch
import Foundation
import Synchronization

/// `services/gateway…`: quotes for 64 clients, each with a queue of its own, as of a market-data gateway. A client that is too slow gets
/// the latest quote of each symbol.
///
/// The loop is open: 10,000 quotes a second of 512 symbols, each for 8 clients. A client works 1 µs for a quote; of eight clients, one
/// sleeps a millisecond instead, as with a slow connection. The latency is that of the fast clients, from when a quote was due. The last
/// quote of each symbol must arrive at each of its clients, and older ones never after newer ones.
enum Gateway {
    static let clients = 64
    static let symbols = 512
    static let clientsPerSymbol = 8
    static let perSecond = 10_000

    static let entries = [
        entry("services/gateway") { GatewayScenario(DispatchClient.init, $0.spin) },
        entry("services/gateway/tasks") { GatewayScenario(TaskClient.init, $0.spin) },
    ]

    private static func entry(_ name: String, direct: @escaping ScenarioEntry.Making) -> ScenarioEntry {
        .service(name, direct: direct) { GatewayScenario(CorinthClient.init, $0.spin) }
    }

    static func clients(of symbol: Int) -> Range<Int> {
        let first = symbol / clientsPerSymbol * clientsPerSymbol % clients
        return first..<first + clientsPerSymbol
    }
}

struct Quote: Sendable {
    let symbol: Int
    let number: Int
    let due: UInt64
    let isLast: Bool
}

/// What a client does with a quote. Called by one thread at a time.
private final class QuoteSink: Sendable {
    private struct Seen {
        var latencies = Histogram()
        var numbers = [Int](repeating: -1, count: Gateway.symbols)
        var misplaced = 0
    }

    let isSlow: Bool
    private let spin: Spin
    private let seen = Mutex(Seen())
    let lastOnes = Atomic<Int>(0)

    init(isSlow: Bool, _ spin: Spin) {
        self.isSlow = isSlow
        self.spin = spin
    }

    func receive(_ quote: Quote) {
        note(quote)
        if isSlow { Thread.sleep(forTimeInterval: 0.001) } else { work() }
    }

    func work() { spin.burn(microseconds: 1) }

    func note(_ quote: Quote) {
        let now = Clock.now()
        seen.withLock { seen in
            if !isSlow { seen.latencies.record(now - quote.due) }
            if quote.number <= seen.numbers[quote.symbol] { seen.misplaced += 1 }
            seen.numbers[quote.symbol] = quote.number
        }
        if quote.isLast { lastOnes.add(1, ordering: .relaxed) }
    }

    var misplaced: Int { seen.withLock { $0.misplaced } }

    func takeLatencies() -> Histogram {
        seen.withLock { seen in
            defer { seen.latencies.reset() }
            return seen.latencies
        }
    }
}

private protocol QuoteClient: AnyObject {
    func send(_ quote: Quote)
    func stop()
}

private final class GatewayScenario: Scenario {
    private let sinks: [QuoteSink]
    private let clients: [any QuoteClient]
    private var sent = 0
    private var expected = 0

    init(_ make: (QuoteSink) -> any QuoteClient, _ spin: Spin) {
        sinks = (0..<Gateway.clients).map { QuoteSink(isSlow: $0 % 8 == 7, spin) }
        clients = sinks.map(make)
    }

    private var arrived: Int { sinks.reduce(0) { $0 + $1.lastOnes.load(ordering: .relaxed) } }

    func run(events: Int) {
        OpenLoop(eventsPerSecond: Double(Gateway.perSecond)).run(events: events) { number, due, _ in
            send(Quote(symbol: number % Gateway.symbols, number: sent + number, due: due, isLast: false))
        }
        sent += events
        for symbol in 0..<Gateway.symbols {
            send(Quote(symbol: symbol, number: sent + symbol, due: Clock.now(), isLast: true))
        }
        sent += Gateway.symbols
        expected += Gateway.symbols * Gateway.clientsPerSymbol
        ProgressWatchdog.sleep(until: expected) { arrived }
    }

    @inline(__always)
    private func send(_ quote: Quote) {
        for client in Gateway.clients(of: quote.symbol) { clients[client].send(quote) }
    }

    func verify() throws {
        try CheckFailure.unless("last quotes that arrived", is: expected, got: arrived)
        try CheckFailure.unless("quotes behind newer ones", is: 0, got: sinks.reduce(0) { $0 + $1.misplaced })
    }

    func takeLatencies() -> Histogram? {
        sinks.reduce(into: Histogram()) { $0.merge($1.takeLatencies()) }
    }

    func tearDown() { for client in clients { client.stop() } }
}

private final class CorinthClient: QuoteClient {
    private let input: Signal<Quote, Never>.Observer

    init(_ sink: QuoteSink) {
        let (output, input) = Signal<Quote, Never>.pipe()
        self.input = input
        let queue = QueueScheduler(qos: .userInitiated, name: "corinth-bench.gateway")
        output.observe(on: queue, latestBy: { $0.symbol }).observeValues { sink.receive($0) }
    }

    func send(_ quote: Quote) { input.send(value: quote) }

    func stop() { input.sendInterrupted() }
}

/// The latest quote of each symbol that has one, in the order in which the symbols came to have one.
private final class LatestQuotes: Sendable {
    private struct State {
        var latest: [Int: Quote] = [:]
        var order: [Int] = []
        /// Whether somebody delivers, or has been asked to.
        var isDelivering = false
    }

    private let state = Mutex(State())

    /// - Returns: Whether somebody must be asked to deliver.
    func put(_ quote: Quote) -> Bool {
        state.withLock { state in
            if state.latest.updateValue(quote, forKey: quote.symbol) == nil { state.order.append(quote.symbol) }
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
    }

    /// Takes all. If there are none, nobody delivers any more.
    func takeAll() -> [Quote] {
        state.withLock { state in
            let quotes = state.order.compactMap { state.latest[$0] }
            state.latest.removeAll(keepingCapacity: true)
            state.order.removeAll(keepingCapacity: true)
            state.isDelivering = !quotes.isEmpty
            return quotes
        }
    }
}

private final class DispatchClient: QuoteClient, Sendable {
    private let sink: QuoteSink
    private let latest = LatestQuotes()
    private let queue = DispatchQueue(
        label: "corinth-bench.gateway", qos: .userInitiated)

    init(_ sink: QuoteSink) { self.sink = sink }

    func send(_ quote: Quote) {
        if latest.put(quote) { queue.async { self.deliver() } }
    }

    private func deliver() {
        let quotes = latest.takeAll()
        for quote in quotes { sink.receive(quote) }
        if !quotes.isEmpty { queue.async { self.deliver() } }
    }

    func stop() {}
}

private final class TaskClient: QuoteClient {
    private let latest = LatestQuotes()
    private let wakeUps: AsyncStream<Void>.Continuation

    init(_ sink: QuoteSink) {
        let (stream, wakeUps) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wakeUps = wakeUps
        Task.detached(priority: .userInitiated) { [latest] in
            for await _ in stream {
                while case let quotes = latest.takeAll(), !quotes.isEmpty {
                    for quote in quotes {
                        sink.note(quote)
                        // A task must not block its thread.
                        if sink.isSlow { try? await Task.sleep(for: .milliseconds(1)) } else { sink.work() }
                    }
                }
            }
        }
    }

    func send(_ quote: Quote) {
        if latest.put(quote) { wakeUps.yield() }
    }

    func stop() { wakeUps.finish() }
}
