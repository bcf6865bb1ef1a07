import BenchmarkKit
import Corinth
import Foundation

/// `scale/…`: what each of n costs, as n grows. An event is one of them; a run makes n, uses them and lets them go, again and again.
enum Scale {
    static let entries: [ScenarioEntry] =
        family("observers", upTo: 5) { count, tally in
            let (output, input) = Signal<Int, Never>.pipe()
            for _ in 0..<count { output.observeValues { tally.add($0) } }
            input.send(value: 1)
            input.sendCompleted()
        }
        + family("sources", upTo: 5) { count, tally in
            let sources = pipes(count)
            Signal.merge(sources.map(\.output)).observeValues { tally.add($0) }
            for source in sources { source.input.send(value: 1) }
            for source in sources { source.input.sendCompleted() }
        }
        + family("stages", upTo: 4) { count, tally in
            let (output, input) = Signal<Int, Never>.pipe()
            var chain = output
            for _ in 0..<count { chain = chain.map { $0 &+ 1 } }
            chain.observeValues { tally.add($0) }
            input.send(value: 0)
            input.sendCompleted()
        }
        + family("signals", upTo: 6) { count, tally in
            let kept = pipes(count)
            for pipe in kept { pipe.output.observeValues { tally.add($0) } }
            for pipe in kept { pipe.input.send(value: 1) }
        }
        + family("inner", upTo: 6) { count, tally in
            let (output, input) = Signal<Signal<Int, Never>, Never>.pipe()
            output.flatten(.merge).observeValues { tally.add($0) }
            let inner = pipes(count)
            for pipe in inner { input.send(value: pipe.output) }
            for pipe in inner { pipe.input.send(value: 1) }
            for pipe in inner { pipe.input.sendCompleted() }
        }
        + family("timeouts", upTo: 5) { count, tally in
            let scheduler = QueueScheduler(qos: .default, name: "corinth-bench.scale")
            let date = scheduler.currentDate.addingTimeInterval(3600)
            let timeouts = (0..<count).map { scheduler.schedule(after: date.addingTimeInterval(Double($0 % 7))) {} }
            for timeout in timeouts {
                timeout?.dispose()
                tally.add(1)
            }
        }

    /// From a hundred to ten to the power of `exponent`.
    private static func family(
        _ name: String, upTo exponent: Int, _ round: @escaping @Sendable (_ count: Int, _ tally: Tally) -> Void
    ) -> [ScenarioEntry] {
        let sizes = (2...exponent).map { (0..<$0).reduce(1) { size, _ in 10 * size } }
        return ScenarioEntry.family("scale/\(name)", sizes) { name, size in
            ScenarioEntry(
                name, unit: "ns/item", countedEvents: size, direct: nil,
                library: { _ in Rounds(of: size, round) })
        }
    }

    private static func pipes(_ count: Int) -> [(output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)] {
        (0..<count).map { _ in Signal<Int, Never>.pipe() }
    }
}

/// Each round adds its size to the sum.
private final class Rounds: Scenario {
    private let size: Int
    private let round: (Int, Tally) -> Void
    private let tally = Tally()
    private var expected = 0

    init(of size: Int, _ round: @escaping (Int, Tally) -> Void) {
        self.size = size
        self.round = round
    }

    var granularity: Int { size }

    func run(events: Int) {
        for _ in 0..<events / size { round(size, tally) }
        expected += events
    }

    func verify() throws { try CheckFailure.unless("what the rounds added up to", is: expected, got: tally.sum) }
}
