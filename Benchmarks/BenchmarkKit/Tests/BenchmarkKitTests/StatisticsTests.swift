import Testing

@testable import BenchmarkKit

@Suite struct StatisticsTests {
    @Test func medians() {
        #expect(Statistics.median([]) == nil)
        #expect(Statistics.median([3]) == 3)
        #expect(Statistics.median([9, 1, 5]) == 5)
        #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
    }

    @Test func aConstantRatioHasNoWidth() throws {
        let below = (1...20).map { [Double($0)] }
        let ratio = try #require(Statistics.ratio(ofPasses: below.map { [3 * $0[0]] }, to: below))
        for figure in [ratio.median, ratio.low, ratio.high] { #expect(abs(figure - 3) < 1e-9) }
    }

    /// Samples of one process are similar. Differences between processes show only in the passes.
    @Test func differentPassesWidenTheInterval() throws {
        let below = Array(repeating: Array(repeating: 100.0, count: 10), count: 4)
        let apart = [100.0, 110, 120, 130].map { Array(repeating: $0, count: 10) }
        let mixed = Array(repeating: [100.0, 110, 120, 130, 100, 110, 120, 130, 110, 120], count: 4)
        let wide = try #require(Statistics.ratio(ofPasses: apart, to: below))
        let narrow = try #require(Statistics.ratio(ofPasses: mixed, to: below))
        #expect(wide.high / wide.low > 1.2 && narrow.high / narrow.low < 1.001)
    }

    /// A single pass doesn't show what processes differ by. So its interval is at least as wide as an assumption.
    @Test func aSinglePassHasAnAssumedDeviation() throws {
        let ones = [Array(repeating: 1.0, count: 20)]
        let ratio = try #require(Statistics.ratio(ofPasses: ones, to: ones))
        #expect(ratio.high > 1.3 && ratio.low < 1 / 1.3 && ratio.median == 1)
    }

    @Test func threeVerdicts() {
        func verdict(_ low: Double, _ high: Double, _ threshold: Double = 0.1) -> Verdict {
            RatioEstimate(median: (low * high).squareRoot(), low: low, high: high).verdict(threshold: threshold)
        }
        #expect(verdict(0.95, 1.05) == .same && verdict(1, 1) == .same)
        // A change that is smaller than what matters.
        #expect(verdict(1.01, 1.02) == .same && verdict(1.01, 1.02, 0.001) == .more)
        #expect(verdict(1.01, 1.2) == .more && verdict(0.5, 0.99) == .less)
        #expect(verdict(0.95, 1.2) == .inconclusive && verdict(0.5, 1.05) == .inconclusive)
        #expect(verdict(0.33, 3) == .inconclusive)
        // 1/1.1, and not 0.9, is as far from 1 as 1.1 is.
        #expect(verdict(0.905, 1.05) == .inconclusive && verdict(0.91, 1.05) == .same)
    }

    @Test func outliersAreCounted() {
        let values = (1...20).map { Double($0) }
        #expect(Statistics.outliers(in: values) == 0)
        #expect(Statistics.outliers(in: values + [100, -50]) == 2)
        #expect(Statistics.outliers(in: [1, 1000]) == 0)
    }

    /// The values of published tables of Student's t; with many degrees of freedom, those of the normal distribution.
    @Test(arguments: [
        (0.95, 1, 12.706), (0.95, 2, 4.303), (0.95, 10, 2.228), (0.999, 14, 4.140), (0.95, 1e5, 1.960),
        (0.99, 1e5, 2.576), (0.6827, 1e5, 1.0),
    ])
    func deviationsAreThoseOfStudentsT(confidence: Double, freedom: Double, deviations: Double) {
        let found = Statistics.deviations(forConfidence: confidence, freedom: freedom)
        #expect(abs(found - deviations) < 0.002)
    }

    @Test func meansAndVariances() {
        #expect(Statistics.mean([1, 2, 6]) == 3)
        #expect(Statistics.variance([1, 2, 6]) == 7)
        #expect(Statistics.variance([1]) == 0)
    }

    /// A machine that drifts in both runs counts as the same one. If the ranges of its times don't overlap, it doesn't.
    @Test func machinesDifferIfTheirTimesDoNotOverlap() throws {
        let quick = Calibration(nanoseconds: [100, 104, 98])
        #expect(quick.change(to: Calibration(nanoseconds: [101, 110])) == nil)
        #expect(quick.change(to: Calibration(nanoseconds: [200, 99, 210])) == nil)
        #expect(quick.change(to: Calibration()) == nil)
        #expect(quick.change(to: Calibration(nanoseconds: [200, 210, 190])) == 2)
        #expect(Calibration(nanoseconds: [200]).change(to: quick) == 0.5)
    }

    @Test func aDriftingMachineGivesAWarning() {
        #expect(Calibration(nanoseconds: [100, 105, 101]).warning == nil)
        #expect(Calibration().warning == nil)
        let drifting = Calibration(nanoseconds: [100, 125, 101])
        #expect(abs(drifting.drift - 0.25) < 1e-9)
        #expect(drifting.warning?.contains("25.0 %") == true)
        var measured = Calibration()
        measured.mark()
        #expect(measured.nanoseconds.count == 1 && measured.nanoseconds[0] > 0)
    }

    @Test func tooFewPairsGiveNoInterval() {
        let few = Array(repeating: [1.0], count: Statistics.fewestPairs - 1)
        #expect(Statistics.ratio(ofPasses: few, to: few) == nil)
        #expect(Statistics.ratio(ofPasses: few + [[1]], to: few + [[1]]) != nil)
    }

    @Test func aZeroDenominatorGivesNoRatio() {
        let ones = Array(repeating: [1.0], count: 10)
        #expect(Statistics.ratio(ofPasses: ones, to: [[0]] + ones.dropLast()) == nil)
        #expect(Statistics.ratio(ofPasses: [[0]] + ones.dropLast(), to: ones) == nil)
    }

    @Test func theGeneratorIsSplitMix64() {
        // The first numbers of the reference implementation for seed 1234567.
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }
}
