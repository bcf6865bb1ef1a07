import Corinth
import CorinthTesting
import Dispatch
import Testing

struct RetryBackoffTests {
    @Test func waitsBetweenAttempts() {
        #expect(marbles(cold: "a#") { $0.retry(upTo: 2, backoff: .constant(3), on: $1) } == "a---a---a#")
    }

    /// The same behaviour as ReactiveSwift's.
    @Test func sameIntervalEachTime() {
        #expect(marbles(cold: "a#") { $0.retry(upTo: 2, interval: 3, on: $1) } == "a---a---a#")
        #expect(marbles(cold: "a#") { $0.retry(upTo: 0, interval: 3, on: $1) } == "a#")
    }

    @Test func waitsLongerAndLonger() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(
            scheduler.cold("#").retry(
                upTo: 4, backoff: .exponential(from: 1, factor: 2, upTo: 5, jitter: 0), on: scheduler))
        // The delays are 1 + 2 + 4 + 5 seconds.
        scheduler.advance(by: 11.5)
        #expect(recorder.events.isEmpty)
        scheduler.advance(by: .seconds(30))
        #expect(recorder.marbles == "------------#")
    }

    @Test func success() {
        let scheduler = TestScheduler()
        let attempts = Counter()
        let source = SignalProducer<Int, TestError> { () -> Result<Int, TestError> in
            attempts.increment() < 3 ? .failure(.first) : .success(7)
        }
        let recorder = scheduler.record(source.retry(upTo: 5, backoff: .constant(1), on: scheduler))
        scheduler.advance(by: .seconds(10))
        #expect(recorder.events == [.value(7), .completed])
        #expect(attempts.value == 3)
    }

    @Test func disposalWhileItWaits() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(
            scheduler.cold("a#").retry(upTo: 5, backoff: .constant(3), on: scheduler))
        scheduler.advance(by: .seconds(2))
        recorder.disposable?.dispose()
        #expect(recorder.marbles == "a-!")
        #expect(scheduler.pendingCount == 0)
    }

    @Test func interruptionIsNoFailure() {
        #expect(marbles(cold: "a!") { $0.retry(upTo: 5, backoff: .constant(3), on: $1) } == "a!")
    }

    /// The same seed gives the same delays, within the bounds.
    @Test func jitter() {
        func delays(seed: UInt64) -> [Double] {
            var generator = SeededGenerator(seed: seed)
            let backoff = Backoff.exponential(from: 1, factor: 2, upTo: 8, jitter: 0.5)
            return (0..<100).map { backoff.delay(beforeRetry: $0, using: &generator) }
        }
        #expect(delays(seed: 1) == delays(seed: 1))
        #expect(delays(seed: 1) != delays(seed: 2))
        for (number, delay) in delays(seed: 3).enumerated() {
            let longest = number < 3 ? Double(1 << number) : 8
            #expect(delay >= longest / 2 && delay <= longest)
        }
    }

    @Test func `P4: many retries take constant stack and leave nothing behind`() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(
            SignalProducer<Int, TestError>(error: .first).retry(upTo: 20_000, backoff: .constant(0), on: scheduler))
        scheduler.advance()
        #expect(recorder.events == [.failed(.first)])
        #expect(scheduler.pendingCount == 0)
    }

    // MARK: Policies

    @Test func aPolicyLimitsTheRetriesInARow() {
        #expect(marbles(cold: "a#") { $0.retry(.constant(.seconds(3)).limited(to: 2), on: $1) } == "a---a---a#")
        #expect(marbles(cold: "a#") { $0.retry(.constant(.seconds(3)).limited(to: 0), on: $1) } == "a#")
        #expect(marbles(cold: "a|") { $0.retry(.constant(.seconds(3)).limited(to: 2), on: $1) } == "a|")
    }

    @Test func aPolicyLimitsTheTimeOfRetriesInARow() {
        // The third retry would begin nine seconds after the first failure.
        #expect(
            marbles(cold: "a#") { $0.retry(.constant(.seconds(3)).limited(to: .seconds(8)), on: $1) } == "a---a---a#")
        #expect(marbles(cold: "a#") { $0.retry(.constant(.seconds(3)).limited(to: .seconds(2)), on: $1) } == "a#")
    }

    @Test func afterAValueTheLimitsBeginAnew() {
        let scheduler = TestScheduler()
        let attempts = Counter()
        // Two failures, a value and a failure, two failures, …
        let source = SignalProducer<Int, TestError> { input, _ in
            if attempts.increment() % 3 == 0 { input.send(value: attempts.value) }
            input.send(error: .first)
        }
        let policy = Retry<TestError>.constant(.seconds(1)).limited(to: 3)
        let recorder = scheduler.record(source.retry(policy, on: scheduler))
        scheduler.advance(by: .seconds(100))
        #expect(recorder.events == [.value(3), .failed(.first)])
        let other = scheduler.record(source.retry(policy.startingOverAfterValues(), on: scheduler))
        scheduler.advance(by: .seconds(100))
        #expect(other.events.count == 34 && other.events.allSatisfy { $0.value != nil })
        other.disposable?.dispose()
    }

    @Test func aPolicyDecidesByTheFailureAndTheAttempt() {
        let scheduler = TestScheduler()
        let attempts = Counter()
        let asked = Atomic<[Int]>([])
        let source = SignalProducer<Int, TestError> { () -> Result<Int, TestError> in
            .failure(attempts.increment() < 4 ? .first : .second)
        }
        let policy = Retry<TestError>.constant(.seconds(1))
            .when { _, attempt in
                asked.modify { $0.append(attempt) }
                return true
            }
            .when { $0 == .first }
        let recorder = scheduler.record(source.retry(policy, on: scheduler))
        scheduler.advance(by: .seconds(10))
        #expect(recorder.events == [.failed(.second)])
        #expect(asked.value == [1, 2, 3, 4])
        // A limit that forbids the retry is asked first.
        asked.value = []
        scheduler.record(source.retry(policy.limited(to: 0), on: scheduler))
        #expect(asked.value.isEmpty)
    }
}
