import BenchmarkKit
import Corinth
import Dispatch

/// `hop/burst`: sends 200,000 events at once through `observe(on:)` to a serial queue.
enum Hop {
    static let burst = 200_000

    static let entry = ScenarioEntry(
        "hop/burst",
        isThreaded: true,
        direct: { _ in HopDirect() },
        library: { _ in HopCorinth() })
}

private final class HopCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let sink = BurstSink(burst: Hop.burst)
    private var bursts = 0

    init() {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        let scheduler = QueueScheduler(qos: .userInitiated, name: "corinth-bench.hop")
        output.observe(on: scheduler).observeValues { [sink] in sink.add($0) }
    }

    var granularity: Int { Hop.burst }

    func run(events: Int) {
        let input = input
        for _ in 0..<events / Hop.burst {
            for value in 0..<Hop.burst { input.send(value: value) }
            sink.wait()
            bursts += 1
        }
    }

    func verify() throws {
        try sink.verify(bursts: bursts)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// One `async` on a serial queue for each event.
private final class HopDirect: Scenario {
    private let queue = DispatchQueue(label: "corinth-bench.hop", qos: .userInitiated)
    private let sink = BurstSink(burst: Hop.burst)
    private var bursts = 0

    var granularity: Int { Hop.burst }

    func run(events: Int) {
        let observe = opaqueObserver { [sink] in sink.add($0) }
        for _ in 0..<events / Hop.burst {
            for value in 0..<Hop.burst {
                queue.async { observe(value) }
            }
            sink.wait()
            bursts += 1
        }
    }

    func verify() throws {
        try sink.verify(bursts: bursts)
    }
}
