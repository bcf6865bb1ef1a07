import BenchmarkKit
import Scenarios
import Testing

/// Serialized: the scenarios expect a machine that does nothing else.
@Suite(.serialized) struct ScenarioTests {
    private static let settings = {
        var settings = Settings(spin: .calibrated())
        settings.generatedLines = 3000
        return settings
    }()

    /// A latency is taken of each event, once. `Tests/run --only scenarios` runs and verifies all scenarios, on all sides.
    @Test(arguments: AllScenarios.entries.filter { if case .latency = $0.measure { true } else { false } }.map(\.name))
    func latenciesAreThoseOfAllEvents(name: String) throws {
        let entry = try #require(AllScenarios.entries.first { $0.name == name })
        for making in [try #require(entry.makeDirect), entry.makeLibrary] {
            let scenario = try making(Self.settings)
            let count = scenario.granularity * (entry.isOnRequest ? 1 : max(1, 1_000 / scenario.granularity))
            for _ in 0..<3 {
                scenario.run(events: count)
                try scenario.verify()
            }
            let latencies = try #require(scenario.takeLatencies())
            // What a gateway delivers depends on how slow its clients are: at least the last quotes, which it verifies.
            if !name.hasPrefix("services/gateway") { #expect(latencies.count == UInt64(3 * count)) }
            #expect(latencies.count >= UInt64(3 * count))
            #expect(scenario.takeLatencies()?.count == 0)
            scenario.tearDown()
        }
    }

    /// A count that is the figure is positive, and a run of a given time has a result.
    @Test(arguments: ["overload/stall", "overload/merge-hop", "contend/64"])
    func figuresExist(name: String) throws {
        let entry = try #require(AllScenarios.entries.first { $0.name == name })
        for making in [try #require(entry.makeDirect), entry.makeLibrary] {
            let scenario = try making(Self.settings)
            scenario.run(events: scenario.granularity)
            try scenario.verify()
            if case .count(let count) = entry.measure {
                #expect(try #require(scenario.counts[count]) > 0)
            } else {
                let run = try #require(scenario.takeTimedRun())
                #expect(run.nanoseconds >= UInt64(scenario.granularity) * 1_000_000)
                #expect(!scenario.counts.isEmpty)
            }
            scenario.tearDown()
        }
    }

    @Test func longScenariosAreOnRequest() {
        let onRequest = AllScenarios.entries.filter(\.isOnRequest).map(\.name)
        let families = ["overload/", "neighbours/", "peers/", "scale/", "services/"]
        func isLong(_ name: String) -> Bool { families.contains { name.hasPrefix($0) } }
        let others = [
            "contend/4", "contend/512", "contend/2000", "contend-latency/2", "contend-latency/4", "pool/keyed/4",
            "shared/1",
        ]
        #expect(onRequest.allSatisfy { isLong($0) || others.contains($0) })
        #expect(AllScenarios.entries.allSatisfy { !isLong($0.name) || $0.isOnRequest })
    }

    /// Scenarios with numbers of threads that the catalogue doesn't have.
    @Test func otherNumbersOfThreads() throws {
        let entries = AllScenarios.threaded(3)
        #expect(entries.prefix(2).map(\.name) == ["contend/3", "contend-latency/3"] && entries.count > 10)
        #expect(entries.allSatisfy { $0.isThreaded && $0.name.hasSuffix("/3") })
        #expect(AllScenarios.threaded(2001).isEmpty)
        for making in try entries.prefix(2).flatMap({ [try #require($0.makeDirect), $0.makeLibrary] }) {
            let scenario = try making(Self.settings)
            scenario.run(events: 100 * scenario.granularity)
            try scenario.verify()
            scenario.tearDown()
        }
    }

    @Test func namesAreUnique() {
        let names = AllScenarios.entries.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
