import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct HTMLReportTests {
    private static let report = SampleReports.full

    @Test func thePageNeedsNoOtherFiles() throws {
        let page = try HTMLReport.text(of: Self.report)
        for word in ["http:", "https:", "src=", "@import", "url("] { #expect(!page.contains(word), "\(word)") }
        #expect(!page.contains("<script>alert"))
        #expect(page.contains("&lt;b&gt;no&lt;/b&gt;"))
    }

    @Test func chartsHaveLabelsAndTables() throws {
        let page = try HTMLReport.text(of: Self.report)
        let charts = page.ranges(of: "<svg ").count
        #expect(charts == page.ranges(of: "role=\"img\" aria-label=\"").count)
        // Of each scenario, the samples, a percentile curve and three heat maps; a scaling chart for the family of three, and a
        // plot of each ratio.
        #expect(charts == 5 * 4 + 1 + 2)
        #expect(page.ranges(of: "<caption>").count == 1 + 2 * 4 + 1)
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("width=device-width"))
    }

    @Test func thePageHasTheFiguresOfTheReport() throws {
        try check(HTMLReport.text(of: Self.report))
    }

    /// With an earlier run, the page begins with what has changed, and regressions come first.
    @Test func changesComeFirst() throws {
        let before = SampleReports.run(seed: 1, scenarios: 4, .quiet)
        let after = SampleReports.run(seed: 2, scenarios: 4, slowed: ["scenario/1": 0.5, "scenario/2": 2], .quiet)
        let page = try HTMLReport.text(of: after, comparison: Comparison(from: before, to: after))
        let changes = try #require(page.range(of: "id=\"changes\"")?.lowerBound)
        let overview = try #require(page.range(of: "id=\"overview\"")?.lowerBound)
        #expect(changes < overview)
        let section = page[changes..<overview]
        let slower = try #require(section.range(of: ">scenario/2<")?.lowerBound)
        let quicker = try #require(section.range(of: ">scenario/1<")?.lowerBound)
        #expect(
            slower < quicker && section.contains("2 REGRESSIONS: scenario/2.") && section.contains("REGRESSION</td>"))
        // The table has no row of what is the same, and the picture has: four scenarios of two builds.
        let table = try #require(section.range(of: "<table")?.lowerBound)
        #expect(!section[table...].contains(">scenario/0<"))
        #expect(section[..<table].ranges(of: "<circle ").count == 8)
        #expect(section[..<table].ranges(of: "class=\"dot regression").count == 2)
    }

    @Test func whatTheMachineIsAndDoesIsShown() throws {
        var report = Self.report
        report.host.kernel = "6.1.0"
        report.host.hypervisor = "A maker"
        report.host.governor = "performance"
        report.host.load = 1.25
        let page = try HTMLReport.text(of: report)
        for text in ["6.1.0", "A maker", "performance", "1.25 on 2 cores"] {
            #expect(page.contains(">\(text)<"), "\(text)")
        }
        #expect(!page.contains("single pass"))
        let pass = BuildReport(passes: [[1, 2, 3, 4, 5, 6]])
        report.scenarios = [ScenarioReport(name: "x", unit: "ns/event", builds: ["direct": pass], ratios: [:])]
        #expect(try HTMLReport.text(of: report).contains("This run was a single pass"))
        #expect(BenchmarkKit.Host.load(in: "0.52 0.58 0.59 1/467 123") == 0.52)
        let flags = "flags\t\t: fpu hypervisor lm\n"
        #expect(BenchmarkKit.Host.hypervisor(in: flags, vendor: "QEMU") == "QEMU")
        #expect(BenchmarkKit.Host.hypervisor(in: flags, vendor: nil) == "yes")
        #expect(BenchmarkKit.Host.hypervisor(in: "flags\t\t: fpu lm\n", vendor: "Dell") == nil)
    }

    @Test func everySectionAndScenarioIsInTheContents() throws {
        let page = try HTMLReport.text(of: Self.report)
        let end = try #require(page.range(of: "</nav>")?.upperBound)
        for place in page[..<end].matches(of: /href="#([^"]+)"/) {
            #expect(page.contains("id=\"\(place.1)\""), "\(place.1)")
        }
        for scenario in Self.report.scenarios {
            #expect(page[..<end].contains("#\(Markup.anchor(scenario.name))\""), "\(scenario.name)")
        }
    }

    /// A click sorts the overview, and text in the field filters the scenarios.
    @Test(.timeLimit(.minutes(5))) func theOverviewIsSortedAndFiltered() throws {
        let test = """
            <script>
            const rows = () => [...document.querySelectorAll("table.sortable tbody tr")];
            const names = () => rows().filter((row) => !row.hidden).map((row) => row.dataset.name).join(",");
            const button = [...document.querySelectorAll("table.sortable button")].find((b) => b.textContent === "library");
            const said = [];
            button.click(); said.push(names());
            button.click(); said.push(names());
            const input = document.querySelector("#filter input");
            input.value = "CONTEND/4"; input.dispatchEvent(new Event("input"));
            said.push(names(), [...document.querySelectorAll("article[data-name]")].filter((a) => !a.hidden).length);
            document.documentElement.dataset.said = said.join(" ");
            </script></body>
            """
        var report = Self.report
        report.scenarios.removeLast()
        let page = try HTMLReport.text(of: report).replacing("</body>", with: test)
        guard let shown = try shown(page) else { return }
        #expect(shown.complaints.isEmpty, "\(shown.complaints)")
        let said = try #require(shown.page.firstMatch(of: /data-said="([^"]+)"/))
        #expect(said.1 == "contend/2,contend/4,contend/8 contend/8,contend/4,contend/2 contend/4 1", "\(said.1)")
    }

    /// Without the alternative build, nothing names it.
    @Test func missingBuildsHaveNoColumns() throws {
        var report = Self.report
        for index in report.scenarios.indices {
            report.scenarios[index].builds["alternative"] = nil
            report.scenarios[index].ratios["alternative/library"] = nil
        }
        report.failures = nil
        let page = try HTMLReport.text(of: report)
        #expect(!page.contains(">alternative<") && !page.contains("alternative/library") && page.contains(">library<"))
    }

    @Test func anEmptyReportIsAPage() throws {
        let page = try HTMLReport.text(of: Report(host: SampleReports.host, scenarios: [], failures: []))
        #expect(page.contains("</html>"))
    }

    /// Opens a page in a browser. Returns its elements and the browser's messages.
    private func shown(_ page: String, _ options: String...) throws -> (page: String, complaints: [Substring])? {
        guard let browser = Tools.browser else {
            Tools.notice("Chromium isn't installed: the page isn't opened in a browser")
            return nil
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("report.html")
        try Data(page.utf8).write(to: file)
        let shown = try Tools.run(
            browser,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
                "--user-data-dir=\(folder.path)/profile",
            ] + options + ["--dump-dom", file.absoluteString])
        #expect(shown.status == 0)
        return (shown.output, shown.errors.split(separator: "\n").filter { $0.contains("CONSOLE") })
    }

    @Test(.timeLimit(.minutes(5)))
    func aBrowserShowsIt() throws {
        guard let shown = try shown(HTMLReport.text(of: Self.report)) else { return }
        #expect(shown.page.contains("</html>"))
        #expect(shown.complaints.isEmpty, "\(shown.complaints)")
        try check(shown.page)
    }

    /// On a phone, only tables are wider than the page, and they scroll on their own, beside the names. On a desktop, the tables
    /// fit, too. The colours follow the system's setting.
    @Test(.timeLimit(.minutes(5)), arguments: [390, 1440])
    func itFitsAPhoneAndADesktopAndHasADarkMode(width: Int) throws {
        // A comparison with long names, and changes that need many words.
        var before = Self.report
        before.scenarios[0].name = "memory/pipe/observed/by/many"
        var after = before
        after.scenarios[0].builds["library"] = BuildReport(passes: [[1, 90, 5], [4, 3000, 80]])
        let comparison = try Comparison(from: before, to: after)
        #expect(!comparison.inconclusive.isEmpty)
        // In a frame, because windows can't be that narrow.
        let page = """
            <!DOCTYPE html><title>x</title>
            <iframe id="phone" width="\(width)" height="800" style="border: 0"
                srcdoc="\(Markup.escaped(try HTMLReport.text(of: after, comparison: comparison)))"></iframe>
            <script>
            onload = () => {
                const page = document.getElementById("phone").contentDocument, root = page.documentElement;
                const wide = [...page.querySelectorAll("main *")].filter(
                    (e) => !e.closest(".scroll") && e.getBoundingClientRect().right > root.clientWidth + 1);
                const figures = page.querySelectorAll("table.sortable tbody td[data-value]");
                const isSeen = [figures[0], figures[1]].every((e) => e.getBoundingClientRect().right <= root.clientWidth);
                const names = [...page.querySelectorAll("table.sortable tbody th, table.changes tbody th")];
                const isLegible = names.every((e) => e.getBoundingClientRect().width >= 80);
                const right = (name) => page.querySelector(name).getBoundingClientRect().right;
                const fits = right("table.changes") <= root.clientWidth;
                const isWhole = right("table.sortable") <= root.clientWidth;
                // The first column stays where it is while the table scrolls below it.
                const name = page.querySelector("table.sortable tbody th"), region = name.closest(".scroll");
                const left = name.getBoundingClientRect().left;
                region.scrollLeft = 100;
                const hasStayed = name.getBoundingClientRect().left === left && (isWhole || region.scrollLeft > 0);
                // Both exclude the scroll bar.
                document.documentElement.dataset.said = [root.clientWidth, root.scrollWidth, wide.length,
                    getComputedStyle(page.body).backgroundColor.replaceAll(" ", ""),
                    isSeen && isLegible && fits && hasStayed, isWhole].join(" ");
            };
            </script>
            """
        var colours: Set<Substring> = []
        for scheme in ["0", "1"] {
            let options = "--blink-settings=preferredColorScheme=\(scheme)"
            guard let shown = try shown(page, "--virtual-time-budget=5000", options) else { return }
            let said = try #require(
                shown.page.firstMatch(of: /data-said="(\d+) (\d+) (\d+) ([^ "]+) ([^ "]+) ([^"]+)"/), "\(shown.page)")
            #expect(said.1 == said.2 && said.3 == "0", "\(said.0)")
            // The first figures are beside the names, names aren't broken letter by letter, and changes are in sight.
            #expect(said.5 == "true", "\(said.0)")
            #expect(said.6 == (width > 1000 ? "true" : "false"), "\(said.0)")
            colours.insert(said.4)
        }
        #expect(colours.count == 2, "\(colours)")
    }

    /// On paper, between the margins of a sheet of A4, nothing is wider than the sheet, not even a table, and what is clicked
    /// on is hidden.
    @Test(.timeLimit(.minutes(5))) func itFitsPaper() throws {
        let page = try HTMLReport.text(of: Self.report)
        let rules = try #require(page.firstRange(of: "@media print {"))
        #expect(page[rules.upperBound...].contains("article, svg, tr, dl, .warning { break-inside: avoid; }"))
        let framed = """
            <!DOCTYPE html><title>x</title>
            <iframe id="paper" width="703" height="800" style="border: 0"
                srcdoc="\(Markup.escaped(page.replacing("@media print {", with: "@media all {")))"></iframe>
            <script>
            onload = () => {
                const page = document.getElementById("paper").contentDocument, root = page.documentElement;
                const wide = [...page.querySelectorAll("main *")].filter(
                    (e) => e.getBoundingClientRect().right > root.clientWidth + 1);
                const hidden = ["nav", "#filter"].every((name) => page.querySelector(name).offsetHeight === 0);
                document.documentElement.dataset.said = [wide.length, hidden].join(" ");
            };
            </script>
            """
        guard let shown = try shown(framed, "--virtual-time-budget=5000") else { return }
        let said = try #require(shown.page.firstMatch(of: /data-said="([^"]+)"/))
        #expect(said.1 == "0 true", "\(said.1)")
    }

    /// Checks that each figure of the page is in the report, and that each median and ratio of the report has a cell.
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
            #expect(seen.contains("\(scenario.name) builds.alternative.percentiles.99.9"))
        }
    }

    /// The figure at a path such as `builds.library.percentiles.99.9`. Names may contain points.
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
