import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct HTMLReportTests {
    private static let report = SampleReports.full

    @Test func nothingComesFromElsewhere() throws {
        let page = try HTMLReport.text(of: Self.report)
        for word in ["http:", "https:", "src=", "@import", "url("] { #expect(!page.contains(word), "\(word)") }
        #expect(!page.contains("<script>alert"))
        #expect(page.contains("&lt;b&gt;no&lt;/b&gt;"))
    }

    @Test func chartsSayWhatTheyShowAndStandBesideTables() throws {
        let page = try HTMLReport.text(of: Self.report)
        let charts = page.ranges(of: "<svg ").count
        #expect(charts == page.ranges(of: "role=\"img\" aria-label=\"").count)
        // A bar chart and a percentile curve for each scenario, and a scaling chart for the family of three.
        #expect(charts == 2 * 4 + 1)
        #expect(page.ranges(of: "<caption>").count == 1 + 2 * 4)
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("width=device-width"))
    }

    @Test func theFiguresOfThePageAreThoseOfTheReport() throws {
        try check(HTMLReport.text(of: Self.report))
    }

    @Test func anEmptyReportIsAPage() throws {
        let page = try HTMLReport.text(of: Report(host: SampleReports.host, scenarios: [], failures: []))
        #expect(page.contains("</html>"))
    }

    @Test(.timeLimit(.minutes(5)))
    func aBrowserShowsIt() throws {
        guard let browser = Tools.browser else {
            return Tools.notice("no Chromium here: the page wasn't opened; Benchmarks/check installs one")
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("report.html")
        try Data(HTMLReport.text(of: Self.report).utf8).write(to: file)
        let shown = try Tools.run(
            browser,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
                "--user-data-dir=\(folder.path)/profile", "--dump-dom", file.absoluteString,
            ])
        #expect(shown.status == 0)
        #expect(shown.output.contains("</html>"))
        let complaints = shown.errors.split(separator: "\n").filter { $0.contains("CONSOLE") }
        #expect(complaints.isEmpty, "\(complaints)")
        try check(shown.output)
    }

    /// Every figure in the page's cells is the report's, and every median and ratio of the report has a cell.
    private func check(_ page: String) throws {
        let json = try JSONSerialization.jsonObject(with: Data(Self.report.json().utf8)) as? [String: Any]
        let scenarios = try #require(json?["scenarios"] as? [[String: Any]])
        let cell = /<td data-scenario="([^"]*)" data-figure="([^"]*)" data-value="([^"]*)">/
        var seen: Set<String> = []
        for match in page.matches(of: cell) {
            let name = unescaped(String(match.1))
            let scenario = try #require(scenarios.first { $0["name"] as? String == name })
            let value = try #require(figure(String(match.2), in: scenario), "\(match.2)")
            #expect(Double(match.3) == value, "\(name) \(match.2)")
            seen.insert("\(name) \(match.2)")
        }
        for scenario in Self.report.scenarios {
            for build in scenario.builds.keys { #expect(seen.contains("\(scenario.name) builds.\(build).median")) }
            for ratio in scenario.ratios.keys { #expect(seen.contains("\(scenario.name) ratios.\(ratio).median")) }
            #expect(seen.contains("\(scenario.name) builds.naive.percentiles.99.9"))
        }
    }

    /// What is at `builds.lockfree.percentiles.99.9`: names may have points in them.
    private func figure(_ path: String, in object: [String: Any]) -> Double? {
        for (name, value) in object {
            if path == name { return (value as? NSNumber)?.doubleValue }
            if path.hasPrefix(name + "."), let inner = value as? [String: Any] {
                return figure(String(path.dropFirst(name.count + 1)), in: inner)
            }
        }
        return nil
    }

    private func unescaped(_ text: String) -> String {
        text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
