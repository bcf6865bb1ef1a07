import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct HistogramTests {
    /// Values of every size, including those around the powers of two, where the width of buckets changes.
    private static let values: [UInt64] = {
        var generator = SeededGenerator(seed: 7)
        let random = (0..<20_000).map { _ in
            let shift = UInt64.random(in: 0..<64, using: &generator)
            return UInt64.random(in: 0...UInt64.max, using: &generator) >> shift
        }
        let edges = (0..<64).flatMap { bit in
            let power = UInt64(1) << UInt64(bit)
            return [power - 1, power, power + 1]
        }
        return random + edges + [.max]
    }()

    @Test func aValueReadBackHasThreeDigits() {
        for value in Self.values where value <= Histogram.highest {
            let read = Histogram.middle(ofBucket: Histogram.bucket(of: value))
            let error = Double(read > value ? read - value : value - read)
            #expect(error <= Double(value) * 0.000_5, "\(value) was read back as \(read)")
        }
    }

    @Test func bucketsAreInOrderAndInBounds() {
        var previous = -1
        for value in Self.values.sorted() where value <= Histogram.highest {
            let bucket = Histogram.bucket(of: value)
            #expect(bucket >= previous)
            #expect((0..<Histogram.bucketCount).contains(bucket))
            previous = bucket
        }
    }

    @Test func smallValuesAreExact() {
        for value in UInt64(0)..<2048 {
            #expect(Histogram.middle(ofBucket: Histogram.bucket(of: value)) == value)
        }
    }

    @Test(arguments: [0, 1, 10, 50, 90, 99, 99.9, 99.99, 100])
    func percentilesAgreeWithASort(percent: Double) throws {
        var histogram = Histogram()
        var generator = SeededGenerator(seed: 11)
        let values = (0..<12_345).map { _ in
            let shift = UInt64.random(in: 0..<20, using: &generator)
            return UInt64.random(in: 0...5_000_000, using: &generator) >> shift
        }
        for value in values { histogram.record(value) }
        let rank = max(1, Int((percent / 100 * Double(values.count)).rounded(.up)))
        let exact = Double(values.sorted()[rank - 1])
        let read = Double(try #require(histogram.percentile(percent)))
        #expect(abs(read - exact) <= exact * 0.000_5)
    }

    @Test func theExtremesAreExact() {
        var histogram = Histogram()
        for value: UInt64 in [1_000_003, 77_777, 123_456_789] { histogram.record(value) }
        #expect(histogram.minimum == 77_777)
        #expect(histogram.maximum == 123_456_789)
        #expect(histogram.percentile(100) == 123_456_789)
    }

    @Test func mergingEqualsRecordingInOne() {
        var together = Histogram()
        var parts = [Histogram(), Histogram(), Histogram()]
        for (index, value) in Self.values.enumerated() {
            together.record(value)
            parts[index % 2].record(value)
        }
        var merged = Histogram()
        for part in parts { merged.merge(part) }
        #expect(merged == together)
        #expect(merged.count == UInt64(Self.values.count))
    }

    @Test func moreThanAnHourCountsAsAnHour() {
        var histogram = Histogram()
        histogram.record(.max)
        #expect(histogram.maximum == Histogram.highest)
        #expect(histogram.percentile(50) == Histogram.highest)
    }

    @Test func encodingAndDecodingKeepsEverything() throws {
        var histogram = Histogram()
        for value in Self.values.prefix(500) { histogram.record(value) }
        let data = try JSONEncoder().encode(histogram)
        #expect(try JSONDecoder().decode(Histogram.self, from: data) == histogram)
        let empty = try JSONEncoder().encode(Histogram())
        #expect(try JSONDecoder().decode(Histogram.self, from: empty) == Histogram())
    }

    @Test func concurrentRecordingLosesNothing() {
        let shared = AtomicHistogram()
        let team = ThreadTeam(count: 4)
        team.run { member in
            for number in 0..<20_000 as Range<UInt64> { shared.record(number * 997 + UInt64(member)) }
        }
        team.end()
        var expected = Histogram()
        for member in 0..<4 as Range<UInt64> {
            for number in 0..<20_000 as Range<UInt64> { expected.record(number * 997 + member) }
        }
        let recorded = shared.snapshot()
        #expect(recorded.count == expected.count)
        #expect([recorded.minimum, recorded.maximum] == [expected.minimum, expected.maximum])
        // Compared outside of the macro, which would print all counters.
        let isSame = recorded == expected
        #expect(isSame)
        #expect(AtomicHistogram().snapshot().count == 0)
    }

    @Test func anEmptyHistogramHasNoPercentiles() {
        var histogram = Histogram()
        #expect(histogram.percentile(50) == nil)
        #expect(histogram.maximum == nil)
        histogram.record(5)
        histogram.reset()
        #expect(histogram == Histogram())
    }

    @Test func aPercentileAbove100IsRefused() async {
        await #expect(processExitsWith: .failure) {
            _ = Histogram().percentile(101)
        }
    }
}
