import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct ReportTests {
    private static let report: Report = {
        var direct = BuildReport(values: [2, 3, 1])
        direct.allocationsPerEvent = 0
        var library = BuildReport(values: [4, 6, 5])
        library.percentiles = ["50": 40, "99.9": 511, "100": 12_000]
        library.counts = ["most foreign events in one send": 200]
        library.contextSwitchesPerEvent = 0.0001
        let scenario = ScenarioReport(
            name: "pipe/1",
            unit: "ns/event",
            builds: ["direct": direct, "library": library],
            ratios: ["library/direct": RatioEstimate(median: 2.5, low: 2.4, high: 2.6)])
        let host = Host(cpu: "a CPU", cores: 2, swift: "6.3.1", commit: "unknown")
        return Report(host: host, scenarios: [scenario], failures: [])
    }()

    @Test func jsonFollowsTheSchema() throws {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.report))
        let top = try #require(json as? [String: Any])
        #expect(Set(top.keys) == ["schema", "host", "scenarios"])
        #expect(top["schema"] as? Int == 1)
        let host = try #require(top["host"] as? [String: Any])
        #expect(Set(host.keys) == ["cpu", "cores", "swift", "commit"])
        let scenario = try #require((top["scenarios"] as? [[String: Any]])?.first)
        #expect(Set(scenario.keys) == ["name", "unit", "builds", "ratios"])
        let builds = try #require(scenario["builds"] as? [String: [String: Any]])
        let direct = try #require(builds["direct"])
        #expect(Set(direct.keys) == ["median", "min", "max", "samples", "allocationsPerEvent"])
        #expect(direct["median"] as? Double == 2)
        let percentiles = builds["library"]?["percentiles"] as? [String: Int]
        #expect(percentiles == ["50": 40, "99.9": 511, "100": 12_000])
        let ratios = try #require(scenario["ratios"] as? [String: [String: Double]])
        #expect(ratios == ["library/direct": ["median": 2.5, "low": 2.4, "high": 2.6]])
    }

    @Test func writingAndReadingKeepsEverything() throws {
        let read = try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(Self.report))
        #expect(read == Self.report)
    }

    @Test func theTextShowsUnavailableAndNotZero() {
        let markdown = ReportText.markdown(of: Self.report)
        #expect(markdown.contains("unavailable"))
        #expect(markdown.contains("2.50× [2.40–2.60]"))
        let text = ReportText.text(of: Self.report)
        #expect(text.contains("Unavailable here: system calls."))
        #expect(text.contains("2.50× [2.40–2.60]"))
        #expect(text.contains("511 ns"))
        #expect(text.contains("most foreign events in one send: 200"))
    }
}

@Suite struct FiguresTests {
    @Test func nonzeroFiguresNeverShowZero() {
        #expect(Figures.perEvent(0) == "0")
        #expect(Figures.perEvent(0.000_01) == "<0.001")
        #expect(Figures.perEvent(0.25) == "0.250")
        #expect(Figures.perEvent(4) == "4.00")
        #expect(Figures.perEvent(nil) == "unavailable")
    }

    @Test func aRatioIsTheSameOnlyIfItsIntervalIsNear1() {
        #expect(Figures.ratio(RatioEstimate(median: 1.1, low: 0.9, high: 1.3)) == "? [0.90–1.30]")
        #expect(Figures.ratio(RatioEstimate(median: 1, low: 0.97, high: 1.02)) == "same [0.97–1.02]")
        #expect(Figures.ratio(RatioEstimate(median: 4.1, low: 3.9, high: 4.3)) == "4.10× [3.90–4.30]")
        #expect(Figures.ratio(nil) == "–")
    }

    @Test func units() {
        #expect(Figures.duration(nanoseconds: 71) == "71.0 ns")
        #expect(Figures.duration(nanoseconds: 2_700) == "2.70 µs")
        #expect(Figures.duration(nanoseconds: 4_100_000) == "4.10 ms")
        #expect(Figures.duration(nanoseconds: 2_000_000_000) == "2.00 s")
        #expect(Figures.grouped(1_234_567) == "1,234,567")
        #expect(Figures.grouped(-42) == "-42")
    }

    @Test func columnsAreAligned() {
        var table = Table(["name", "figure"])
        table.add(["µ", "12"])
        table.add(["longer", "1"])
        #expect(
            table.text() == """
                name    figure
                ──────────────
                µ           12
                longer       1
                """)
    }

    @Test func theFirstModelNameIsUsed() {
        let description = "processor\t: 0\nmodel name\t: A: B 9\nmodel name\t: C\n"
        #expect(Host.cpuModel(in: description) == "A: B 9")
        #expect(Host.cpuModel(in: "") == nil)
    }
}
