@testable import BenchmarkKit
import Foundation

/// The bytes are the file of a report. It is refused with a `UsageError`, or all commands can show it and write it again.
func fuzzJSON(_ bytes: [UInt8]) {
    do {
        let report = try Report(Data(bytes), from: "fuzz.json")
        var again = try Report(Data(report.json().utf8), from: "fuzz.json")
        if FuzzTarget.has("again"), report.host.load != nil { again.host.load = nil }
        FuzzTarget.expect(again == report, "written and read again, the report isn't the same")
        if FuzzTarget.has("error"), report.failures != nil { throw CancellationError() }
        if FuzzTarget.has("disturbed"), report.scenarios.contains(where: { $0.machine?.isMarked == true }) {
            FuzzTarget.fail("the seeded fault, a disturbed scenario")
        }
        for format in OutputFormat.allCases { _ = try ReportText.text(of: report, as: format, isDetailed: true) }
        if report.isCounted { _ = try Thresholds(of: report).updated(to: Thresholds(of: report)).text() }
        var other = report
        for index in other.scenarios.indices {
            other.scenarios[index].builds = other.scenarios[index].builds.mapValues { figures in
                var figures = figures
                figures.median *= 1.5
                return figures
            }
        }
        try show(report, other)
        _ = try ResultsTable([report], counts: nil).table(nil, isMarkdown: true).markdown()
    } catch is UsageError {
        return
    } catch {
        FuzzTarget.fail("not a UsageError: \(error)")
    }
}

/// Every form of two reports.
private func show(_ before: Report, _ after: Report) throws {
    let within = Comparison(within: before)
    FuzzTarget.expect((0...3).contains(within.status(requiringConclusions: true)), "a status that no comparison has")
    let kept = try Report(Data(before.compactJSON().utf8), from: "kept.json")
    if !before.isCounted { _ = try Comparison(from: kept, to: after) }
    let comparison = try Comparison(from: before, to: after)
    _ = ComparisonText.text(of: comparison, program: "fuzz", on: Terminal())
    _ = ComparisonText.table(of: comparison, isFull: true).csv()
    _ = try HTMLReport.text(of: after, comparison: comparison)
    if !before.isCounted { _ = try Report(medianOf: [before, after]) }
}
