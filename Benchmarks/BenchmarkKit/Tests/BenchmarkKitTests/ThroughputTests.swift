import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct ThroughputTests {
    @Test(arguments: [
        (Throughput.bytes(4096), 8.0, "512 GB/s"), (.bytes(1), 1000, "1.00 MB/s"), (.bytes(1), 2e9, "0.50 B/s"),
        (.elements(1, "lines"), 800, "1.25 M lines/s"), (.elements(3), 1e9, "3.00 elements/s"),
        (.elements(1000), 0.5, "2.00 T elements/s"),
    ])
    func ratesAreReadable(throughput: Throughput, nanoseconds: Double, text: String) throws {
        let rate = try #require(throughput.perSecond(nanosecondsPerEvent: nanoseconds))
        #expect(throughput.text(perSecond: rate) == text)
        #expect(throughput.perSecond(nanosecondsPerEvent: 0) == nil)
    }

    private static let report: Report = {
        let entry = ScenarioEntry(
            "encode", throughput: .bytes(1000), direct: nil, library: { _ in fatalError("It isn't measured.") })
        var collected = CollectedSamples()
        for _ in 0..<6 {
            collected.beginPass(of: [.library])
            let sample = Sample(
                events: 10, nanoseconds: 10_000, processorNanoseconds: 5000, value: 500, hardware: HardwareCounters())
            collected.add(sample, of: .library)
        }
        let scenario = collected.report(entry, BuildNames())
        var report = Report(host: SampleReports.host, scenarios: [scenario], failures: [])
        report.mode = .time
        return report
    }()

    /// 1,000 bytes in 500 ns.
    @Test func everyFormatHasTheRate() throws {
        #expect(Self.report.scenarios[0].builds["library"]?.throughputPerSecond == 2e9)
        for format in [OutputFormat.table, .markdown] {
            #expect(try ReportText.text(of: Self.report, as: format).contains("2.00 GB/s"), "\(format)")
        }
        #expect(ReportText.csv(of: Self.report).contains("throughput_per_second"))
        #expect(ReportText.csv(of: Self.report).contains(",2000000000.0,"))
        let jmh = try ReportText.text(of: Self.report, as: .jmh)
        #expect(jmh.contains("\"throughput\"") && jmh.contains("\"bytes/s\""))
        #expect(try HTMLReport.text(of: Self.report).contains("builds.library.throughputPerSecond"))
        // Scenarios without one have no column.
        #expect(!ReportText.text(of: SampleReports.run(seed: 1, scenarios: 1)).contains("throughput"))
    }

    @Test func filesHaveItAndOlderOnesDoNot() throws {
        let text = try Self.report.json()
        #expect(text.contains("\"throughputPerSecond\" : 2000000000"))
        #expect(try Report(Data(text.utf8), from: "a") == Self.report)
        let older = SampleReports.run(seed: 1, scenarios: 1)
        let json = try older.json()
        #expect(!json.contains("throughput"))
        #expect(try Report(Data(json.utf8), from: "a") == older)
        #expect(throws: UsageError.self) {
            try Report(Data(text.replacing("\"perEvent\" : 1000", with: "\"perEvent\" : 0").utf8), from: "a")
        }
    }

    @Test func aRateNeedsATime() async {
        await #expect(processExitsWith: .failure) {
            _ = ScenarioEntry(
                "x", measure: .count("things"), throughput: .bytes(1), direct: nil, library: { _ in fatalError() })
        }
        await #expect(processExitsWith: .failure) { _ = Throughput.bytes(0) }
    }
}
