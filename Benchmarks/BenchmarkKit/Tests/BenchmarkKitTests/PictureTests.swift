import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct PictureTests {
    @Test func aRunKeepsWhatItsPicturesNeed() {
        var samples = CollectedSamples()
        var histogram = Histogram()
        for value in [1, 2, 3, 4, 1000, 1030] as [UInt64] { histogram.record(value) }
        for pass in 0..<2 {
            samples.beginPass(of: [.library])
            for round in 0..<3 {
                let sample = Sample(events: 1, nanoseconds: 5, value: 5, hardware: HardwareCounters())
                var taken = Round(samples: [(.library, sample)])
                if pass == 1, round != 1 { taken.disturbance = .steal }
                samples.add(taken)
            }
            samples.add(Summary(latencies: histogram, counts: [:]), of: .library)
        }
        let entry = ScenarioEntry(
            "a", direct: { _ in throw CheckFailure("unused") }, library: { _ in throw CheckFailure("unused") })
        let report = samples.report(entry, BuildNames())
        #expect(report.machine?.disturbedByPass == [[], [0, 2]])
        let counts = report.builds["library"]?.passLatencies ?? []
        // 1, 2 and 4 ns are the half octaves 0, 2 and 4; 3 ns is in 3, 1000 in 19 and 1030 in 20.
        #expect(counts.map(\.first) == [0, 0])
        #expect(counts.first?.counts == [1, 0, 1, 1, 1] + Array(repeating: 0, count: 14) + [1, 1])
    }
}
