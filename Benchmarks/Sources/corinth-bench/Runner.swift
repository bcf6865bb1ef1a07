import BenchmarkKit
import Foundation

/// What both commands that measure do around measuring.
struct Runner {
    let suite: Suite
    let settings: Settings
    private let json: String?

    /// - Parameter patienceSeconds: How much longer than usual a build may take to answer.
    init(_ options: RunOptions, _ settings: Settings, samples: Int? = nil, patienceSeconds: Double = 0) throws {
        guard let naive = options.naive else {
            throw UsageError("--naive is missing; Benchmarks/run builds both executables and gives it")
        }
        guard FileManager.default.isExecutableFile(atPath: naive) else {
            throw UsageError("no executable at '\(naive)'")
        }
        json = options.json
        if let json { try Self.checkWritable(json) }
        self.settings = settings
        suite = Suite(
            lockfree: try Self.ownPath(),
            naive: naive,
            settings: settings,
            samples: samples ?? options.samples ?? (options.isQuick ? 10 : 40),
            timeoutSeconds: 60 + patienceSeconds)
    }

    /// Writes the report where it was asked for; returns the exit status.
    func finish(_ scenarios: [ScenarioReport]) throws -> Int32 {
        let report = report(scenarios)
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            do {
                try (encoder.encode(report) + Data("\n".utf8)).write(to: URL(fileURLWithPath: json))
            } catch {
                throw UsageError("can't write '\(json)': \(error.localizedDescription)")
            }
        }
        for failure in suite.failures {
            complain("FAILED \(failure.scenario), \(failure.build): \(failure.message)")
        }
        return suite.failures.isEmpty ? 0 : 1
    }

    func report(_ scenarios: [ScenarioReport]) -> Report {
        Report(host: .current(), scenarios: scenarios, failures: suite.failures)
    }

    /// Better now than after minutes of measuring.
    private static func checkWritable(_ path: String) throws {
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

    private static func ownPath() throws -> String {
        guard let path = Bundle.main.executablePath else { throw UsageError("can't find this executable") }
        return path
    }
}

/// Says something on standard error.
func complain(_ text: String) {
    FileHandle.standardError.write(Data("corinth-bench: \(text)\n".utf8))
}
