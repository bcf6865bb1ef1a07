import Testing

@testable import BenchmarkKit

@Suite struct ComparisonTests {
    /// Two runs of the same thing, on a machine that drifts and is interrupted: no scenario differs, 19 times of 20.
    @Test func aRunComparedWithItselfHasNoDifference() throws {
        var clean = 0
        for turn in 0..<20 as Range<UInt64> {
            let before = SampleReports.run(seed: 2 * turn + 1, scenarios: 12)
            let after = SampleReports.run(seed: 2 * turn + 2, scenarios: 12)
            let comparison = try Comparison(from: before, to: after)
            #expect(comparison.rows.count == 24)
            if comparison.rows.allSatisfy({ $0.verdict == .same }) { clean += 1 }
        }
        #expect(clean >= 19)
    }

    @Test(arguments: [10, 20, 40])
    func theSameFileHasNoDifference(samples: Int) throws {
        let report = SampleReports.run(seed: 9, scenarios: 4, samples: samples)
        let comparison = try Comparison(from: report, to: report)
        #expect(comparison.rows.allSatisfy { $0.verdict == .same && $0.change?.median == 1 })
        #expect(comparison.regressions.isEmpty)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func twentyPerCentSlowerIsFound(seed: UInt64) throws {
        let before = SampleReports.run(seed: seed, scenarios: 12)
        let after = SampleReports.run(seed: seed + 100, scenarios: 12, slowed: ["scenario/7": 1.2])
        let comparison = try Comparison(from: before, to: after)
        #expect(Set(comparison.regressions.map(\.scenario)) == ["scenario/7"])
    }

    @Test func aThirdLessTimeIsLess() throws {
        let before = SampleReports.run(seed: 1, scenarios: 3)
        let after = SampleReports.run(seed: 2, scenarios: 3, slowed: ["scenario/1": 0.66])
        let rows = try Comparison(from: before, to: after).rows
        #expect(rows.filter { $0.verdict == .less }.map(\.scenario) == ["scenario/1", "scenario/1"])
        #expect(rows.allSatisfy { !$0.isRegression })
    }

    @Test func aHigherThresholdLetsPass() throws {
        let before = SampleReports.run(seed: 1, scenarios: 3)
        let after = SampleReports.run(seed: 2, scenarios: 3, slowed: ["scenario/1": 1.3])
        #expect(try !Comparison(from: before, to: after).regressions.isEmpty)
        let comparison = try Comparison(from: before, to: after, threshold: 0.5)
        #expect(comparison.regressions.isEmpty)
        #expect(comparison.rows.contains { $0.verdict == .more })
    }

    @Test func countsAreComparedToTheUnit() throws {
        let before = SampleReports.counts([("a", 100, 0), ("b", 100, 1), ("c", 100, 0)])
        let after = SampleReports.counts([("a", 105, 0), ("b", 100.5, 1), ("c", 100, 0)])
        let comparison = try Comparison(from: before, to: after)
        #expect(comparison.regressions.map(\.scenario) == ["a"])
        let verdicts = comparison.rows.filter { $0.unit == "instructions" }.map(\.verdict)
        #expect(verdicts == [.more, .more, .same])
    }

    @Test func anAllocationMoreIsARegression() throws {
        let before = SampleReports.counts([("a", 100, 0)])
        let after = SampleReports.counts([("a", 100, 1)])
        let regressions = try Comparison(from: before, to: after).regressions
        #expect(regressions.map(\.unit) == ["allocations", "bytes"])
    }

    @Test func whatOnlyOneHasIsSaid() throws {
        let before = SampleReports.counts([("a", 1, 0), ("b", 1, 0)])
        let after = SampleReports.counts([("b", 1, 0), ("c", 1, 0)])
        let rows = try Comparison(from: before, to: after).rows
        #expect(rows.filter { $0.scenario == "a" }.allSatisfy { $0.verdict == .removed })
        #expect(rows.filter { $0.scenario == "c" }.allSatisfy { $0.verdict == .added })
    }

    @Test func timesAndCountsDoNotGoTogether() {
        let timed = SampleReports.run(seed: 1, scenarios: 1)
        #expect(throws: UsageError.self) { try Comparison(from: timed, to: SampleReports.counts([("a", 1, 0)])) }
    }

    @Test func anotherMachineAndADriftingOneAreWarnedOf() throws {
        var before = SampleReports.run(seed: 1, scenarios: 1)
        before.calibration = Calibration(nanoseconds: [100, 130])
        var after = SampleReports.run(seed: 2, scenarios: 1)
        after.host.cpu = "another CPU"
        let warnings = try Comparison(from: before, to: after).warnings
        #expect(warnings.count == 2)
        #expect(warnings[0].contains("30.0 %"))
        #expect(warnings[1] == "another processor: a CPU, then another CPU")
    }

    @Test func theTextNamesWhatChanged() throws {
        let before = SampleReports.counts([("a", 100, 0)])
        let after = SampleReports.counts([("a", 105, 0)])
        let comparison = try Comparison(from: before, to: after)
        let text = ComparisonText.table(of: comparison).text()
        #expect(text.contains("+5.00 %"))
        #expect(text.contains("REGRESSION"))
        #expect(ComparisonText.summary(of: comparison).contains("1 beyond the threshold"))
        #expect(ComparisonText.percent(0.5) == "−50.0 %")
    }
}
