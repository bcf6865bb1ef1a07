import BenchmarkKit
import Scenarios
import Testing

/// One after the other: they are made for a machine that does nothing else.
@Suite(.serialized) struct ScenarioTests {
    private static let settings = Settings(spin: .calibrated(), generatedLines: 3000)

    @Test(arguments: AllScenarios.entries.map(\.name))
    func everySideDoesWhatItMeasures(name: String) throws {
        let entry = try #require(AllScenarios.entries.first { $0.name == name })
        for making in [entry.makeDirect, entry.makeCorinth] {
            let scenario = try making(Self.settings)
            let units = max(1, 1000 / scenario.granularity)
            for _ in 0..<3 {
                // An event of this one is 20,000 sources: one is enough.
                let count = name == "combineLatest/20000" ? 1 : units * scenario.granularity
                scenario.run(events: count)
                try scenario.verify()
            }
            if case .latency = entry.measure {
                let latencies = try #require(scenario.takeLatencies())
                #expect(latencies.count == UInt64(3 * units * scenario.granularity))
                #expect(scenario.takeLatencies()?.count == 0)
            }
            scenario.tearDown()
        }
    }

    @Test func namesAreUnique() {
        let names = AllScenarios.entries.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
