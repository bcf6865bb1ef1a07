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
        let below = (1...20).map(Double.init)
        let ratio = try #require(Statistics.ratio(of: below.map { 3 * $0 }, to: below))
        #expect(ratio == RatioEstimate(median: 3, low: 3, high: 3))
    }

    @Test func theSameSeedGivesTheSameInterval() {
        var generator = SeededGenerator(seed: 3)
        let above = (0..<30).map { _ in Double.random(in: 1...9, using: &generator) }
        let below = (0..<30).map { _ in Double.random(in: 1...9, using: &generator) }
        #expect(Statistics.ratio(of: above, to: below) == Statistics.ratio(of: above, to: below))
    }

    /// About 95 of 100 intervals contain the true ratio, which is 2 here.
    @Test func intervalsContainTheTrueRatioAsOftenAsClaimed() throws {
        var generator = SeededGenerator(seed: 5)
        var held = 0
        for seed in 0..<200 {
            let below = (0..<20).map { _ in 100.0 }
            let above = below.map { $0 * 2 * Double.random(in: 0.8...1.2, using: &generator) }
            let drawn = Statistics.ratio(of: above, to: below, resamples: 400, seed: UInt64(seed))
            let ratio = try #require(drawn)
            #expect(ratio.low <= ratio.median && ratio.median <= ratio.high)
            if ratio.low <= 2, 2 <= ratio.high { held += 1 }
        }
        #expect((180...200).contains(held), "\(held) of 200 intervals hold the truth")
    }

    /// Samples of one process are similar. Differences between processes show only if whole passes are drawn.
    @Test func differentPassesWidenTheInterval() throws {
        let below = Array(repeating: Array(repeating: 100.0, count: 10), count: 4)
        let above = [100.0, 110, 120, 130].map { Array(repeating: $0, count: 10) }
        let passes = try #require(Statistics.ratio(ofPasses: above, to: below))
        let flat = try #require(Statistics.ratio(of: above.flatMap(\.self), to: below.flatMap(\.self)))
        #expect(passes.high - passes.low > flat.high - flat.low)
    }

    @Test func outliersAreCounted() {
        let values = (1...20).map(Double.init)
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

    @Test func anOutlierHasNoMoreWeightThanItsNeighbour() {
        let usual = Statistics.trimmedMean([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        #expect(usual == Statistics.trimmedMean([-100, 2, 3, 4, 5, 6, 7, 8, 9, 1000]))
        #expect(usual.middle == 5.5 && usual.freedom == 5)
        // The squares around the mean of 3 3 3 4 5 6 7 8 8 8 add up to 42.5; by 6 times 5.
        #expect(abs(usual.variance - 42.5 / 30) < 1e-12)
        #expect(Statistics.trimmedMean([1, 3]) == (2, 1, 1))
        #expect(Statistics.trimmedMean([4]) == (4, 0, 1))
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
        let few = Array(repeating: 1.0, count: Statistics.fewestPairs - 1)
        #expect(Statistics.ratio(of: few, to: few) == nil)
    }

    @Test func aZeroDenominatorGivesNoRatio() {
        let ones = Array(repeating: 1.0, count: 10)
        #expect(Statistics.ratio(of: ones, to: [0] + ones.dropLast()) == nil)
    }

    @Test func theGeneratorIsSplitMix64() {
        // The first numbers of the reference implementation for seed 1234567.
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }
}
