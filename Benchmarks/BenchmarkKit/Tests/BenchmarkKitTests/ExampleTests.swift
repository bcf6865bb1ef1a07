import Foundation
import Testing

@testable import BenchmarkKit

/// The README's example and the version.
@Suite struct ExampleTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
    }

    private func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        try Tools.run(try #require(PseudoTerminal.example), arguments)
    }

    @Test func theReadmeShowsTheExampleThatIsBuilt() throws {
        let example = try text("Sources/example-bench/main.swift")
        #expect(try text("README.md").contains("```swift\n\(example)```\n"))
    }

    @Test(.timeLimit(.minutes(5))) func theExampleMeasures() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.json").path
        let measured = try run("--quick", "--filter", "count/10", "--json", file)
        #expect(measured.status == 0, "\(measured.errors)")
        #expect(measured.output.contains("95 %: the interval of library") && !measured.output.contains("direct"))
        let report = try Report(readingFrom: file)
        #expect(report.scenarios.map(\.name) == ["count/10", "count/1000"])
        for scenario in report.scenarios {
            #expect(scenario.builds.keys.sorted() == ["library"])
            #expect(scenario.builds.values.allSatisfy { $0.samples == 6 && $0.median > 0 })
        }
        let schema = try SchemaValidator(Data(text("schema/report-1.schema.json").utf8))
        #expect(try schema.problems(in: Data(contentsOf: URL(fileURLWithPath: file))) == [])
    }

    /// Parameters, the number of processes, times, and the output's file.
    @Test(.timeLimit(.minutes(5))) func theOptionsOfARun() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, output) = (folder.path + "/run.json", folder.path + "/out.csv")
        let measured = try run(
            "--filter", "count/10$", "--samples", "8", "--processes", "4", "--time", "1", "--warmup", "0.01", "-p",
            "events=5000", "--json", file, "--format", "csv", "--output", output)
        #expect(measured.status == 0 && measured.output == "", "\(measured.errors)")
        let report = try Report(readingFrom: file)
        #expect(report.scenarios.map(\.name) == ["count/10"])
        #expect(report.scenarios[0].builds["library"]?.passes?.map(\.count) == [2, 2, 2, 2])
        #expect(try String(contentsOfFile: output, encoding: .utf8).hasPrefix("scenario,build,"))
    }

    /// A quick run has six samples, however many processes share them.
    @Test(.timeLimit(.minutes(5))) func aQuickRunOfFewProcesses() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/run.json"
        let measured = try run(
            "--quick", "--processes", "3", "--filter", "count/10$", "--time", "1", "-p", "events=5000", "--json", file,
            "--hlog", folder.path + "/run.hlog")
        #expect(measured.status == 0)
        #expect(measured.errors.contains("no scenario of this run measures latency; --hlog writes nothing"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/run.hlog"))
        let report = try Report(readingFrom: file)
        #expect(report.scenarios[0].builds["library"]?.passes?.map(\.count) == [2, 2, 2])
        let date = try #require(report.date)
        #expect((try? Date(date, strategy: .iso8601)).map { abs($0.timeIntervalSinceNow) < 600 } == true, "\(date)")
    }

    @Test func theVersionIsTheTopOfTheChangelog() throws {
        let heading = try #require(text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## [") })
        #expect(heading.hasPrefix("## [\(BenchmarkKitVersion.current)]"), "\(heading)")
        #expect(try run("--version").output == "example-bench, BenchmarkKit \(BenchmarkKitVersion.current)\n")
        let page = try HTMLReport.text(of: SampleReports.full)
        #expect(page.contains("content=\"BenchmarkKit \(BenchmarkKitVersion.current)\""))
    }
}
