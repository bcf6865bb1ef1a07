import CBenchmarkSupport
import Foundation

/// A measurement as a command line requests it, with its results.
public struct Measurement {
    public var report: Report
    let histograms: [String: [Build: Histogram]]
    let log: HistogramLog

    public var failures: [Failure] { report.failures ?? [] }

    /// Times `entries`.
    ///
    /// - Parameters:
    ///   - samples: The number of samples of each side; nil for that of the command line.
    ///   - singly: Whether a run is one unit of the scenario's granularity, without warm-up.
    ///   - extraTimeoutSeconds: The time for an answer, in addition to the usual 300 s.
    public static func timed(
        _ entries: [ScenarioEntry],
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool,
        settings: Settings? = nil,
        samples: Int? = nil,
        singly: Bool = false,
        extraTimeoutSeconds: Double = 0
    ) throws -> Measurement {
        let asked = try arguments.count("--samples", "a number of samples", least: Statistics.fewestPairs)
        let processes = try arguments.count("--processes", "a number of processes", least: 2)
        if let processes, let asked, processes > asked {
            throw UsageError("--processes \(processes) needs as many samples, not \(asked)")
        }
        try checkOutputs(arguments)
        noticeOthers()
        let start = Clock.now()
        // Before the run, whose own load isn't meant.
        let host = Host.current()
        let suite = Suite(
            names: tool.builds,
            main: try BenchmarkTool.ownPath(),
            alternative: try tool.alternative(arguments),
            earlier: try arguments["--against"].map { try earlier($0, tool.checkout) },
            settings: try Self.settings(settings ?? Settings(spin: .calibrated()), arguments, tool),
            samples: samples ?? asked ?? max(processes ?? 1, arguments.has("--quick") ? 6 : 40),
            processes: samples == nil ? processes : nil,
            timeoutSeconds: 300 + extraTimeoutSeconds)
        func measured(_ scenarios: [ScenarioReport], incomplete: String?) -> Measurement {
            var report = Report(host: host, scenarios: scenarios, failures: suite.failures, builds: tool.builds)
            report.calibration = suite.calibration
            report.incomplete = incomplete
            return Measurement(report, .time, start, suite.histograms, suite.log, tool)
        }
        if let json = arguments["--json"] {
            // What is in the file remains, however this process ends.
            suite.afterPass = { scenarios, done in
                guard !scenarios.isEmpty else { return }
                try? measured(scenarios, incomplete: done).report.write(to: json)
            }
        }
        defer { suite.afterPass = nil }
        let scenarios = suite.run(entries, singly: singly)
        return measured(scenarios, incomplete: suite.interruptedAfter)
    }

    /// The settings with the options that the workers read.
    private static func settings(
        _ settings: Settings,
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool
    ) throws -> Settings {
        var settings = settings
        settings.values.merge(try tool.parameters(arguments)) { $1 }
        settings.warmUpSeconds = try arguments.number("--warmup", "a number of seconds")
        settings.sampleMilliseconds = try arguments.count("--time", "a number of milliseconds")
        settings.threads = try arguments.count("--threads", "a number of threads")
        if let events = settings.values["events"], Int(events).map({ $0 > 0 }) != true {
            throw UsageError("-p events is a whole number from 1, not '\(events)'")
        }
        return settings
    }

    /// The executable of `--against`: the given file, or that of the given checkout.
    private static func earlier(_ path: String, _ checkout: CheckoutLayout?) throws -> String {
        let places = [path] + [checkout].compactMap(\.self).map { "\(path)/\($0.executable)" }
        for place in places where !TextFile.isFolder(place) && FileManager.default.isExecutableFile(atPath: place) {
            return place
        }
        throw UsageError("no executable at '\(places.joined(separator: "' or '"))'")
    }

    /// Counts `entries`.
    static func counted(
        _ entries: [ScenarioEntry],
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool,
        builds: [Build]? = nil
    ) throws -> Measurement {
        if arguments.has("--against") {
            throw UsageError("--against works with times only; compare compares the counts of two runs")
        }
        if arguments.has("--threads") {
            throw UsageError("--threads works with times only; scenarios with threads can't be counted")
        }
        try checkOutputs(arguments)
        noticeOthers()
        let start = Clock.now()
        let suite = try CountSuite(
            names: tool.builds, main: try BenchmarkTool.ownPath(), alternative: try tool.alternative(arguments),
            builds: builds, environment: try passed(arguments))
        guard suite.countsInstructions else {
            throw UsageError(
                "counting instructions needs Valgrind, which isn't on the PATH; install the package valgrind")
        }
        let leftOut = entries.filter(\.isThreaded).map(\.name)
        if leftOut.count == entries.count {
            throw UsageError("scenarios with threads can't be counted; select others")
        }
        if arguments.has("--filter"), !leftOut.isEmpty {
            BenchmarkTool.complain("left out, because they have threads: \(leftOut.joined(separator: ", "))")
        }
        let scenarios = suite.run(entries)
        let report = Report(host: .current(), scenarios: scenarios, failures: suite.failures, builds: tool.builds)
        return Measurement(report, .counts, start, [:], HistogramLog(), tool)
    }

    /// The variables of `--env`, which counted processes have. They have no others: see ``CountingTools/environment(_:)``.
    private static func passed(_ arguments: ParsedArguments) throws -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        let names = arguments.all("--env").flatMap { $0.split(separator: ",").map(String.init) }
        if let unknown = names.first(where: { own[$0] == nil }) {
            throw UsageError("--env \(unknown): there is no such variable")
        }
        let left = own.keys.filter { !names.contains($0) && !CountingTools.keeps($0) }.count
        if left > 0 {
            BenchmarkTool.complain(
                "counted without \(left) variables of the environment, whose size changes some counts; --env NAME passes one"
            )
        }
        return own.filter { names.contains($0.key) }
    }

    /// A measurement of nothing, for a command that has results but nothing to time.
    public static func ofNothing(_ tool: BenchmarkTool) -> Measurement {
        let report = Report(host: .current(), scenarios: [], failures: [], builds: tool.builds)
        return Measurement(report, .time, Clock.now(), [:], HistogramLog(), tool)
    }

    private init(
        _ report: Report,
        _ mode: Report.Mode,
        _ start: UInt64,
        _ histograms: [String: [Build: Histogram]],
        _ log: HistogramLog,
        _ tool: BenchmarkTool
    ) {
        var report = report
        report.mode = mode
        report.seconds = Double((Clock.now() - start) / 1_000_000) / 1000
        report.date = Date(timeIntervalSinceNow: -(report.seconds ?? 0)).ISO8601Format()
        report.command = ([tool.program] + CommandLine.arguments.dropFirst()).joined(separator: " ")
        self.report = report
        self.histograms = histograms
        self.log = log
    }

    /// Times or counts, depending on `--mode`.
    static func requested(
        _ entries: [ScenarioEntry],
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool
    ) throws -> Measurement {
        try arguments["--mode"] == "counts"
            ? counted(entries, arguments, tool) : timed(entries, arguments, tool)
    }

    /// Writes the requested files, reports failures, and returns the exit status.
    public func finish(_ arguments: ParsedArguments) throws -> Int32 {
        if let json = arguments["--json"] { try report.write(to: json) }
        if let directory = arguments["--hgrm"] { try writeHistograms(to: directory) }
        if let path = arguments["--hlog"] { try writeLog(to: path) }
        for failure in failures {
            BenchmarkTool.complain("FAILED \(failure.scenario), \(failure.build): \(failure.message)")
        }
        // As of a process that the interruption has ended.
        if report.incomplete != nil { return 128 + SIGINT }
        return failures.isEmpty ? 0 : 1
    }

    private func noticeNoLatencies(_ option: String) {
        guard histograms.isEmpty else { return }
        BenchmarkTool.complain("no scenario of this run measures latency; \(option) writes nothing")
    }

    private func writeLog(to path: String) throws {
        noticeNoLatencies("--hlog")
        if !log.intervals.isEmpty { try TextFile.write(log.text(program: BenchmarkTool.calledBy), to: path) }
    }

    private func writeHistograms(to directory: String) throws {
        noticeNoLatencies("--hgrm")
        for (scenario, builds) in histograms {
            for (build, histogram) in builds {
                let name = "\(scenario.replacing("/", with: "-"))-\(build).hgrm"
                try TextFile.write(HistogramText.text(of: histogram), to: "\(directory)/\(name)")
            }
        }
    }

    /// Throws if a file can't be written that the command line names: before the measurement and not after it.
    public static func checkOutputs(_ arguments: ParsedArguments) throws {
        if let output = arguments["--output"] { try TextFile.check(output) }
        if let directory = arguments["--hgrm"] {
            try TextFile.makeFolder(directory)
            guard FileManager.default.isWritableFile(atPath: directory) else {
                throw UsageError("can't write to '\(directory)'")
            }
        }
        for option in ["--json", "--hlog"] { if let path = arguments[option] { try TextFile.check(path) } }
    }

    /// Says so if another process of this user measures, too. Both would have other figures.
    private static func noticeOthers() {
        let path = FileManager.default.temporaryDirectory.path + "/benchmarkkit-\(getuid()).lock"
        // Safe: the string lives as long as the call.
        let other = unsafe bench_lock_file(path)
        guard other > 0 else { return }
        BenchmarkTool.complain("process \(other) is measuring, too; both disturb each other")
    }
}
