import BenchmarkKit

/// What an observer saw: how many values, and their sum.
///
/// Unchecked, because the events of a signal are serial (law E2): one delivery at a time adds, and who reads has
/// waited until everything arrived. A library that breaks that loses counts here, and the check fails.
final class Tally: @unchecked Sendable {
    private(set) var count = 0
    private(set) var sum = 0

    @inline(__always)
    func add(_ value: Int) {
        count &+= 1
        sum &+= value
    }
}

/// What an observer should have seen.
struct Expectation {
    private(set) var count = 0
    private(set) var sum = 0

    /// Notes that the values from 0 to `events` - 1 were sent, and that each arrives as `factor * value + offset`.
    mutating func add(valuesBelow events: Int, factor: Int = 1, offset: Int = 0) {
        count &+= events
        sum &+= factor &* (events &* (events - 1) / 2) &+ offset &* events
    }

    /// Notes that `value` arrives, `times` times.
    mutating func add(_ value: Int, times: Int = 1) {
        count &+= times
        sum &+= value &* times
    }

    /// Notes that `count` values arrive that add up to `sum`.
    mutating func add(count: Int, sum: Int) {
        self.count &+= count
        self.sum &+= sum
    }

    func verify(_ tally: Tally, _ observer: String = "the observer") throws {
        try CheckFailure.unless("events that reached \(observer)", is: count, got: tally.count)
        try CheckFailure.unless("sum of what reached \(observer)", is: sum, got: tally.sum)
    }
}
