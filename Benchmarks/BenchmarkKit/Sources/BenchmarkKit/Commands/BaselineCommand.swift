import Foundation

/// `baseline`: runs that are saved under a name.
struct BaselineCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    private var directory: URL { Self.directory(tool, arguments) }

    /// The folder of the saved runs.
    static func directory(_ tool: BenchmarkTool, _ arguments: ParsedArguments) -> URL {
        let given = arguments["--directory"] ?? ProcessInfo.processInfo.environment["BENCHMARKKIT_BASELINES"]
        return URL(fileURLWithPath: given ?? tool.home + "/.build/baselines", isDirectory: true)
    }

    func run() throws -> Int32 {
        switch arguments.words[0] {
        case "save": try save()
        case "check": try check()
        case "delete": try delete()
        default: try list()
        }
    }

    private func save() throws -> Int32 {
        let name = try name()
        for option in ["--require-conclusive", "--threshold", "--allow-missing"] where arguments.has(option) {
            throw UsageError("\(option) needs baseline check")
        }
        // Fails before the measurement and not after it.
        try TextFile.makeFolder(directory.path)
        try TextFile.check(file(name).path)
        let files = arguments.words.dropFirst(2)
        let (report, status) =
            files.count > 1
            ? (try Report(medianOf: files.map { try Report(readingFrom: $0, builds: tool.builds) }), 0) : try given()
        guard !report.scenarios.isEmpty else { throw UsageError("the run has no scenarios; nothing is saved") }
        if let done = report.incomplete { throw UsageError("the run ended after \(done); nothing is saved") }
        try report.write(to: file(name).path)
        let what = report.runs > 1 ? "the median of \(report.runs) runs of " : ""
        print("saved \(what)\(report.scenarios.count) scenarios as '\(name)' in \(file(name).path)")
        return status
    }

    private func check() throws -> Int32 {
        let name = try existingName()
        guard arguments.words.count <= 3 else { throw UsageError("baseline check takes a name and one file") }
        // Wrong options fail before the measurement and not after it.
        let threshold = try CompareCommand.threshold(arguments)
        let before = try Report(readingFrom: file(name).path, builds: tool.builds)
        let (after, status) = try given()
        let compared = try CompareCommand.show(before, after, arguments, tool, threshold: threshold)
        return status == 0 ? compared : status
    }

    private func delete() throws -> Int32 {
        let name = try existingName()
        guard arguments.words.count == 2 else { throw UsageError("baseline delete takes one name") }
        do {
            try FileManager.default.removeItem(at: file(name))
        } catch {
            throw UsageError("can't delete '\(file(name).path)'")
        }
        print("deleted '\(name)'")
        return 0
    }

    private func existingName() throws -> String {
        let name = try name()
        guard FileManager.default.fileExists(atPath: file(name).path) else {
            let near = NearMiss.suggestions(for: name, among: names())
            let hint = near.isEmpty ? "see baseline list" : "did you mean \(near.joined(separator: " or "))?"
            throw UsageError("no baseline '\(name)'; \(hint)")
        }
        return name
    }

    private func list() throws -> Int32 {
        guard arguments.words.count == 1 else { throw UsageError("baseline list takes no name") }
        var table = Table(
            ["baseline", "mode", "runs", "scenarios", "commit", "Swift", "processor"],
            alignments: [.left, .left, .right, .right, .left, .left, .left])
        for name in names() {
            guard let report = try? Report(readingFrom: file(name).path, builds: tool.builds) else { continue }
            let mode = (report.mode ?? .time).rawValue
            let host = report.host
            table.add(
                [name, mode, "\(report.runs)", "\(report.scenarios.count)", host.commit, host.swift, host.cpu])
        }
        let terminal = Terminal(arguments)
        let fitted = table.fitted(to: terminal.width, expendable: ["Swift"]).table
        print(table.isEmpty ? "no baselines in \(directory.path)" : fitted.text(terminal))
        return 0
    }

    /// The report in the given file, or a new one.
    private func given() throws -> (Report, Int32) {
        if arguments.words.count > 2 { return (try Report(readingFrom: arguments.words[2], builds: tool.builds), 0) }
        let measurement = try Measurement.requested(try tool.entries(arguments), arguments, tool)
        return (measurement.report, try measurement.finish(arguments))
    }

    private func name() throws -> String {
        guard arguments.words.count > 1 else { throw UsageError("baseline \(arguments.words[0]) needs a name") }
        let name = arguments.words[1]
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) } && !name.hasPrefix(".")
        guard isPlain, !name.isEmpty else {
            throw UsageError("a baseline's name has letters, digits, '-', '_' and '.', not '\(name)'")
        }
        return name
    }

    private func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    private func file(_ name: String) -> URL {
        directory.appendingPathComponent(name + ".json")
    }
}
