import Foundation

/// Measures as a command line says, and keeps what there is to tell.
public struct Measurement {
    public let report: Report
    let histograms: [String: [Build: Histogram]]

    public var failures: [Failure] { report.failures ?? [] }

    /// Times `entries`.
    ///
    /// - Parameters:
    ///   - samples: How often each side is measured, if the command line isn't asked.
    ///   - singly: A run is one unit of a scenario, however short; see ``Suite``.
    ///   - patienceSeconds: How much longer than usual a build may take to answer.
    public static func timed(
        _ entries: [ScenarioEntry],
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool,
        settings: Settings? = nil,
        samples: Int? = nil,
        singly: Bool = false,
        patienceSeconds: Double = 0
    ) throws -> Measurement {
        let asked = try arguments.count("--samples", "a number of samples", least: Statistics.fewestPairs)
        try checkOutputs(arguments)
        let start = Clock.now()
        let suite = Suite(
            lockfree: try BenchmarkTool.ownPath(),
            naive: try tool.naive(arguments),
            earlier: try arguments["--against"].map(earlier),
            settings: settings ?? Settings(spin: .calibrated()),
            samples: samples ?? asked ?? (arguments.has("--quick") ? 6 : 40),
            timeoutSeconds: 300 + patienceSeconds)
        let scenarios = suite.run(entries, singly: singly)
        var report = Report(host: .current(), scenarios: scenarios, failures: suite.failures)
        report.calibration = suite.calibration
        return Measurement(report, .time, start, suite.histograms, tool)
    }

    /// The executable that `--against` means: itself, or the one that was built in a checkout.
    private static func earlier(_ path: String) throws -> String {
        let places = [path, path + "/Benchmarks/.build/lockfree/release/corinth-bench"]
        for place in places where !TextFile.isFolder(place) && FileManager.default.isExecutableFile(atPath: place) {
            return place
        }
        throw UsageError("no executable at '\(path)', and none built by Benchmarks/run in a checkout there")
    }

    /// Counts `entries`.
    static func counted(
        _ entries: [ScenarioEntry],
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool,
        builds: [Build] = Build.allCases
    ) throws -> Measurement {
        if arguments.has("--against") {
            throw UsageError("--against is for times; counts of two runs compare to the unit: see compare --help")
        }
        try checkOutputs(arguments)
        let start = Clock.now()
        let suite = try CountSuite(
            lockfree: try BenchmarkTool.ownPath(), naive: try tool.naive(arguments), builds: builds)
        guard suite.countsInstructions else {
            throw UsageError(
                "counting instructions takes Valgrind, which isn't on the PATH; install the package valgrind")
        }
        let leftOut = entries.filter(\.isThreaded).map(\.name)
        if leftOut.count == entries.count {
            throw UsageError("what has threads can't be counted; choose other scenarios")
        }
        if arguments.has("--filter"), !leftOut.isEmpty {
            BenchmarkTool.complain("left out, since they have threads: \(leftOut.joined(separator: ", "))")
        }
        let scenarios = suite.run(entries)
        let report = Report(host: .current(), scenarios: scenarios, failures: suite.failures)
        return Measurement(report, .counts, start, [:], tool)
    }

    private init(
        _ report: Report,
        _ mode: Report.Mode,
        _ start: UInt64,
        _ histograms: [String: [Build: Histogram]],
        _ tool: BenchmarkTool
    ) {
        var report = report
        report.mode = mode
        report.seconds = Double((Clock.now() - start) / 1_000_000) / 1000
        report.command = ([tool.program] + CommandLine.arguments.dropFirst()).joined(separator: " ")
        self.report = report
        self.histograms = histograms
    }

    /// Times or counts, as `--mode` says.
    static func asAsked(
        _ entries: [ScenarioEntry],
        _ arguments: ParsedArguments,
        _ tool: BenchmarkTool
    ) throws -> Measurement {
        try arguments["--mode"] == "counts"
            ? counted(entries, arguments, tool) : timed(entries, arguments, tool)
    }

    /// Writes the files that were asked for, tells of failures, and returns the exit status.
    public func finish(_ arguments: ParsedArguments) throws -> Int32 {
        if let json = arguments["--json"] { try report.write(to: json) }
        if let directory = arguments["--hgrm"] { try writeHistograms(to: directory) }
        for failure in failures {
            BenchmarkTool.complain("FAILED \(failure.scenario), \(failure.build): \(failure.message)")
        }
        return failures.isEmpty ? 0 : 1
    }

    private func writeHistograms(to directory: String) throws {
        if histograms.isEmpty {
            BenchmarkTool.complain("no scenario that was run measures latency; --hgrm writes nothing")
        }
        for (scenario, builds) in histograms {
            for (build, histogram) in builds {
                let name = "\(scenario.replacing("/", with: "-"))-\(build).hgrm"
                try TextFile.write(HistogramText.text(of: histogram), to: "\(directory)/\(name)")
            }
        }
    }

    /// Better now than after minutes of measuring.
    private static func checkOutputs(_ arguments: ParsedArguments) throws {
        if let directory = arguments["--hgrm"] {
            try TextFile.makeFolder(directory)
            guard FileManager.default.isWritableFile(atPath: directory) else {
                throw UsageError("can't write to '\(directory)'")
            }
        }
        guard let path = arguments["--json"] else { return }
        let existed = FileManager.default.fileExists(atPath: path)
        guard let file = FileHandle(forUpdatingAtPath: path) ?? created(path) else {
            throw UsageError("can't write to '\(path)'")
        }
        try? file.close()
        if !existed { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func created(_ path: String) -> FileHandle? {
        guard FileManager.default.createFile(atPath: path, contents: nil) else { return nil }
        return FileHandle(forUpdatingAtPath: path)
    }
}
