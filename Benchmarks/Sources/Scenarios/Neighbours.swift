import BenchmarkKit
import CScenarioSupport

/// `neighbours/N/…`: other scenarios beside N processes that spin.
///
/// They take processors from the threads of the scenario, as other programs of a busy machine do.
enum Neighbours {
    static let entries = [1, 2].flatMap { count in
        [Hop.entry, PingPong.threadsEntry, Disruptor.oneToOne].map { entry($0, count) }
    }

    private static func entry(_ entry: ScenarioEntry, _ count: Int) -> ScenarioEntry {
        func beside(_ making: @escaping ScenarioEntry.Making) -> ScenarioEntry.Making {
            { try BesideNeighbours(count, making($0)) }
        }
        return ScenarioEntry(
            "neighbours/\(count)/\(entry.name)", unit: entry.unit, measure: entry.measure, sampleMilliseconds: 50,
            isThreaded: true,
            direct: entry.makeDirect.map(beside), library: beside(entry.makeLibrary))
    }
}

/// A scenario whose neighbours are busy while it runs, and sleep while another side runs.
private final class BesideNeighbours: Scenario {
    private let scenario: any Scenario

    init(_ count: Int, _ scenario: any Scenario) throws {
        // Before the property is set: after that, a failure would run the deinitialiser, which ends the neighbours of another.
        let error = scenario_neighbours_start(Int32(count))
        guard error == 0 else { throw CheckFailure("processes can't be started: error \(error)") }
        self.scenario = scenario
    }

    deinit { scenario_neighbours_end() }

    func setUp() throws { try scenario.setUp() }

    var granularity: Int { scenario.granularity }

    func run(events: Int) {
        scenario_neighbours_set_busy(1)
        scenario.run(events: events)
        scenario_neighbours_set_busy(0)
    }

    func takeTimedRun() -> TimedRun? { scenario.takeTimedRun() }

    func verify() throws { try scenario.verify() }

    func takeLatencies() -> Histogram? { scenario.takeLatencies() }

    func takeUncorrectedLatencies() -> Histogram? { scenario.takeUncorrectedLatencies() }

    var counts: [String: Int] { scenario.counts }

    func tearDown() {
        scenario.tearDown()
        scenario_neighbours_end()
    }
}
