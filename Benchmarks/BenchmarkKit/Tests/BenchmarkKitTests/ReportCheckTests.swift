import Foundation
import Testing

@testable import BenchmarkKit

/// A report with figures that no run can have is refused in one line.
@Suite struct ReportCheckTests {
    /// A report in which every figure that is checked is there.
    private static var plausible: Report {
        var direct = BuildReport(passes: [[2, 3], [1]])
        direct.runs = [1, 1]
        direct.outliers = 0
        direct.counts = ["values": 3]
        direct.percentiles = ["50": 40]
        direct.uncorrectedPercentiles = ["50": 30]
        direct.curve = [BuildReport.CurvePoint(percentile: 50, nanoseconds: 40)]
        var library = BuildReport(passes: [[4, 6], [5]])
        library.runs = [1, 1]
        var scenario = ScenarioReport(
            name: "pipe/1", unit: "ns/event", builds: ["direct": direct, "library": library],
            ratios: ["library/direct": RatioEstimate(median: 2.5, low: 2.4, high: 2.6)])
        scenario.threads = 2
        scenario.machine = MachineReport(rounds: 5, repeated: 1, disturbed: 1, reasons: ["steal"])
        var report = Report(
            host: Host(cpu: "a CPU", cores: 2, swift: "6.3.1", commit: "unknown"), scenarios: [scenario], failures: [])
        report.seconds = 1.5
        return report
    }

    /// Changes one figure of a report.
    struct Change: Sendable, CustomTestStringConvertible {
        let problem: String
        let change: @Sendable (inout Report) -> Void

        init(_ problem: String, _ change: @escaping @Sendable (inout Report) -> Void) {
            self.problem = problem
            self.change = change
        }

        var testDescription: String { problem }

        static func build(_ problem: String, _ change: @escaping @Sendable (inout BuildReport) -> Void) -> Change {
            Change("scenario 'pipe/1': direct.\(problem)") {
                guard var build = $0.scenarios[0].builds["direct"] else { return }
                change(&build)
                $0.scenarios[0].builds["direct"] = build
            }
        }

        static func scenario(
            _ problem: String, _ change: @escaping @Sendable (inout ScenarioReport) -> Void
        ) -> Change {
            Change("scenario 'pipe/1': \(problem)") { change(&$0.scenarios[0]) }
        }
    }

    private static let beyond = Report.largestCount + 1

    private static let changes: [Change] = [
        Change("seconds is -1.0") { $0.seconds = -1 },
        Change("seconds is 1e+300") { $0.seconds = 1e300 },
        Change("seconds is nan") { $0.seconds = .nan },
        Change("host.cores is -1") { $0.host.cores = -1 },
        Change("host.cores is \(beyond)") { $0.host.cores = beyond },
        .scenario("threads is -2") { $0.threads = -2 },
        .scenario("the builds have different numbers of samples") {
            $0.builds["library"] = BuildReport(passes: [[4, 6, 5]])
        },
        .scenario("the interval of library/direct is from 3.0 to 2.6") {
            $0.ratios["library/direct"] = RatioEstimate(median: 2.5, low: 3, high: 2.6)
        },
        .scenario("the interval of library/direct is from -1.0 to 2.6") {
            $0.ratios["library/direct"] = RatioEstimate(median: 2.5, low: -1, high: 2.6)
        },
        .scenario("the interval of library/direct is from nan to 2.6") {
            $0.ratios["library/direct"] = RatioEstimate(median: 2.5, low: .nan, high: 2.6)
        },
        .scenario("machine has a number of rounds that no run can have") { $0.machine?.rounds = -1 },
        .scenario("machine has a number of rounds that no run can have") { $0.machine?.repeated = -1 },
        .scenario("machine has a number of rounds that no run can have") { $0.machine?.disturbed = beyond },
        .build("samples is -3") { $0.samples = -3 },
        .build("samples is \(beyond)") { $0.samples = beyond },
        .build("outliers is -1") { $0.outliers = -1 },
        .build("runs has -1") { $0.runs = [1, -1] },
        .build("counts.values is \(beyond)") { $0.counts = ["values": beyond] },
        .build("a latency is \(UInt64.max) ns") { $0.percentiles = ["50": 40, "100": .max] },
        .build("a latency is \(UInt64.max) ns") { $0.uncorrectedPercentiles = ["50": .max] },
        .build("a latency is \(UInt64.max) ns") {
            $0.curve = [BuildReport.CurvePoint(percentile: 50, nanoseconds: .max)]
        },
        .build("passLatencies has half octaves that no number of 64 bits has") {
            $0.passLatencies = [BuildReport.LatencyCounts(first: .max, counts: [1])]
        },
        .build("passLatencies has half octaves that no number of 64 bits has") {
            $0.passLatencies = [BuildReport.LatencyCounts(first: 0, counts: Array(repeating: 1, count: 129))]
        },
    ]

    @Test func whatARunCanHaveIsNoProblem() {
        #expect(Self.plausible.problem == nil)
        var report = Self.plausible
        report.seconds = Double(Report.largestCount)
        report.host.cores = Report.largestCount
        report.scenarios[0].builds["direct"]?.samples = Report.largestCount
        report.scenarios[0].builds["direct"]?.percentiles = ["50": UInt64(Report.largestCount)]
        report.scenarios[0].ratios["library/direct"] = RatioEstimate(median: 0, low: 0, high: 0)
        report.scenarios[0].machine = MachineReport(rounds: 0, repeated: 0, disturbed: 0, reasons: [])
        #expect(report.problem == nil)
        // Without passes, the builds can't be compared sample by sample.
        report.scenarios[0].builds["library"] = BuildReport(values: [4, 6, 5, 7])
        #expect(report.problem == nil)
    }

    @Test(arguments: changes)
    func whatNoRunCanHaveIsNamed(_ change: Change) {
        var report = Self.plausible
        change.change(&report)
        #expect(report.problem == change.problem)
    }

    @Test func namesAreShownWithoutControlCharacters() {
        var report = Self.plausible
        report.scenarios[0].name = "a\u{1B}[2J\n"
        report.scenarios[0].threads = -1
        #expect(report.problem == "scenario 'a\\u{1b}[2J\\u{a}': threads is -1")
        report = Self.plausible
        report.scenarios[0].builds = ["\u{7F}": BuildReport(values: [1])]
        report.scenarios[0].builds["\u{7F}"]?.samples = -1
        #expect(report.problem == "scenario 'pipe/1': \\u{7f}.samples is -1")
    }

    /// The reader of files refuses them with the same words.
    @Test func theReaderRefusesSuchAFile() throws {
        var report = Self.plausible
        let file = try Data(report.json().utf8)
        #expect(try Report(file, from: "a.json") == report)
        report.scenarios[0].threads = -2
        let edited = try Data(report.json().utf8)
        let message = "'a.json' isn't the report of a run: scenario 'pipe/1': threads is -2"
        #expect(throws: UsageError(message)) { try Report(edited, from: "a.json") }
    }
}
