import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct PictureTests {
    private func row(_ name: String, _ low: Double, _ median: Double, _ high: Double, isDisturbed: Bool = false)
        -> ForestPlot.Row
    {
        let estimate = RatioEstimate(median: median, low: low, high: high)
        return ForestPlot.Row(
            name: name, anchor: Markup.anchor(name), estimate: estimate,
            style: ForestPlot.style(estimate.verdict(threshold: 0.1)), isDisturbed: isDisturbed)
    }

    /// The places of the dots, and their classes.
    private func dots(_ svg: String) -> [(x: Double, style: Substring)] {
        svg.matches(of: /<circle cx="([^"]+)" cy="[^"]+" r="4" class="dot ([^"]+)"/).map { (Double($0.1) ?? 0, $0.2) }
    }

    /// The horizontal ends of the lines of a class.
    private func lines(_ svg: String, _ style: String) -> [(x1: Double, x2: Double)] {
        svg.matches(of: /<line x1="([^"]+)" y1="[^"]+" x2="([^"]+)" y2="[^"]+" class="([^"]+)"/)
            .filter { $0.3 == style }.map { (Double($0.1) ?? 0, Double($0.2) ?? 0) }
    }

    @Test func aForestHasARowForEachRatio() throws {
        let rows = [
            row("slow<er>", 1.5, 2, 2.5), row("quicker", 0.4, 0.5, 0.6), row("same", 0.95, 1, 1.05),
            row("unknown", 0.01, 1, 100, isDisturbed: true),
        ]
        let svg = try #require(ForestPlot(title: "a ÷ b", rows: rows, threshold: 0.1).svg())
        let dots = dots(svg)
        #expect(dots.map(\.style) == ["more", "less", "same", "inconclusive hollow"])
        // 1 is halfway from 0.5 to 2, and the line at 1 goes through it.
        let one = try #require(lines(svg, "one").first)
        #expect(one.x1 == one.x2 && abs(one.x1 - dots[2].x) < 0.11)
        #expect(abs(dots[0].x + dots[1].x - 2 * one.x1) < 0.21 && dots[0].x > dots[1].x + 50)
        // The interval's ends are as far from 1 as the logarithms of 1.5 and 2.5 say.
        let interval = try #require(lines(svg, "reach more").first)
        let unit = (dots[0].x - one.x1) / log(2)
        #expect(abs(interval.x1 - one.x1 - unit * log(1.5)) < 0.21)
        #expect(abs(interval.x2 - one.x1 - unit * log(2.5)) < 0.21)
        let band = try #require(svg.firstMatch(of: /<rect x="([^"]+)" y="[^"]+" width="([^"]+)" [^>]*class="band"/))
        let (left, width) = (Double(band.1) ?? 0, Double(band.2) ?? 0)
        #expect(abs(left - one.x1 + unit * log(1.1)) < 0.21 && abs(width - 2 * unit * log(1.1)) < 0.21)
        // The widest interval leaves the picture on both sides, and no other one does.
        #expect(svg.ranges(of: "<polygon ").count == 2 && svg.ranges(of: "class=\"arrow inconclusive\"").count == 2)
        #expect(svg.contains(">slow&lt;er&gt;</text>") && svg.contains("<a href=\"#scenario-slow-er-\">"))
        #expect(svg.contains("<title>slow&lt;er&gt;: 2.00× [1.50–2.50]</title>"))
    }

    @Test func aForestOfNothingIsNone() {
        #expect(ForestPlot(title: "a", rows: [], threshold: 0.1).svg() == nil)
        #expect(ForestPlot(title: "a", rows: [row("zero", 0, 0, 0)], threshold: 0.1).svg() == nil)
    }

    @Test(arguments: [[0.93, 1.08], [0.5, 2], [0.01, 40], [0.000_001, 1e9], [3, 3], [1234, 1300]])
    func marksAreFewAndRound(values: [Double]) throws {
        let axis = try #require(LogAxis(around: values, from: 100, to: 0))
        let marks = axis.marks(atMost: 7)
        #expect((1...7).contains(marks.count), "\(marks)")
        for mark in marks {
            #expect(axis.values.contains(mark))
            #expect(Double(LogAxis.text(mark).replacing(",", with: "")).map { abs($0 / mark - 1) < 1e-9 } == true)
        }
        #expect(axis.place(values[0]) <= 100 && axis.place(values[0]) >= axis.place(values[1]))
        #expect(LogAxis(around: [0, 1], from: 0, to: 1) == nil)
    }

    @Test func aDotForEachSampleAndHollowOnesForDisturbedRounds() throws {
        let strips = [
            SampleChart.Strip(
                name: "library", style: "main", median: 10, passes: [[10, 10.5, 11], [10, 9.5, 500]],
                disturbed: [[], [0, 1]]),
            SampleChart.Strip(
                name: "direct", style: "direct", median: 2, passes: [[2], [2.1]], disturbed: [[0, 1], []]),
        ]
        let svg = try #require(SampleChart(title: "a<b>", unit: "ns", strips: strips).svg())
        let places = try #require(svg.firstMatch(of: /<path class="dots main" d="([^"]+)"/)).1
            .matches(of: /M([\d.]+) ([\d.]+)h0/).map { (x: Double($0.1) ?? 0, y: Double($0.2) ?? 0) }
        #expect(places.count == 5)
        #expect(places.map(\.x) == places.map(\.x).sorted())
        // Higher values are higher. The outlier is an arrow, and doesn't make the distances of the others smaller.
        #expect(places[0].y == places[3].y && places[2].y < places[1].y && places[4].y > places[0].y + 10)
        #expect(svg.ranges(of: "class=\"arrow main\"").count == 1)
        let holes = svg.matches(of: /class="holes" d="([^"]+)"/).map { $0.1.ranges(of: "h0").count }
        // A figure of a whole pass is hollow if one of its rounds was disturbed.
        #expect(holes == [2, 1])
        #expect(svg.contains("aria-label=\"a&lt;b&gt;: each sample in ns, by pass;"))
        #expect(SampleChart(title: "a", unit: "ns", strips: []).svg() == nil)
    }

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

    @Test func aPageHasHeatMapsOfLatenciesThatPassesHave() throws {
        var report = SampleReports.run(seed: 1, scenarios: 2, .quiet)
        #expect(try !HTMLReport.text(of: report).contains("class=\"heat\""))
        report.scenarios[0].builds["library"]?.passLatencies = [
            BuildReport.LatencyCounts(first: 18, counts: [5, 0, 1]), BuildReport.LatencyCounts(first: 20, counts: [2]),
        ]
        let page = try HTMLReport.text(of: report)
        let label = "scenario/0, library: latency over time: counts by pass"
        let map = try #require(page.firstRange(of: label)?.upperBound)
        let svg = page[map..<(try #require(page[map...].firstRange(of: "</svg>")?.lowerBound))]
        #expect(svg.matches(of: /M[\d. ]+h/).count == 3)
        for text in [">512 ns</text>", ">724 ns</text>", ">1.02 µs</text>"] { #expect(svg.contains(text), "\(text)") }
    }

    @Test func timesByInstructionsHaveADotForEachScenario() throws {
        var report = SampleReports.run(seed: 1, scenarios: 5, .quiet)
        #expect(try !HTMLReport.text(of: report).contains("id=\"instructions\""))
        for index in 0..<5 { report.scenarios[index].builds["library"]?.instructionsPerEvent = 10 * Double(index + 1) }
        // This one isn't a time per event.
        report.scenarios[4].unit = "ns/send, p99.9"
        let page = try HTMLReport.text(of: report)
        let start = try #require(page.firstRange(of: "id=\"instructions\"")?.upperBound)
        let section = page[start..<(try #require(page.firstRange(of: "id=\"scenarios\"")?.lowerBound))]
        let dots = section.matches(of: /<title>(scenario\/\d)<\/title><circle cx="([^"]+)" cy="([^"]+)"/)
            .sorted { $0.1 < $1.1 }
        #expect(dots.map { String($0.1) } == ["scenario/0", "scenario/1", "scenario/2", "scenario/3"])
        let places = dots.map { (x: Double($0.2) ?? 0, y: Double($0.3) ?? 0) }
        // From 10 to 20 instructions is as far as from 20 to 40.
        #expect(abs(places[3].x - places[1].x - (places[1].x - places[0].x)) < 0.21)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.x < $1.x && $0.y > $1.y })
    }
}
