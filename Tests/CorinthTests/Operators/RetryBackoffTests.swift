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
}
