import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct ToolTests {
    private static let names = ["pipe/1", "pipe/10", "map/10"]

    private static let tool = BenchmarkTool(
        catalogue: names.map { ScenarioEntry($0, direct: { _ in Nothing() }, library: { _ in Nothing() }) },
        extensions: [
            BenchmarkTool.Extension(CommandDescription("replay", "play a log")) { _, _ in 7 }
        ])

    private final class Nothing: Scenario {
        func run(events: Int) {}
        func verify() {}
    }

    private func parse(_ arguments: String...) throws -> (name: String, arguments: ParsedArguments) {
        let (command, parsed) = try Self.tool.parse(arguments)
        return (command.name, parsed)
    }

    /// `--threads` makes scenarios that the catalogue doesn't have. It keeps those that it has.
    @Test func threadsMakeScenarios() throws {
        @Sendable func entry(_ name: String, unit: String = "ns/event") -> ScenarioEntry {
            ScenarioEntry(name, unit: unit, isThreaded: true, direct: { _ in Nothing() }, library: { _ in Nothing() })
        }
        let tool = BenchmarkTool(catalogue: [entry("send/2", unit: "ns/send"), entry("other")]) { threads in
            threads > 99 ? [] : [entry("send/\(threads)"), entry("take/\(threads)")]
        }
        func entries(_ arguments: String...) throws -> [ScenarioEntry] { try tool.entries(tool.parse(arguments).1) }
        #expect(try entries().map(\.name) == ["send/2", "other"])
        #expect(try entries("--threads", "3").map(\.name) == ["send/3", "take/3"])
        #expect(try entries("--threads", "2", "--filter", "send").map(\.unit) == ["ns/send"])
        #expect(try entries("list", "--threads=3", "--exclude", "send").map(\.name) == ["take/3"])
        for wrong in [["--threads", "100"], ["--threads", "0"], ["--threads", "3", "--filter", "other"]] {
            #expect(throws: UsageError.self) { try tool.entries(tool.parse(wrong).1) }
        }
        #expect(tool.run(["--threads", "3", "--mode", "counts"]) == 2)
        // A tool that makes none doesn't know the option.
        #expect(throws: UsageError.self) { try Self.tool.parse(["--threads", "3"]) }
    }

    @Test func withoutAChoiceTheMainScenariosRun() throws {
        let tool = BenchmarkTool(catalogue: Self.tool.catalogue, mainScenarios: ["pipe/10"])
        func names(_ arguments: String...) throws -> [String] {
            try tool.entriesToRun(tool.parse(arguments).1).map(\.name)
        }
        #expect(try names() == ["pipe/10"])
        #expect(try names("--quick") == ["pipe/10"])
        for all in [["--full"], ["--mode", "counts"], ["--against", "other"]] {
            #expect(try tool.entriesToRun(tool.parse(all).1).map(\.name) == Self.names)
        }
        #expect(try names("--filter", "map") == ["map/10"])
        #expect(try names("--exclude", "map") == ["pipe/1", "pipe/10"])
        // What isn't asked for by name is compared and kept as a whole.
        #expect(try tool.entries(tool.parse([]).1).map(\.name) == Self.names)
    }

    @Test func theDefaultCommandIsRun() throws {
        #expect(try parse().name == "run")
        let (name, arguments) = try parse("--quick", "--filter", "pipe,map", "--filter=x", "--json", "a.json")
        #expect(name == "run")
        #expect(arguments.has("--quick"))
        #expect(arguments.all("--filter") == ["pipe,map", "x"])
        #expect(arguments["--json"] == "a.json")
        #expect(try parse("run", "--quick").arguments.has("--quick"))
        #expect(try parse("--list").arguments.has("--list"))
    }

    @Test func commandsHaveTheirOptions() throws {
        #expect(try parse("compare", "a", "b", "--threshold", "5").arguments.words == ["a", "b"])
        #expect(try parse("report", "a.json", "-o", "b.html").arguments["--output"] == "b.html")
        #expect(try parse("run", "--format", "md").arguments["--format"] == "markdown")
        #expect(Self.tool.run(["help"]) == 0)
        #expect(Self.tool.run(["help", "compare"]) == 0)
        #expect(Self.tool.run(["help", "compaer"]) == 2)
        #expect(try parse("baseline", "check", "main", "--quick").arguments.words == ["check", "main"])
        #expect(Self.tool.run(["replay"]) == 7)
    }

    @Test(arguments: [
        (["compaer", "a", "b"], "unknown command 'compaer'; did you mean compare?"),
        (["zzzzzzzz"], "unknown command 'zzzzzzzz'; see --help"),
        (["compare", "a"], "compare needs A.json B.json; see compare --help"),
        (["compare", "a", "b", "c"], "compare doesn't take 'c'; see compare --help"),
        (["run", "--moed", "counts"], "unknown option '--moed'; did you mean --mode?"),
        (["--mode", "count"], "--mode is one of time, counts, not 'count'; did you mean counts?"),
        (["baseline", "chek"], "baseline takes one of save, list, check, delete, not 'chek'; did you mean check?"),
        (["list", "-o", "x"], "list doesn't take '-o'; see list --help"),
    ])
    func mistakesAreReportedInOneLine(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try Self.tool.parse(arguments) }
        #expect(Self.tool.run(arguments) == 2)
    }

    @Test func scenariosOnRequestNeedAFilter() throws {
        func entry(_ name: String, _ isOnRequest: Bool) -> ScenarioEntry {
            ScenarioEntry(name, isOnRequest: isOnRequest, direct: { _ in Nothing() }, library: { _ in Nothing() })
        }
        let tool = BenchmarkTool(catalogue: [
            entry("a/1", false), entry("a/2", true), entry("b/x/4", true), entry("b/y/4", true), entry("c", false),
        ])
        func names(_ arguments: String...) throws -> [String] {
            try tool.entries(tool.parse(arguments).1).map(\.name)
        }
        #expect(try names() == ["a/1", "c"])
        #expect(try names("--quick") == ["a/1", "c"])
        #expect(try names("--filter", "a") == ["a/1", "a/2"])
        #expect(try names("--filter", "b/y,c") == ["b/y/4", "c"])
        #expect(
            BenchmarkTool.noteOnRequests(tool.catalogue) == "measured only if --filter names them: a/2, b/*")
        #expect(BenchmarkTool.noteOnRequests(Self.tool.catalogue) == nil)
        #expect(tool.run(["list"]) == 0 && tool.run(["--list"]) == 0)
    }

    /// A prefix, `NAME$`, or `/EXPRESSION/`.
    @Test func filters() throws {
        func names(_ arguments: String...) throws -> [String] {
            try Self.tool.entries(Self.tool.parse(arguments).1).map(\.name)
        }
        #expect(try names("--filter", "pipe/1") == ["pipe/1", "pipe/10"])
        #expect(try names("--filter", "pipe/1$") == ["pipe/1"])
        #expect(try names("--filter", "map,pipe/1$") == ["pipe/1", "map/10"])
        #expect(try names("--filter", "/^(map|pipe).10{1,2}$/") == ["pipe/10", "map/10"])
        #expect(try names("--exclude", "pipe/1$") == ["pipe/10", "map/10"])
        #expect(try names("--filter", "pipe", "--exclude", "/0$/") == ["pipe/1"])
        for (wrong, message) in [
            (["--filter", "pip/1$"], "no scenario is called 'pip/1'; near: pipe/1, pipe/10"),
            (["--filter", "/x+/"], "no scenario matches /x+/; see --list"),
            (["--filter", "/(/"], "'/(/' isn't a regular expression"),
            (["--exclude", "pipe,map"], "--exclude leaves no scenario"),
            (["--exclude", ""], "--exclude needs PREFIX[,PREFIX…]"),
        ] {
            #expect(throws: UsageError(message)) { try Self.tool.entries(Self.tool.parse(wrong).1) }
        }
    }

    @Test func parametersHaveNames() throws {
        let tool = BenchmarkTool(catalogue: Self.tool.catalogue, parameters: ["size": "the size"])
        func parameters(_ arguments: String...) throws -> [String: String] {
            try tool.parameters(tool.parse(arguments).1)
        }
        #expect(try parameters("-p", "events=50", "-p", "size=a=b") == ["events": "50", "size": "a=b"])
        #expect(try parameters() == [:])
        #expect(throws: UsageError("-p takes NAME=VALUE, not 'size'")) { try parameters("-p", "size") }
        #expect(throws: UsageError("-p takes one of events, size, not 'sise'; did you mean size?")) {
            try parameters("-p", "sise=1")
        }
        #expect(tool.run(["run", "-p", "events=0"]) == 2 && tool.run(["run", "--processes", "1"]) == 2)
        #expect(tool.run(["run", "--processes", "9", "--samples", "8"]) == 2 && tool.run(["run", "--time", "0"]) == 2)
        #expect(HelpText.text(of: tool.commands, program: "bench").contains("size (the size)"))
    }

    @Test func runsInTheFormatOfJMH() throws {
        let text = try ReportText.text(of: SampleReports.full, as: .jmh)
        let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(list.count == 13)
        let first = try #require(list.first { $0["benchmark"] as? String == "contend.2.library" })
        #expect(first["mode"] as? String == "sample" && first["forks"] as? Int == 2 && first["threads"] as? Int == 1)
        let metric = try #require(first["primaryMetric"] as? [String: Any])
        #expect(metric["rawData"] as? [[Double]] == [[6, 8, 10], [8, 60]])
        #expect(metric["score"] as? Double == 21 && metric["scoreUnit"] as? String == "ns/send, p99.9")
        // Of the events, and not of the samples.
        let percentiles = try #require(SampleReports.full.scenarios[0].builds["library"]?.percentiles)
        #expect((metric["scorePercentiles"] as? [String: Double])?["99.9"] == percentiles["99.9"].map { Double($0) })
        var timed = SampleReports.full
        timed.scenarios[0].builds["library"]?.percentiles = nil
        #expect(try ReportText.text(of: timed, as: .jmh).contains("\"mode\" : \"avgt\""))
    }

    /// A run has none, but a file may. The fuzzer found it.
    @Test(arguments: [[[]], [[], [3.0]], []] as [[[Double]]])
    func passesWithoutSamplesHaveAFormOfJMH(passes: [[Double]]) throws {
        var report = SampleReports.full
        report.scenarios[0].builds["library"]?.passes = passes
        for format in OutputFormat.allCases { #expect(try !ReportText.text(of: report, as: format).isEmpty) }
    }

    @Test func theFormatOfJMHHasTheNumberOfThreads() throws {
        let entry = ScenarioEntry(
            "many", isThreaded: true, threads: 3, direct: { _ in throw CheckFailure("unused") },
            library: { _ in throw CheckFailure("unused") })
        var report = SampleReports.full
        report.failures = nil
        report.scenarios = [CollectedSamples().report(entry, BuildNames())]
        report.scenarios[0].builds["library"] = BuildReport(passes: [[1, 2]])
        let text = try ReportText.text(of: report, as: .jmh)
        let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(list.map { $0["threads"] as? Int } == [3])
    }

    @Test func trendsHaveAColumnForEachRun() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = (1...3).map { folder.path + "/run\($0).json" }
        for (index, file) in files.enumerated() {
            let slowed = ["scenario/1": Double(index + 1)]
            try SampleReports.run(seed: UInt64(index), scenarios: 2, slowed: slowed, .quiet).write(to: file)
        }
        let runs = try files.map { (name: "run", report: try Report(readingFrom: $0)) }
        let table = TrendCommand.table(of: runs, main: .library)
        #expect(table.titles == ["scenario", "run", "run (2)", "run (3)", "last/first"])
        #expect(table.csv().split(separator: "\n")[2].hasSuffix("×"))
        #expect(Self.tool.run(["trend"] + files) == 0)
        #expect(Self.tool.run(["trend", "--directory", folder.path, "--format", "csv"]) == 0)
        let page = folder.path + "/trend.html"
        #expect(Self.tool.run(["trend", "--html", page] + files) == 0)
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("<h1>Trend of 3 runs</h1>"))
        #expect(Self.tool.run(["trend", files[0]]) == 2)
        let counts = folder.path + "/counts.json"
        try SampleReports.counts([("a", 1, 0)]).write(to: counts)
        #expect(Self.tool.run(["trend", files[0], counts]) == 2)
    }

    @Test func numbersAreChecked() throws {
        let parsed = try parse("compare", "a", "b", "--threshold", "-1").arguments
        #expect(throws: UsageError.self) { try parsed.number("--threshold", "a percentage") }
        let samples = try parse("--samples", "2").arguments
        #expect(throws: UsageError.self) { try samples.count("--samples", "a number", least: 6) }
    }

    @Test func theHelpNamesEveryCommandAndOption() {
        let help = HelpText.text(of: Self.tool.commands, program: "bench")
        for command in Self.tool.commands where !command.isHidden {
            #expect(help.contains("  \(command.name) "))
            let own = HelpText.text(of: command, program: "bench")
            for option in command.options where !option.isHidden { #expect(own.contains(option.name)) }
        }
        #expect(!help.contains("\n  only "))
    }

    /// A paragraph fills the lines of any terminal, and the words of a list stand below each other.
    @Test func theHelpFitsTheTerminal() throws {
        for width in [80, 100, 200] {
            for command in Self.tool.commands {
                let lines = HelpText.text(of: command, program: "bench", width: width).split(separator: "\n")
                #expect(lines.dropFirst().allSatisfy { $0.count <= width }, "\(command.name)")
            }
            let lines = HelpText.text(of: Self.tool.commands, program: "bench", width: width).split(separator: "\n")
            let status = try #require(lines.firstIndex { $0.hasPrefix("Exit status") })
            #expect(lines[status...].dropLast().allSatisfy { $0.count > width - 25 })
        }
        let baseline = HelpText.text(of: .baseline, program: "bench", width: 80)
        #expect(baseline.contains("\n  list                    lists the saved runs\n"))
        let compare = HelpText.text(of: .compare, program: "bench", width: 80)
        let paragraph = "\nTimes are compared as multiples of direct, which the same run measured, or as\nthey are if"
        #expect(compare.contains(paragraph))
    }

    @Test func comparisonsHaveNoFormatOfJMH() {
        #expect(Self.tool.run(["compare", "a.json", "b.json", "--format", "jmh"]) == 2)
        #expect(Self.tool.run(["baseline", "check", "main", "--format", "compact"]) == 2)
    }

    @Test func baselinesAreSavedListedAndChecked() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.json").path
        let place = ["--directory", folder.appendingPathComponent("saved").path]
        try SampleReports.counts([("a", 100, 0)]).write(to: file)
        #expect(Self.tool.run(["baseline", "save", "main", file] + place) == 0)
        #expect(Self.tool.run(["baseline", "list"] + place) == 0)
        #expect(Self.tool.run(["baseline", "check", "main", file] + place) == 0)
        try SampleReports.counts([("a", 105, 0)]).write(to: file)
        #expect(Self.tool.run(["baseline", "check", "main", file] + place) == 1)
        #expect(Self.tool.run(["baseline", "check", "mian", file] + place) == 2)
        #expect(Self.tool.run(["baseline", "save", "../main", file] + place) == 2)
        #expect(Self.tool.run(["baseline", "delete", "mian"] + place) == 2)
        #expect(Self.tool.run(["baseline", "delete", "main"] + place) == 0)
        #expect(Self.tool.run(["baseline", "check", "main", file] + place) == 2)
    }

    @Test func thresholdsAreWrittenAndChecked() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("counts.json").path
        let place = ["--directory", folder.appendingPathComponent("thresholds").path]
        try SampleReports.counts([("pipe/1", 100, 0), ("map/10", 50, 1)]).write(to: file)
        #expect(Self.tool.run(["thresholds", "check", file] + place) == 0)
        #expect(Self.tool.run(["thresholds", "update", file] + place) == 0)
        #expect(Self.tool.run(["thresholds", "check", file] + place) == 0)
        try SampleReports.counts([("pipe/1", 105, 0), ("map/10", 50, 1)]).write(to: file)
        #expect(Self.tool.run(["thresholds", "check", file] + place) == 1)
        #expect(Self.tool.run(["thresholds", "check", file, "--filter", "map"] + place) == 0)
        try SampleReports.counts([("pipe/1", 95, 0), ("map/10", 50, 1)]).write(to: file)
        #expect(Self.tool.run(["thresholds", "check", file] + place) == 1)
    }

    @Test func reportsAreWritten() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.json").path
        try SampleReports.full.write(to: file)
        #expect(Self.tool.run(["report", file]) == 0)
        let page = try String(contentsOfFile: folder.appendingPathComponent("run.html").path, encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        for format in OutputFormat.allCases {
            let output = folder.appendingPathComponent("out.\(format)").path
            #expect(Self.tool.run(["report", file, "--format", format.rawValue, "-o", output]) == 0)
            #expect(
                try String(contentsOfFile: output, encoding: .utf8).contains(format == .jmh ? "contend.8" : "contend/8")
            )
        }
        #expect(Self.tool.run(["report", file + ".not"]) == 2)
        #expect(Self.tool.run(["report", file, "--before", file]) == 0)
        #expect(Self.tool.run(["report", file, "--before", file, "--format", "csv"]) == 2)
        #expect(Self.tool.run(["report", file, "-o", folder.path]) == 2)
        #expect(Self.tool.run(["report", file, "-o", folder.path + "/no/folder.html"]) == 2)
    }

    @Test func aFailedWriteIsReportedInOneLine() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func problem(_ path: String) -> String {
            do { try TextFile.write("", to: path) } catch { return "\(error)" }
            return ""
        }
        #expect(problem(folder.path) == "can't write '\(folder.path)': it is a folder")
        let inner = folder.path + "/no/a.json"
        #expect(problem(inner) == "can't write '\(inner)': there is no folder '\(folder.path)/no'")
        #expect(problem(folder.path + "/a.json") == "")
        #expect(problem(folder.path + "/a.json/b").hasSuffix("a.json' isn't a folder"))
    }

    @Test func theOtherExecutableHasToExist() {
        #expect(Self.tool.run(["run", "--quick", "--against", "/nowhere"]) == 2)
        #expect(Self.tool.run(["run", "--mode", "counts", "--against", "/bin/sh"]) == 2)
    }

    /// 0 if everything is the same, 1 for a regression, 3 if conclusions are required and missing.
    @Test func theStatusSaysWhatACompareFound() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second, slow) = (folder.path + "/1.json", folder.path + "/2.json", folder.path + "/3.json")
        try SampleReports.run(seed: 1, scenarios: 3, samples: 6, .quiet).write(to: first)
        try SampleReports.run(seed: 2, scenarios: 3, samples: 6, .quiet).write(to: second)
        try SampleReports.run(seed: 3, scenarios: 3, samples: 6, slowed: ["scenario/1": 3], .quiet).write(to: slow)
        #expect(Self.tool.run(["compare", first, second]) == 0)
        #expect(Self.tool.run(["compare", first, second, "--require-conclusive", "--threshold", "1"]) == 3)
        #expect(Self.tool.run(["compare", first, second, "--require-conclusive", "--threshold", "900"]) == 0)
        #expect(Self.tool.run(["compare", first, slow, "--require-conclusive"]) == 1)
        #expect(Self.tool.run(["run", "--require-conclusive"]) == 2)
        #expect(Self.tool.run(["baseline", "save", "x", first, "--require-conclusive"]) == 2)
    }

    @Test func countsAreAddedToTimes() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (times, counts) = (folder.path + "/times.json", folder.path + "/counts.json")
        let output = folder.path + "/out.md"
        try SampleReports.run(seed: 1, scenarios: 2, .quiet).write(to: times)
        try SampleReports.counts([("scenario/0", 1234, 7)]).write(to: counts)
        let command = ["report", times, "--format", "md", "-o", output, "--counts"]
        #expect(Self.tool.run(command + [counts]) == 0)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.contains("| instr direct | instr library |"))
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("| scenario/0") })
        #expect(line.contains("×") && line.contains(" 7.00 |") && line.contains(" 1,234 |"))
        #expect(Self.tool.run(command + [times]) == 2)
    }

    @Test func tablesInOtherFormats() {
        var table = Table(["name", "figure"])
        table.add(["a|b", "1,5"])
        #expect(table.markdown() == "| name | figure |\n| --- | ---: |\n| a\\|b | 1,5 |")
        #expect(table.csv() == "name,figure\na|b,\"1,5\"")
    }

    @Test func progressEstimatesTheRest() {
        #expect(ProgressLine.times(elapsed: 1, done: 0.5) == "1 s")
        #expect(ProgressLine.times(elapsed: 60, done: 0.25) == "60 s, about 180 s left")
    }
}
