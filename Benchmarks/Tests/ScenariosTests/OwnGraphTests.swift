import BenchmarkKit
import Testing

@testable import own_graph_bench

@Suite struct OwnGraphTests {
    @Test(arguments: PriceGraph.entries.map(\.name))
    func theExampleDoesTheWorkThatItMeasures(name: String) throws {
        let entry = try #require(PriceGraph.entries.first { $0.name == name })
        for making in [try #require(entry.makeDirect), entry.makeLibrary] {
            let scenario = try making(Settings(spin: Spin(roundsPerMicrosecond: 1000)))
            for _ in 0..<2 {
                scenario.run(events: 2000)
                try scenario.verify()
            }
            if case .latency = entry.measure {
                #expect(scenario.takeLatencies()?.count == 4000)
                #expect(scenario.takeUncorrectedLatencies()?.count == 4000)
            }
            scenario.tearDown()
        }
    }
}
