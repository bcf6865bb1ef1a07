import CBenchmarkSupport
import Foundation

/// Makes a scenario slower on purpose, to test that the tools find the slowdown.
///
/// `BENCHMARKKIT_BURDEN=pipe/1=1.5` adds 1.5 rounds of an empty loop, three instructions each, to every event of
/// `pipe/1`, except on the direct side.
final class BurdenedScenario: Scenario {
    static let variable = "BENCHMARKKIT_BURDEN"

    private let scenario: any Scenario
    private let roundsPerEvent: Double

    private init(_ scenario: any Scenario, roundsPerEvent: Double) {
        self.scenario = scenario
        self.roundsPerEvent = roundsPerEvent
    }

    /// A slower scenario if the variable names this one; otherwise `scenario` itself.
    static func burdening(
        _ scenario: any Scenario,
        named name: String,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> any Scenario {
        let parts = (environment[variable] ?? "").split(separator: "=")
        guard parts.count == 2, parts[0] == name, let rounds = Double(parts[1]), rounds > 0 else { return scenario }
        return BurdenedScenario(scenario, roundsPerEvent: rounds)
    }

    func setUp() throws { try scenario.setUp() }

    var granularity: Int { scenario.granularity }

    func prepare(events: Int) { scenario.prepare(events: events) }

    var largestBatch: Int { scenario.largestBatch }

    func run(events: Int) {
        scenario.run(events: events)
        bench_spin(UInt64(roundsPerEvent * Double(events)))
    }

    func takeTimedRun() -> TimedRun? { scenario.takeTimedRun() }

    func verify() throws { try scenario.verify() }

    func takeLatencies() -> Histogram? { scenario.takeLatencies() }

    func takeUncorrectedLatencies() -> Histogram? { scenario.takeUncorrectedLatencies() }

    var counts: [String: Int] { scenario.counts }

    var keepsObjects: Bool { scenario.keepsObjects }

    func tearDown() { scenario.tearDown() }
}
