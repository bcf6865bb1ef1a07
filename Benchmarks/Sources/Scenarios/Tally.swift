import BenchmarkKit

/// The number and the sum of the values that an observer received.
///
/// Unchecked: the events of a signal are serial (law E2), and a reader first waits until all of them have arrived. A library
/// that violates the law loses counts here, and the check fails.
final class Tally: @unchecked Sendable {
    private(set) var count = 0
    private(set) var sum = 0

    @inline(__always)
    func add(_ value: Int) {
        count &+= 1
        sum &+= value
    }
}

/// The values that an observer should have received.
struct Expectation {
    private(set) var count = 0
    private(set) var sum = 0

    /// Adds the values from 0 to `events` - 1, each of which arrives as `factor * value + offset`.
    mutating func add(valuesBelow events: Int, factor: Int = 1, offset: Int = 0) {
        count &+= events
        sum &+= factor &* (events &* (events - 1) / 2) &+ offset &* events
    }

    /// Adds `value`, `times` times.
    mutating func add(_ value: Int, times: Int = 1) {
        count &+= times
        sum &+= value &* times
    }

    /// Adds `count` values whose sum is `sum`.
    mutating func add(count: Int, sum: Int) {
        self.count &+= count
        self.sum &+= sum
    }

    func verify(_ tally: Tally, _ observer: String = "the observer") throws {
        try CheckFailure.unless("events that reached \(observer)", is: count, got: tally.count)
        try CheckFailure.unless("sum of the values at \(observer)", is: sum, got: tally.sum)
    }
}
