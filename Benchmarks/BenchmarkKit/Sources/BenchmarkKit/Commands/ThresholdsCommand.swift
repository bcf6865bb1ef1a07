import Foundation

/// `thresholds`: compares the main build's counts with the known ones.
struct ThresholdsCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    private var directory: String { arguments["--directory"] ?? tool.home + "/thresholds" }

    func run() throws -> Int32 {
        let isCheck = arguments.words[0] == "check"
        let host = Host.current()
        let given = try arguments.words.count > 1 ? Report(readingFrom: arguments.words[1], builds: tool.builds) : nil
        if let given, !given.isCounted { throw Self.notCounted }
        let swift = given?.host.swift ?? host.swift
        let architecture = given?.host.architecture ?? Host.architecture
        let name = Thresholds.fileName(swift: swift, architecture: architecture)
        let path = directory + "/" + name
        let known = FileManager.default.contents(atPath: path)
        if isCheck, known == nil {
            print("skipped: no thresholds for Swift \(swift) on \(architecture); 'thresholds update' writes \(path)")
            return 0
        }
        let (report, status) = try given.map { ($0, 0) } ?? measured()
        var measured = Thresholds(of: report)
        if arguments.has("--filter") { measured.scenarios = measured.scenarios.filter { inFilter($0.key) } }
        guard !measured.scenarios.isEmpty else {
            throw UsageError("there are no counts of the build \(tool.builds.main)")
        }
        let isPart = given != nil || arguments.has("--filter")
        guard isCheck, let known else {
            try write(try isPart ? merged(measured, known) : measured, to: path)
            print("wrote \(path)")
            return status
        }
        let thresholds = try read(known, path)
        let updated = thresholds.updated(to: try isPart ? merged(measured, known) : measured)
        let notCounted = thresholds.scenarios.keys.filter { measured.scenarios[$0] == nil && inFilter($0) }.sorted()
        if given != nil, !notCounted.isEmpty {
            print("not counted in \(arguments.words[1]): \(notCounted.joined(separator: ", "))")
        }
        guard updated != thresholds else {
            print("\(measured.scenarios.count) scenarios are within the thresholds of \(path)")
            return status
        }
        print("Counts differ by more than \(Figures.number(thresholds.tolerancePercent)) % or by a call.")
        print("If the change is intended, commit this diff (\(tool.program) thresholds update writes it):\n")
        print(
            LineDiff.unified(
                try thresholds.text(), try updated.text(), name: "\(tool.checkout?.thresholds ?? directory)/\(name)"))
        return 1
    }

    private static let notCounted = UsageError(
        "the file has times; thresholds need counts, as --mode counts writes them")

    private func measured() throws -> (Report, Int32) {
        let measurement = try Measurement.counted(
            try tool.entries(arguments), arguments, tool, builds: [tool.builds.main])
        return (measurement.report, try measurement.finish(arguments))
    }

    /// The scenarios that a filter leaves out, or that the given file doesn't have, keep their thresholds.
    private func merged(_ measured: Thresholds, _ known: Data?) throws -> Thresholds {
        guard let known else { return measured }
        var merged = measured
        let isKept = { (name: String) in arguments.words.count > 1 || !inFilter(name) }
        merged.scenarios.merge(try read(known, directory).scenarios.filter { isKept($0.key) }) { measured, _ in measured
        }
        return merged
    }

    private func inFilter(_ name: String) -> Bool {
        (try? tool.entries(arguments))?.contains { $0.name == name } ?? true
    }

    private func read(_ data: Data, _ path: String) throws -> Thresholds {
        do {
            return try JSONDecoder().decode(Thresholds.self, from: data)
        } catch let error as DecodingError {
            throw UsageError("'\(path)' isn't a thresholds file: \(error.brief)")
        }
    }

    private func write(_ thresholds: Thresholds, to path: String) throws {
        try TextFile.makeFolder(directory)
        try TextFile.write(thresholds.text(), to: path)
    }
}
