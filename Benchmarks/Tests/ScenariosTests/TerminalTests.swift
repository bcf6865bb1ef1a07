import Foundation
import Scenarios
import Testing

@testable import BenchmarkKit

/// What a run of Corinth's scenarios shows.
@Suite struct TerminalTests {
    /// A quick run of all usual scenarios, of which half were disturbed, on a machine whose speed changed.
    private static let quick: Report = {
        let names = AllScenarios.builds
        var scenarios = AllScenarios.entries.filter { !$0.isOnRequest }.enumerated().map { index, entry in
            var builds: [String: BuildReport] = [:]
            for (number, build) in names.all.enumerated() {
                let base = 3.2 * Double((number + 1) * (index % 5 == 0 ? 371 : 1))
                var figures = BuildReport(passes: (0..<6).map { [base * (1 + 0.01 * Double($0))] })
                figures.allocationsPerEvent = index % 11 == 0 ? 20_003.5 : 0
                builds[build.rawValue] = figures
            }
            let ratio = RatioEstimate(median: 12.34, low: index % 3 == 0 ? 0.8 : 11.2, high: 13.9)
            return ScenarioReport(
                name: entry.name, unit: entry.unit, builds: builds,
                ratios: ["naive/lockfree": ratio, "lockfree/direct": ratio])
        }
        for index in scenarios.indices where index.isMultiple(of: 2) {
            scenarios[index].machine = MachineReport(
                rounds: 6, repeated: 12, disturbed: 4, reasons: ["descheduled", "speed", "steal"])
        }
        var host = BenchmarkKit.Host(
            cpu: "Intel(R) Xeon(R) Platinum 8488C CPU @ 2.40GHz", cores: 192, swift: "6.3.1",
            commit: "0123456789ab with changes")
        host.load = 1
        var report = Report(host: host, scenarios: scenarios, failures: [], builds: names)
        report.calibration = Calibration(nanoseconds: [100, 120])
        report.seconds = 310
        return report
    }()

    @Test(arguments: [80, 120, 200]) func aQuickRunFitsOn80Lines(columns: Int) {
        let text = ReportText.text(of: Self.quick, on: Terminal(width: columns))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 80, "\(lines.count) lines:\n\(text)")
        #expect(lines.allSatisfy { $0.count <= columns }, "\(text)")
        #expect(lines.last?.hasSuffix(" disturbed by the machine; none failed.") == true)
        #expect(text.contains("\npipe/1 ! "))
    }
}
