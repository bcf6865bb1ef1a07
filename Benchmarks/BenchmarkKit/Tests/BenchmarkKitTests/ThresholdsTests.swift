import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct ThresholdsTests {
    private let known = Thresholds(of: SampleReports.counts([("a", 100, 0), ("b", 200, 2)]))

    private func updated(_ counts: [(name: String, instructions: Double, allocations: Double)]) -> Thresholds {
        known.updated(to: Thresholds(of: SampleReports.counts(counts)))
    }

    @Test func countsWithinTheToleranceChangeNothing() {
        #expect(updated([("a", 100.9, 0), ("b", 198.5, 2)]) == known)
    }

    @Test(arguments: [105.0, 95.0])
    func fivePerCentInEitherDirectionIsFound(instructions: Double) {
        let updated = updated([("a", instructions, 0), ("b", 200, 2)])
        #expect(updated != known)
        #expect(updated.scenarios["a"]?["library"]?.instructions == instructions)
        #expect(updated.scenarios["b"] == known.scenarios["b"])
    }

    @Test(arguments: [1.0, 3.0])
    func anAllocationMoreOrLessIsFound(allocations: Double) {
        #expect(updated([("a", 100, 0), ("b", 200, allocations)]) != known)
    }

    @Test func aFractionOfAnAllocationHasTheTolerance() {
        let known = Thresholds(of: SampleReports.counts([("a", 100, 9.36)]))
        #expect(known.updated(to: Thresholds(of: SampleReports.counts([("a", 100, 9.37)]))) == known)
        #expect(known.updated(to: Thresholds(of: SampleReports.counts([("a", 100, 9.5)]))) != known)
    }

    @Test func rareAllocationsAreIgnored() {
        #expect(updated([("a", 100, 0.005), ("b", 200, 1.995)]) == known)
        #expect(updated([("a", 100, 0.02), ("b", 200, 2)]) != known)
    }

    @Test func aReferenceMoreOrLessIsFound() {
        func counted(retains: Double?) -> Thresholds {
            var report = SampleReports.counts([("a", 100, 0)])
            report.scenarios[0].builds["library"]?.retainsPerEvent = retains
            report.scenarios[0].builds["library"]?.releasesPerEvent = 4
            return Thresholds(of: report)
        }
        let known = counted(retains: 3)
        #expect(known.updated(to: counted(retains: 3)) == known)
        #expect(known.updated(to: counted(retains: 4)) != known)
        #expect(known.updated(to: counted(retains: 2)) != known)
        #expect(known.updated(to: counted(retains: nil)) != known)
    }

    @Test func onlyLargeNumbersOfLockedInstructionsHaveTheTolerance() {
        func counted(locked: Double) -> Thresholds {
            var report = SampleReports.counts([("a", 100, 0)])
            report.scenarios[0].builds["library"]?.lockedInstructionsPerEvent = locked
            return Thresholds(of: report)
        }
        #expect(counted(locked: 501_623).updated(to: counted(locked: 501_377)) == counted(locked: 501_623))
        #expect(counted(locked: 500_000).updated(to: counted(locked: 520_000)) != counted(locked: 500_000))
        #expect(counted(locked: 500_000).updated(to: counted(locked: 480_000)) != counted(locked: 500_000))
        #expect(counted(locked: 999).updated(to: counted(locked: 1_000)) != counted(locked: 999))
    }

    @Test func addedAndRemovedScenariosAreUpdated() {
        let updated = updated([("b", 200, 2), ("c", 7, 0)])
        #expect(Set(updated.scenarios.keys) == ["b", "c"])
    }

    @Test func directHasNoThresholds() {
        #expect(known.scenarios["a"]?.keys.sorted() == ["library"])
    }

    @Test func writingAndReadingKeepsEverything() throws {
        #expect(try JSONDecoder().decode(Thresholds.self, from: Data(known.text().utf8)) == known)
        #expect(Thresholds.fileName(swift: "6.3.1", architecture: "x86_64") == "swift-6.3.1-x86_64.json")
    }

    @Test func patchAppliesTheDiff() throws {
        let patch = try #require(Tools.find("patch"))
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let after = updated([("a", 150, 0), ("b", 200, 2), ("c", 1, 0)])
        let file = folder.appendingPathComponent("t.json")
        try Data(known.text().utf8).write(to: file)
        let diff = folder.appendingPathComponent("t.diff")
        try Data(LineDiff.unified(known.text(), after.text(), name: "t.json").utf8).write(to: diff)
        let done = try Tools.run(patch, ["-s", file.path, diff.path])
        #expect(done.status == 0, "\(done.errors) \(done.output)")
        #expect(try String(contentsOf: file, encoding: .utf8) == after.text())
    }

    @Test func equalTextsHaveNoDiff() {
        #expect(LineDiff.unified("a\nb\n", "a\nb\n", name: "x") == "")
        #expect(
            LineDiff.unified("a\nb\nc\n", "a\nB\nc\n", name: "x") == """
                --- a/x
                +++ b/x
                @@ -1,3 +1,3 @@
                 a
                -b
                +B
                 c

                """)
    }
}
