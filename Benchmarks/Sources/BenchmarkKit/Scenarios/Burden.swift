import CBenchmarkSupport
import Foundation

/// Makes a scenario slower on purpose, to show that the tools notice.
///
/// `CORINTH_BENCH_BURDEN=pipe/1=1.5` adds 1.5 rounds of an empty loop, three instructions each, to every event of
/// `pipe/1` on the sides that use the library.
final class BurdenedScenario: Scenario {
    static let variable = "CORINTH_BENCH_BURDEN"

    private let scenario: any Scenario
    private let roundsPerEvent: Double

    private init(_ scenario: any Scenario, roundsPerEvent: Double) {
        self.scenario = scenario
        self.roundsPerEvent = roundsPerEvent
    }

    /// `scenario`, or a slower one if the variable names it.
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

    func run(events: Int) {
        scenario.run(events: events)
        bench_spin(UInt64(roundsPerEvent * Double(events)))
    }

    func takeTimedRun() -> TimedRun? { scenario.takeTimedRun() }

    func verify() throws { try scenario.verify() }

    func takeLatencies() -> Histogram? { scenario.takeLatencies() }

    func takeUncorrectedLatencies() -> Histogram? { scenario.takeUncorrectedLatencies() }

    var counts: [String: Int] { scenario.counts }

    func tearDown() { scenario.tearDown() }
}
