import Corinth
import CorinthTesting
import Testing

struct CollectTests {
    typealias Collecting = Overloads<Int, TestError, [Int], TestError>

    static let all = Collecting({ $0.collect() }, { $0.collect() })
    static let pairs = Collecting({ $0.collect(count: 2) }, { $0.collect(count: 2) })
    static let sums = Collecting(
        { $0.collect { $0.reduce(0, +) >= 5 } }, { $0.collect { $0.reduce(0, +) >= 5 } })
    static let runs = Collecting(
        { $0.collect { collected, latest in latest < (collected.last ?? latest) } },
        { $0.collect { collected, latest in latest < (collected.last ?? latest) } })

    @Test func everything() {
        Self.all.expect([.value([1, 2, 3]), .completed], of: [1, 2, 3], then: .completed)
    }

    @Test func byCount() {
        Self.pairs.expect(
            [.value([1, 2]), .value([3, 4]), .value([5]), .completed], of: [1, 2, 3, 4, 5], then: .completed)
        // No value is left, so there is no empty array.
        Self.pairs.expect([.value([1, 2]), .completed], of: [1, 2], then: .completed)
    }

    @Test func byPredicate() {
        Self.sums.expect([.value([1, 4]), .value([5]), .value([1]), .completed], of: [1, 4, 5, 1], then: .completed)
    }

    @Test func byPredicateOnTheNext() {
        Self.runs.expect(
            [.value([1, 3]), .value([2, 4]), .value([1]), .completed], of: [1, 3, 2, 4, 1], then: .completed)
    }

    /// A predicate on the next value may hold for the first value; the collected array is then empty.
    @Test func alwaysTrue() {
        let overloads = Collecting({ $0.collect { _, _ in true } }, { $0.collect { _, _ in true } })
        overloads.expect([.value([]), .value([1]), .value([2]), .completed], of: [1, 2], then: .completed)
    }

    @Test func nothing() {
        for overloads in [Self.all, Self.pairs, Self.sums, Self.runs] {
            overloads.expect([.value([]), .completed], of: [], then: .completed)
        }
    }

    @Test func `E6: the other terminating events drop the collected values`() {
        for overloads in [Self.all, Self.pairs, Self.sums, Self.runs] {
            overloads.expect([.failed(.second)], of: [1], then: .failed(.second))
            overloads.expect([.interrupted], of: [1], then: .interrupted)
            overloads.expectDisposal(after: [1], gives: [])
        }
    }

    /// An emitted array doesn't change when more values are collected.
    @Test func arraysAreTheirReceivers() {
        let recorder = EventRecorder<[Int], Never>()
        SignalProducer<Int, Never>(1...6).collect(count: 2).start(recorder.observer)
        #expect(recorder.values == [[1, 2], [3, 4], [5, 6]])
    }
}
