import Testing

@testable import BenchmarkKit

@Suite struct ComparisonTests {
    private static let twentyTries = 0..<20 as Range<UInt64>

    private func summary(_ comparison: Comparison, against: String? = nil) -> String {
        ComparisonText.summary(of: comparison, program: "bench", against: against)
    }

    private func cleanTries(scenarios: Int, samples: Int = 40, _ behaviour: SampleReports.Behaviour) throws -> Int {
        try Self.twentyTries.count { seed in
            let before = SampleReports.run(seed: 2 * seed + 1, scenarios: scenarios, samples: samples, behaviour)
            let after = SampleReports.run(seed: 2 * seed + 2, scenarios: scenarios, samples: samples, behaviour)
            let comparison = try Comparison(from: before, to: after)
            #expect(comparison.rows.count == 2 * scenarios)
            #expect(comparison.rows.allSatisfy { $0.change != nil })
            return comparison.rows.allSatisfy { $0.verdict == .same || $0.verdict == .inconclusive }
        }
    }

    /// Two runs of the same builds, on machines from a quiet one to one that is half as fast for minutes and slows down
    /// `direct` and the builds unequally. No scenario differs, 19 times of 20.
    @Test(arguments: [SampleReports.Behaviour.quiet, .usual, .swinging], [1, 24])
    func aRunComparedWithItselfHasNoDifference(behaviour: SampleReports.Behaviour, scenarios: Int) throws {
        #expect(try cleanTries(scenarios: scenarios, behaviour) >= 19)
    }

    @Test func aQuickRunComparedWithItselfHasNoDifference() throws {
        #expect(try cleanTries(scenarios: 24, samples: 6, .swinging) >= 19)
        #expect(try cleanTries(scenarios: 1, samples: 6, .usual) >= 19)
    }

    /// The machine is twice as slow during the whole second run. What is slower by more than that is still found.
    @Test func intervalsAreWiderIfTheMachineDiffers() throws {
        let before = SampleReports.run(seed: 1, scenarios: 12, .quiet)
        var behaviour = SampleReports.Behaviour.quiet
        behaviour.isSlowAtFirst = true
        let slowed = ["scenario/7": 5, "scenario/3": 1.5]
        let after = SampleReports.run(seed: 2, scenarios: 12, slowed: slowed, behaviour)
        let comparison = try Comparison(from: before, to: after)
        #expect(Set(comparison.regressions.map(\.scenario)) == ["scenario/7"])
        let rows = comparison.rows.filter { $0.scenario == "scenario/3" }
        #expect(rows.allSatisfy { $0.verdict == .inconclusive && $0.change != nil && !$0.isRegression })
        #expect(rows.allSatisfy { $0.reason?.contains("times as long in the second run") == true })
        #expect(comparison.warnings.contains { $0.contains("intervals of times are wider by as much") })
    }

    /// Nothing is known of how two processors differ.
    @Test func differencesAreInconclusiveIfTheProcessorsDiffer() throws {
        let before = SampleReports.run(seed: 1, scenarios: 12, .quiet)
        var after = SampleReports.run(seed: 2, scenarios: 12, slowed: ["scenario/7": 5], .quiet)
        after.host.cpu = "another CPU"
        let comparison = try Comparison(from: before, to: after)
        #expect(comparison.regressions.isEmpty && comparison.inconclusive.count >= 2)
        #expect(comparison.warnings.contains { $0.contains("differences in times are inconclusive") })
        #expect(summary(comparison).hasSuffix("inconclusive; no regression found."))
    }

    /// No difference is known exactly, however much the samples vary.
    @Test(arguments: [6, 10, 40])
    func theSameFileHasNoDifference(samples: Int) throws {
        let report = SampleReports.run(seed: 9, scenarios: 4, samples: samples)
        let comparison = try Comparison(from: report, to: report)
        #expect(comparison.rows.allSatisfy { $0.verdict == .same && $0.change?.high == 1 })
        #expect(comparison.warnings == ["both files have the figures of the same run"])
        #expect(comparison.status(requiringConclusions: true) == 0)
    }

    @Test(arguments: [SampleReports.Behaviour.quiet, .usual], [1, 24])
    func twentyPerCentSlowerIsFound(behaviour: SampleReports.Behaviour, scenarios: Int) throws {
        // Otherwise some runs are inconclusive because the machine's speed differs.
        var behaviour = behaviour
        behaviour.isSlowAtFirst = false
        let found = try Self.twentyTries.count { seed in
            let before = SampleReports.run(seed: seed, scenarios: scenarios, behaviour)
            let slowed = ["scenario/0": 1.2]
            let after = SampleReports.run(seed: seed + 100, scenarios: scenarios, slowed: slowed, behaviour)
            let comparison = try Comparison(from: before, to: after)
            return Set(comparison.regressions.map(\.scenario)) == ["scenario/0"]
        }
        #expect(found >= 18, "\(found) of 20")
    }

    /// On a machine with large swings, only larger changes are found. Another test shows that none are claimed wrongly.
    @Test func fiftyPerCentSlowerIsFoundOnASwingingMachine() throws {
        let found = try Self.twentyTries.count { seed in
            let before = SampleReports.run(seed: seed, scenarios: 12, .swinging)
            let after = SampleReports.run(seed: seed + 100, scenarios: 12, slowed: ["scenario/7": 1.5], .swinging)
            return try Comparison(from: before, to: after).regressions.contains { $0.scenario == "scenario/7" }
        }
        #expect(found >= 15, "\(found) of 20")
    }

    /// The machine slows down both builds of one run alike. So a third more is found however large the swings are.
    @Test(arguments: [1, 12])
    func pairsAreComparedWithinARun(scenarios: Int) throws {
        func run(_ seed: UInt64, _ factor: Double) -> Comparison {
            var behaviour = SampleReports.Behaviour.swinging
            behaviour.unevenness = 0
            var report = SampleReports.run(seed: seed, scenarios: scenarios, behaviour)
            for (index, scenario) in report.scenarios.enumerated() {
                guard let passes = scenario.builds["library"]?.passes, let other = scenario.builds["alternative"] else {
                    continue
                }
                let slower = passes.map { $0.map { $0 * (index == 0 ? factor : 1) } }
                report.scenarios[index].builds = ["library": BuildReport(passes: slower), "earlier": other]
            }
            return Comparison(within: report)
        }
        let clean = (0..<200).count { run($0, 1).rows.allSatisfy { [.same, .inconclusive].contains($0.verdict) } }
        #expect(clean >= 190, "\(clean) of 200")
        let found = Self.twentyTries.count { run($0, 1.33).regressions.map(\.scenario) == ["scenario/0"] }
        #expect(found >= 18, "\(found) of 20")
        #expect(summary(run(1, 1)).contains("pairs measured in turn"))
    }

    /// If most scenarios change by more than their samples explain, all intervals get wider.
    @Test func unexplainedChangesOfAllScenariosWidenEveryInterval() throws {
        let before = SampleReports.run(seed: 1, scenarios: 12, .quiet)
        let off = (0..<12).map { ("scenario/\($0)", $0.isMultiple(of: 2) ? 1.15 : 0.87) }
        let same = SampleReports.run(seed: 2, scenarios: 12, .quiet)
        let apart = SampleReports.run(seed: 2, scenarios: 12, slowed: Dictionary(uniqueKeysWithValues: off), .quiet)
        let usual = try Comparison(from: before, to: same).rows
        let wide = try Comparison(from: before, to: apart).rows
        for (usual, wide) in zip(usual, wide) {
            let (first, second) = (try #require(usual.change), try #require(wide.change))
            #expect(second.high / second.low > 1.5 * first.high / first.low)
        }
        #expect(wide.allSatisfy { $0.verdict == .inconclusive })
    }

    @Test func aThirdLessTimeIsLess() throws {
        let before = SampleReports.run(seed: 1, scenarios: 3, .quiet)
        let after = SampleReports.run(seed: 2, scenarios: 3, slowed: ["scenario/1": 0.66], .quiet)
        let rows = try Comparison(from: before, to: after).rows
        #expect(rows.filter { $0.verdict == .less }.map(\.scenario) == ["scenario/1", "scenario/1"])
        #expect(rows.allSatisfy { !$0.isRegression })
    }

    @Test func aHigherThresholdAllowsMore() throws {
        let before = SampleReports.run(seed: 1, scenarios: 3, .quiet)
        let after = SampleReports.run(seed: 2, scenarios: 3, slowed: ["scenario/1": 1.3], .quiet)
        #expect(try !Comparison(from: before, to: after).regressions.isEmpty)
        let comparison = try Comparison(from: before, to: after, threshold: .init(0.5))
        #expect(comparison.regressions.isEmpty)
        #expect(comparison.rows.count { $0.verdict == .same } == 6)
    }

    /// Noisy scenarios may have a threshold of their own.
    @Test func aScenarioMayHaveItsOwnThreshold() throws {
        let before = SampleReports.run(seed: 1, scenarios: 3, .quiet)
        let after = SampleReports.run(
            seed: 2, scenarios: 3, slowed: ["scenario/1": 1.3, "scenario/2": 1.3], .quiet)
        let command = CommandDescription.compare
        func comparison(_ text: String) throws -> Comparison {
            let arguments = try ParsedArguments(["a", "b", "--threshold", text], of: command)
            return try Comparison(from: before, to: after, threshold: CompareCommand.threshold(arguments))
        }
        func regressions(_ text: String) throws -> Set<String> {
            Set(try comparison(text).regressions.map(\.scenario))
        }
        #expect(try regressions("10") == ["scenario/1", "scenario/2"])
        #expect(try regressions("10,scenario/1=50") == ["scenario/2"])
        #expect(try regressions("scenario=50,scenario/2=5") == ["scenario/2"])
        #expect(try comparison("10,scenario/1=50").rows.compactMap(\.threshold) == [0.1, 0.1, 0.5, 0.5, 0.1, 0.1])
        for wrong in ["x", "0", "a=", "a=b=3", "10,,5", "-1"] {
            #expect(throws: UsageError.self) { try comparison(wrong) }
        }
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

    @Test func addedAndMissingScenariosAreReported() throws {
        let before = SampleReports.counts([("a", 1, 0), ("b", 1, 0)])
        let after = SampleReports.counts([("b", 1, 0), ("c", 1, 0)])
        let rows = try Comparison(from: before, to: after).rows
        #expect(rows.filter { $0.scenario == "a" }.allSatisfy { $0.verdict == .missing })
        #expect(rows.filter { $0.scenario == "c" }.allSatisfy { $0.verdict == .added })
    }

    @Test func timesAndCountsCannotBeCompared() {
        let timed = SampleReports.run(seed: 1, scenarios: 1)
        #expect(throws: UsageError.self) { try Comparison(from: timed, to: SampleReports.counts([("a", 1, 0)])) }
    }

    @Test func differentAndDriftingMachinesGiveWarnings() throws {
        var before = SampleReports.run(seed: 1, scenarios: 1)
        before.calibration = Calibration(nanoseconds: [100, 130])
        var after = SampleReports.run(seed: 2, scenarios: 1)
        after.host.cpu = "another CPU"
        let warnings = try Comparison(from: before, to: after).warnings
        #expect(warnings.count == 3)
        #expect(warnings[0].contains("30.0 %"))
        #expect(warnings[1] == "the processor differs: a CPU, then another CPU")
    }

    /// Each inconclusive row says what it could have found, and what finds less.
    @Test func inconclusiveRowsSayTheirLimits() throws {
        var generator = SeededGenerator(seed: 3)
        let simulation = PairSimulation(noise: 0.05, passNoise: 0.1)
        let comparison = Comparison(within: simulation.report(scenarios: 3, samples: 6, &generator))
        #expect(comparison.inconclusive.count == 3)
        let text = ComparisonText.table(of: comparison).text()
        for (row, line) in zip(comparison.rows, text.split(separator: "\n").dropFirst(2)) {
            let samples = try #require(row.samplesNeeded)
            let smallest = try #require(row.smallestFound)
            #expect((20...1000).contains(samples) && (0.1...2).contains(smallest))
            #expect(line.contains("inconclusive [−") && line.contains(" % or more; 10 % needs --samples \(samples)"))
        }
        let most = comparison.rows.compactMap(\.samplesNeeded).max() ?? 0
        let names = "scenario/0$,scenario/1$,scenario/2$"
        #expect(
            summary(comparison, against: "../before").contains(
                "inconclusive rows: bench --filter '\(names)' --samples \(most) --against ../before\n"))
        #expect(summary(comparison).hasSuffix("3 figures: 3 inconclusive; no regression found."))
        #expect(comparison.status(requiringConclusions: false) == 0)
        #expect(comparison.status(requiringConclusions: true) == 3)
        let csv = ComparisonText.table(of: comparison, isFull: true).csv()
        #expect(csv.contains("after,change,verdict,low,high,smallest found,samples needed\n"))
        #expect(csv.split(separator: "\n").dropFirst().allSatisfy { $0.contains(",inconclusive,0.") })
    }

    /// A regression is more important than an inconclusive row.
    @Test func aRegressionDecidesTheStatus() {
        var generator = SeededGenerator(seed: 5)
        let simulation = PairSimulation(noise: 0.02, passNoise: 0.03)
        let comparison = Comparison(within: simulation.report(scenarios: 3, samples: 6, factor: 3, &generator))
        #expect(comparison.regressions.count == 1)
        #expect(comparison.status(requiringConclusions: true) == 1)
        #expect(summary(comparison).hasSuffix("1 REGRESSION: scenario/0."))
    }

    /// Samples can't find what runs differ by. Only one run that measures both can.
    @Test func twoRunsOfAnUnsteadyMachineNeedPairs() throws {
        let before = SampleReports.run(seed: 1, scenarios: 12, .quiet)
        let off = (0..<12).map { ("scenario/\($0)", $0.isMultiple(of: 2) ? 1.15 : 0.87) }
        let after = SampleReports.run(seed: 2, scenarios: 12, slowed: Dictionary(uniqueKeysWithValues: off), .quiet)
        let comparison = try Comparison(from: before, to: after)
        #expect(comparison.inconclusive.allSatisfy { $0.samplesNeeded == nil })
        #expect(ComparisonText.table(of: comparison).text().contains("10 % needs --against"))
        #expect(summary(comparison).contains("measure both in turn"))
    }

    @Test func theTextNamesTheChanges() throws {
        let before = SampleReports.counts([("a", 100, 0)])
        let after = SampleReports.counts([("a", 105, 0)])
        let comparison = try Comparison(from: before, to: after)
        let text = ComparisonText.table(of: comparison).text()
        #expect(text.contains("+5.00 %"))
        #expect(text.contains("REGRESSION"))
        #expect(summary(comparison).hasSuffix("4 figures: 3 same, 1 higher; 1 REGRESSION: a (instructions)."))
        #expect(ComparisonText.percent(0.5) == "−50.0 %")
    }
}
