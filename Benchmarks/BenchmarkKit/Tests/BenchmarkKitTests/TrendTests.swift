import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct TrendTests {
    /// A trend of multiples of `direct`, each with an interval of so many per cent to each side.
    private func trend(_ figures: [Double], reach: Double = 0.03, deviation: Double = RunMean.assumedDeviation) -> Trend
    {
        let points = figures.enumerated().map { run, figure in
            Trend.Point(
                run: run,
                estimate: RatioEstimate(median: figure, low: figure / (1 + reach), high: figure * (1 + reach)))
        }
        return Trend(points: points, deviation: deviation)
    }

    @Test func aChangeIsAtTheRunThatHasIt() throws {
        let change = try #require(trend([2, 2.02, 1.98, 2.01, 2.6, 2.62, 2.58]).change(splits: 6, threshold: 0.1))
        #expect(change.run == 4)
        #expect(change.estimate.low < 1.3 && change.estimate.median > 1.28 && change.estimate.high > 1.3)
        let lower = try #require(trend([2, 1, 1.01]).change(splits: 2, threshold: 0.1))
        #expect(lower.run == 1 && lower.estimate.high < 1)
    }

    @Test(arguments: [[2, 2.02, 1.98, 2.01, 2.04], [2, 2, 4, 2, 2, 2], [2, 3, 2, 3, 2, 3], [2], [2, 2.05]])
    func noiseAndOneBadRunAreNone(figures: [Double]) {
        #expect(trend(figures).change(splits: 5, threshold: 0.1) == nil)
    }

    /// Wide intervals hide what narrow ones show.
    @Test func theIntervalsOfTheRunsCount() {
        let figures = [2, 2.01, 2.6, 2.61]
        #expect(trend(figures, reach: 0.02).change(splits: 3, threshold: 0.1)?.run == 2)
        #expect(trend(figures, reach: 0.5).change(splits: 3, threshold: 0.1) == nil)
    }

    /// Times of two runs differ by more than multiples of `direct` do, and those by the clock most.
    @Test func whatRunsAreAssumedToDifferBy() {
        func run(direct: Bool, clock: Bool) -> ScenarioReport {
            var library = BuildReport(passes: [[10]])
            library.clockMedian = clock ? nil : 11
            let direct = direct ? BuildReport(passes: [[5]]) : nil
            return ScenarioReport(
                name: "a", unit: "ns/event", builds: ["library": library, "direct": direct].compactMapValues(\.self),
                ratios: [:])
        }
        func assumed(_ runs: ScenarioReport...) -> Double { RunMean.assumedDeviation(of: "library", in: runs) }
        let (relative, processor) = (run(direct: true, clock: true), run(direct: false, clock: false))
        #expect(assumed(relative, relative) == RunMean.assumedDeviation)
        #expect(assumed(processor, processor) == 0.03)
        #expect(assumed(processor, run(direct: false, clock: true)) == 0.2)
        // A jump that is one of multiples of `direct` is none of times by the clock.
        let figures = [2, 2.01, 2.4, 2.41]
        #expect(trend(figures, reach: 0.01).change(splits: 3, threshold: 0.1) != nil)
        #expect(trend(figures, reach: 0.01, deviation: 0.2).change(splits: 3, threshold: 0.1) == nil)
    }

    @Test func countsAreComparedExactly() {
        #expect(
            trend([100, 100, 102], reach: 0, deviation: Trend.countDeviation).change(splits: 2, threshold: 0.01)?.run
                == 2)
        #expect(
            trend([100, 100, 100], reach: 0, deviation: Trend.countDeviation).change(splits: 2, threshold: 0.01) == nil)
    }

    /// At most one in twenty of the trends without a change has one, as far as a thousand show, whether the intervals tell how
    /// runs vary or not.
    @Test(arguments: [0.01, 0.1])
    func falseAlarmsAreRare(deviation: Double) {
        var generator = SeededGenerator(seed: 11)
        let count = 1000
        let alarms = (0..<count).count { _ in
            let figures = (0..<8).map { _ in
                // Nearly normal.
                let sum = (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
                return 2 * exp(deviation * sum)
            }
            return trend(figures).change(splits: 7, threshold: 0.001) != nil
        }
        #expect(alarms <= 70, "\(alarms)")
    }

    private func runs() -> [TrendCommand.Run] {
        (0..<6).map { index in
            let slowed = index < 3 ? [:] : ["scenario/1": 2.0]
            return (
                "<\(index)>", SampleReports.run(seed: UInt64(index), scenarios: 4, slowed: slowed, .quiet)
            )
        }
    }

    @Test func thePageHasAPictureOfEachScenarioAndWhatHasChangedComesFirst() throws {
        var runs = runs()
        // A run without a scenario has no dot.
        runs[5].report.scenarios.remove(at: 0)
        let page = TrendPage.text(of: runs, BuildNames())
        #expect(page.ranges(of: "<svg role=\"img\" aria-label=\"").count == 4)
        #expect(page.ranges(of: "class=\"dot main").count == 4 * 6 - 1)
        let first = try #require(page.firstMatch(of: /aria-label="([^"]+)"/)?.1)
        #expect(first == "What has changed, and the first run after it", "\(first)")
        let picture = try #require(page.firstMatch(of: /<svg role="img" aria-label="([^"]+)"/)?.1)
        #expect(picture.hasPrefix("scenario/1: ") && picture.contains(" from &lt;3&gt; on"), "\(picture)")
        #expect(page.contains("<th scope=\"row\">scenario/1</th><td>&lt;3&gt;</td><td>"))
        // A line between the runs and the two means, of one scenario.
        #expect(page.ranges(of: "class=\"curve more\"").count == 3 && !page.contains("class=\"curve less\""))
        for word in ["http:", "https:", "src=", "@import", "url(", "<3>"] { #expect(!page.contains(word), "\(word)") }
    }

    @Test func theIntervalsEndWhereTheFiguresSay() throws {
        let trend = trend([1, 2, 4], reach: 0.5)
        let svg = try #require(TrendChart(title: "a", runs: ["x", "y", "z"], trend: trend, change: nil).svg())
        let dots = svg.matches(of: /<circle cx="([^"]+)" cy="([^"]+)"/).map { (Double($0.1) ?? 0, Double($0.2) ?? 0) }
        try #require(dots.count == 3)
        // A factor of 2 is the same distance everywhere, and runs are evenly spaced.
        #expect(abs(dots[0].1 - dots[1].1 - (dots[1].1 - dots[2].1)) < 0.21 && dots[0].1 > dots[1].1)
        #expect(abs(dots[1].0 - dots[0].0 - (dots[2].0 - dots[1].0)) < 0.21 && dots[0].0 < dots[1].0)
        let unit = (dots[0].1 - dots[1].1) / log(2)
        let whiskers = svg.matches(of: /<line x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)" class="reach main"/)
            .filter { $0.1 == $0.3 }.map { (Double($0.2) ?? 0, Double($0.4) ?? 0) }
        #expect(whiskers.count == 3)
        for (dot, ends) in zip(dots, whiskers) {
            #expect(abs(ends.0 - dot.1 - unit * log(1.5)) < 0.21 && abs(dot.1 - ends.1 - unit * log(1.5)) < 0.21)
        }
    }
}
