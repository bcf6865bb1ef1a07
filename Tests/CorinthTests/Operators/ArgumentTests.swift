import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// The largest arguments work, like all others that aren't refused. ``RefusedArgumentTests`` has the others.
struct ArgumentTests {
    private typealias Source = Signal<Int, Never>
    private typealias Recipe = SignalProducer<Int, Never>

    // MARK: Counts, limits and capacities

    /// No operator allocates in proportion to its argument; otherwise these calls would not return.
    @Test func theLargestCounts() {
        let source = Recipe([1, 2, 3])
        func values<Value>(_ producer: SignalProducer<Value, Never>) -> [Value] {
            let recorder = EventRecorder<Value, Never>()
            producer.start(recorder.observer)
            #expect(recorder.termination?.isCompleted == true)
            return recorder.values
        }
        #expect(values(source.take(first: .max)) == [1, 2, 3])
        #expect(values(source.take(last: .max)) == [1, 2, 3])
        #expect(values(source.skip(first: .max)).isEmpty)
        #expect(values(source.collect(count: .max)) == [[1, 2, 3]])
        #expect(values(source.window(count: .max).flatten(.merge)) == [1, 2, 3])
        #expect(values(source.repeat(.max).take(first: 7)) == [1, 2, 3, 1, 2, 3, 1])
        #expect(values(source.retry(upTo: .max)) == [1, 2, 3])
        #expect(values(source.replayLazily(upTo: .max)) == [1, 2, 3])
        #expect(values(source.share(replay: .max)) == [1, 2, 3])
        #expect(values(source.group(limit: .max) { $0 }.flatMap(.merge) { $0 }) == [1, 2, 3])
        #expect(values(source.flatMap(.concurrent(limit: .max)) { Recipe(value: $0) }) == [1, 2, 3])
        #expect(values(source.flatMap(.concatEager(limit: .max)) { Recipe(value: $0) }) == [1, 2, 3])
    }

    @Test func theLargestInbox() {
        let (signal, input) = Source.pipe(inboxCapacity: .max)
        let recorder = EventRecorder<Int, Never>()
        signal.observe(recorder.observer)
        for value in 0..<3 { input.send(value: value) }
        #expect(recorder.values == [0, 1, 2])
    }

    static let unlimited: [BufferingPolicy<TestError>] = [
        .blocking(capacity: .max), .blocking(capacity: .max, stallTimeout: .never),
        .blocking(capacity: 1, stallTimeout: .seconds(0)), .dropNewest(capacity: .max), .dropOldest(capacity: .max),
        .dropOldest(capacity: .max - 1), .dropOldest(capacity: 1 << 40), .failing(capacity: .max, with: .first),
    ]

    /// `.max` means no bound.
    @Test(arguments: unlimited.indices)
    func theLargestCapacityOfTimedOperators(index: Int) {
        let policy = Self.unlimited[index]
        let operators: [(Signal<Int, TestError>, TestScheduler) -> Signal<Int, TestError>] = [
            { source, scheduler in source.observe(on: scheduler, bufferingPolicy: policy) },
            { source, scheduler in source.delay(1, on: scheduler, bufferingPolicy: policy) },
            { source, scheduler in
                source.collect(every: .seconds(1), on: scheduler, bufferingPolicy: policy).flatten()
            },
        ]
        for apply in operators {
            let scheduler = TestScheduler()
            let (source, input) = Signal<Int, TestError>.pipe(buffering: policy)
            let recorder = EventRecorder<Int, TestError>()
            apply(source, scheduler).observe(recorder.observer)
            for value in 0..<100 { input.send(value: value) }
            scheduler.advance(by: .seconds(1))
            #expect(recorder.values == Array(0..<100))
            #expect(recorder.termination == nil)
            input.sendCompleted()
            scheduler.run()
        }
    }

    /// These buffer values that wait for other streams, so a policy that makes senders wait isn't available.
    @Test(arguments: unlimited.indices.dropFirst(3))
    func theLargestCapacityOfJoins(index: Int) {
        let policy = Self.unlimited[index]
        let (left, leftInput) = Signal<Int, TestError>.pipe()
        let (right, rightInput) = Signal<Int, TestError>.pipe()
        let zipped = EventRecorder<Int, TestError>()
        left.zip(with: right, bufferingPolicy: policy).map { $0.0 + $0.1 }.observe(zipped.observer)
        let merged = EventRecorder<Int, TestError>()
        Signal.merge(ordered: [left, right], bufferingPolicy: policy).observe(merged.observer)
        let flat = EventRecorder<Int, TestError>()
        left.flatMap(.concat, bufferingPolicy: policy) { SignalProducer<Int, TestError>(value: $0) }
            .observe(flat.observer)
        for value in 0..<100 { leftInput.send(value: value) }
        for value in 0..<100 { rightInput.send(value: value) }
        #expect(zipped.values == (0..<100).map { $0 * 2 })
        #expect(merged.values == (0..<200).dropLast().map { $0 / 2 })
        #expect(flat.values == Array(0..<100))
    }

    // MARK: Times that never come

    static let forever: [TimeInterval] = [.infinity, .greatestFiniteMagnitude, 1e300]
    static let never: [DispatchTimeInterval] = [.never, .seconds(.max), .milliseconds(.max), .microseconds(.max)]

    /// Returns what a stream delivers on a scheduler for "ab" and a completion, until the end of time.
    private func marbles<Value>(
        _ apply: (SignalProducer<String, MarbleError>, TestScheduler) -> SignalProducer<Value, MarbleError>
    ) -> Marbles {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(apply(scheduler.cold("ab|"), scheduler))
        scheduler.run()
        let marbles = recorder.marbles
        recorder.disposable?.dispose()
        scheduler.run()
        return marbles
    }

    @Test(arguments: forever)
    func valuesThatWaitForever(interval: TimeInterval) {
        #expect(marbles { $0.delay(interval, on: $1) } == "")
        #expect(marbles { $0.debounce(interval, on: $1, discardWhenCompleted: false) } == "")
        #expect(marbles { $0.debounce(interval, on: $1, discardWhenCompleted: true) } == "--|")
        #expect(marbles { $0.debounce(interval, on: $1, edges: .both) } == "a")
        #expect(marbles { $0.debounce(interval, on: $1, edges: .leading) } == "a-|")
        #expect(marbles { $0.throttle(interval, on: $1) } == "a-|")
        #expect(marbles { $0.throttle(interval, on: $1, edges: .both) } == "a")
        #expect(marbles { $0.throttle(interval, on: $1, edges: .leading) } == "a-|")
        #expect(marbles { $0.delaySubscription(interval, on: $1) } == "")
    }

    @Test(arguments: forever)
    func timeThatIsNeverUp(interval: TimeInterval) {
        #expect(marbles { $0.timeout(after: interval, raising: MarbleError(), on: $1) } == "ab|")
        #expect(marbles { $0.timeout(perValue: interval, raising: MarbleError(), on: $1) } == "ab|")
        #expect(marbles { $0.collect(count: 2, within: interval, on: $1) } == "-[ab]|")
        #expect(marbles { $0.collect(count: .max, within: interval, on: $1) } == "--([ab]|)")
        #expect(marbles { $0.window(count: .max, within: interval, on: $1).flatten(.merge) } == "ab|")
        #expect(marbles { $0.group(limit: 1, idle: interval, on: $1) { _ in 0 }.flatMap(.merge) { $0 } } == "ab|")
        #expect(marbles { $0.share(grace: interval, on: $1) } == "ab|")
        #expect(marbles { $0.replayLazily(for: interval, on: $1) } == "ab|")
        #expect(
            marbles { _, scheduler in
                scheduler.cold("a#").retry(upTo: .max, backoff: .constant(interval, jitter: 1), on: scheduler)
            } == "a")
    }

    @Test(arguments: never.indices)
    func ticksThatNeverCome(index: Int) {
        let interval = Self.never[index]
        #expect(marbles { $0.window(every: interval, on: $1).flatten(.merge) } == "ab|")
        #expect(marbles { $0.sample(every: interval, on: $1) } == "")
        #expect(marbles { $0.collect(every: interval, on: $1) } == "--|")
        #expect(
            marbles {
                $0.collect(
                    every: interval, on: $1, discardWhenCompleted: false, bufferingPolicy: .blocking(capacity: .max))
            } == "")
        #expect(
            marbles { _, scheduler in
                SignalProducer.timer(interval: interval, on: scheduler).promoteError(MarbleError.self)
            } == "")
        #expect(
            marbles { _, scheduler in
                SignalProducer.timer(interval: interval, on: scheduler, leeway: .never)
                    .promoteError(MarbleError.self)
            } == "")
        #expect(
            marbles { _, scheduler in
                SignalProducer.interval([1], interval: interval, on: scheduler).promoteError(MarbleError.self)
            } == "")
        #expect(
            marbles { _, scheduler in
                SignalProducer.interval(interval, on: scheduler).promoteError(MarbleError.self)
            } == "")
    }

    /// A start that would wait forever can still be ended, and its timer is removed.
    @Test func disposalOfAnEndlessWait() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(SignalProducer<Int, Never>([1, 2]).delay(.infinity, on: scheduler))
        scheduler.run()
        #expect(scheduler.pendingCount == 1)
        recorder.disposable?.dispose()
        scheduler.advance()
        #expect(recorder.events == [.interrupted])
        #expect(scheduler.pendingCount == 0)
    }

    // MARK: Extremes of a backoff

    @Test func delaysOfABackoff() {
        var generator = SeededGenerator(seed: 1)
        func delay(_ backoff: Backoff, _ number: Int) -> TimeInterval {
            backoff.delay(beforeRetry: number, using: &generator)
        }
        #expect(delay(.exponential(from: 1, upTo: 60, jitter: 0), .max) == 60)
        #expect(delay(.exponential(from: 1, upTo: .infinity, jitter: 0), .max) == .infinity)
        #expect(delay(.exponential(from: 1, upTo: .infinity, jitter: 1), .max) == .infinity)
        #expect(delay(.exponential(from: 1, factor: .infinity, upTo: 60, jitter: 0), 0) == 1)
        #expect(delay(.exponential(from: 1, factor: .infinity, upTo: 60, jitter: 0), 1) == 60)
        #expect(delay(.exponential(from: 0, factor: .infinity, jitter: 0), .max) == 0)
        #expect(delay(.exponential(from: .infinity, jitter: 0), 0) == 60)
        for _ in 0..<100 { #expect(delay(.constant(.infinity, jitter: 1), 0) == .infinity) }
    }
}
