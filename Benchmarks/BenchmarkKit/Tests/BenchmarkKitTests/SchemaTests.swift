import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct SchemaTests {
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("schema/report-\(Report.currentSchema).schema.json")

    private func problems(_ report: Report) throws -> [String] {
        try SchemaValidator(Data(contentsOf: Self.file)).problems(in: Data(report.json().utf8))
    }

    @Test func everyReportIsValid() throws {
        #expect(try problems(SampleReports.full) == [])
        #expect(try problems(SampleReports.run(seed: 1, scenarios: 2)) == [])
        #expect(try problems(SampleReports.counts([("a", 1, 0)])) == [])
    }

    @Test func violationsAreFound() throws {
        var report = SampleReports.full
        report.schema = 2
        report.scenarios[0].builds["direct"]?.allocationsPerEvent = -1
        #expect(
            try problems(report).sorted() == [
                "$.scenarios[0].builds.direct.allocationsPerEvent: below 0", "$.schema: not 1",
            ])
        let validator = try SchemaValidator(Data(contentsOf: Self.file))
        #expect(
            try validator.problems(in: Data(#"{"schema": 1, "scenarios": [], "more": 0}"#.utf8)).sorted() == [
                "$.more: not in the schema", "$: no host",
            ])
    }

    @Test func otherFilesAreRejectedInOneLine() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.json").path
        for text in ["", "[]", #"{"schema": 7}"#, #"{"schema": 1}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            #expect(throws: UsageError.self) { try Report(readingFrom: file) }
        }
        #expect(throws: UsageError.self) { try Report(readingFrom: file + ".not") }
        try SampleReports.full.write(to: file)
        #expect(try Report(readingFrom: file) == SampleReports.full)
    }
}
