import Corinth
import CorinthTesting
import Dispatch
import Testing

/// Arguments are checked at once, and the message names the parameter. The tables of schedulers are beside their other tests.
struct RefusedArgumentTests {
    private typealias Source = Signal<Int, Never>
    private typealias Recipe = SignalProducer<Int, Never>

    /// Intervals in seconds.
    static let seconds: [Refusal] = [
        Refusal("interval is nan s") { _ = Source.never.delay(.nan, on: TestScheduler()) },
        Refusal("interval is nan s") { _ = Recipe.never.delay(.nan, on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Source.never.delay(-1, on: TestScheduler()) },
        Refusal("interval is nan s") { _ = Source.never.pace(1, per: .nan, on: TestScheduler()) },
        Refusal("interval is 0.0 s") { _ = Recipe.never.pace(1, per: 0, on: TestScheduler()) },
        Refusal("interval is inf s") { _ = Source.never.pace(1, per: .infinity, on: TestScheduler()) },
        Refusal("interval is nan s") { _ = Source.never.debounce(.nan, on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Source.never.debounce(-1, on: TestScheduler()) },
        Refusal("interval is nan s") { _ = Source.never.throttle(.nan, on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Source.never.throttle(-1, on: TestScheduler()) },
        Refusal("interval is nan s") { _ = Source.never.collect(count: 1, within: .nan, on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Source.never.collect(count: 1, within: -1, on: TestScheduler()) },
        Refusal("interval is nan s") { _ = Source.never.window(count: 1, within: .nan, on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Recipe.never.window(count: 1, within: -1, on: TestScheduler()) },
        Refusal("interval is nan s") {
            _ = Source.never.timeout(after: .nan, raising: TestError.first, on: TestScheduler())
        },
        Refusal("interval is -1.0 s") {
            _ = Signal<Int, TestError>.never.timeout(after: -1, raising: .first, on: TestScheduler())
        },
        Refusal("interval is nan s") {
            _ = Source.never.timeout(perValue: .nan, raising: TestError.first, on: TestScheduler())
        },
        Refusal("interval is -1.0 s") {
            _ = SignalProducer<Int, TestError>.never.timeout(perValue: -1, raising: .first, on: TestScheduler())
        },
        Refusal("interval is nan s") {
            _ = SignalProducer<Int, TestError>.never.timeout(after: .nan, raising: .first, on: TestScheduler())
        },
        Refusal("interval is -1.0 s") {
            _ = Recipe.never.timeout(after: -1, raising: TestError.first, on: TestScheduler())
        },
        Refusal("interval is nan s") {
            _ = Signal<Int, TestError>.never.timeout(perValue: .nan, raising: .first, on: TestScheduler())
        },
        Refusal("interval is -1.0 s") {
            _ = Recipe.never.timeout(perValue: -1, raising: TestError.first, on: TestScheduler())
        },
        Refusal("idle is nan s") { _ = Source.never.group(limit: 1, idle: .nan, on: TestScheduler()) { $0 } },
        Refusal("idle is 0.0 s") { _ = Source.never.group(limit: 1, idle: 0, on: TestScheduler()) { $0 } },
        Refusal("interval is nan s") { _ = Recipe.never.delaySubscription(.nan, on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Recipe.never.delaySubscription(-1, on: TestScheduler()) },
        Refusal("grace is nan s") { _ = Recipe.never.share(grace: .nan, on: TestScheduler()) },
        Refusal("grace is -1.0 s") { _ = Recipe.never.share(grace: -1, on: TestScheduler()) },
        Refusal("age is nan s") { _ = Recipe.never.replayLazily(for: .nan, on: TestScheduler()) },
        Refusal("age is -1.0 s") { _ = Recipe.never.replayLazily(for: -1, on: TestScheduler()) },
        Refusal("interval is nan s") { _ = Recipe.never.retry(upTo: 1, interval: .nan, on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Recipe.never.retry(upTo: 1, interval: -1, on: TestScheduler()) },
    ]

    static let backoffs: [Refusal] = [
        Refusal("initial is nan s") { _ = Backoff.exponential(from: .nan) },
        Refusal("maximum is nan s") { _ = Backoff.exponential(from: 1, upTo: .nan) },
        Refusal("factor is nan") { _ = Backoff.exponential(from: 1, factor: .nan) },
        Refusal("factor is 0.5") { _ = Backoff.exponential(from: 1, factor: 0.5) },
        Refusal("jitter is nan") { _ = Backoff.exponential(from: 1, jitter: .nan) },
        Refusal("jitter is 2.0") { _ = Backoff.exponential(from: 1, jitter: 2) },
        Refusal("is -1.0 s") { _ = Backoff.constant(-1) },
        Refusal("number is -1") {
            var generator = SeededGenerator(seed: 1)
            _ = Backoff.constant(1).delay(beforeRetry: -1, using: &generator)
        },
    ]

    static let intervals: [Refusal] = [
        Refusal("interval is -9") { _ = Source.never.window(every: .seconds(.min), on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Source.never.window(every: .seconds(-1), on: TestScheduler()) },
        Refusal("interval is -0.001 s") { _ = Source.never.sample(every: .milliseconds(-1), on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Source.never.sample(every: .seconds(-1), on: TestScheduler()) },
        Refusal("interval is -9") { _ = Source.never.collect(every: .nanoseconds(.min), on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = Source.never.collect(every: .seconds(-1), on: TestScheduler()) },
        Refusal("interval is -1.0 s") { _ = SignalProducer.timer(interval: .seconds(-1), on: TestScheduler()) },
        Refusal("leeway is -1.0 s") {
            _ = SignalProducer.timer(interval: .seconds(1), on: TestScheduler(), leeway: .seconds(-1))
        },
        Refusal("interval is -1.0 s") { _ = SignalProducer.interval([1], interval: .seconds(-1), on: TestScheduler()) },
    ]

    static let edges: [Refusal] = [
        Refusal("edges has the bits 0") { _ = Recipe.never.debounce(1, on: TestScheduler(), edges: []) },
        Refusal("edges has the bits 0") { _ = Source.never.throttle(1, on: TestScheduler(), edges: []) },
    ]

    static let counts: [Refusal] = [
        Refusal("count is -9223372036854775808") { _ = Source.never.take(first: .min) },
        Refusal("count is -1") { _ = Source.never.take(first: -1) },
        Refusal("count is -1") { _ = Recipe.never.take(first: -1) },
        Refusal("count is -1") { _ = Source.never.take(last: -1) },
        Refusal("count is -1") { _ = Recipe.never.take(last: -1) },
        Refusal("count is -1") { _ = Source.never.skip(first: -1) },
        Refusal("count is -1") { _ = Recipe.never.skip(first: -1) },
        Refusal("count is 0") { _ = Source.never.pace(0, per: 1, on: TestScheduler()) },
        Refusal("burst is 0") { _ = Recipe.never.pace(1, per: 1, burst: 0, on: TestScheduler()) },
        Refusal("count is 0") { _ = Source.never.collect(count: 0) },
        Refusal("count is 0") { _ = Recipe.never.collect(count: 0) },
        Refusal("count is 0") { _ = Source.never.collect(count: 0, within: 1, on: TestScheduler()) },
        Refusal("count is 0") { _ = Source.never.window(count: 0) },
        Refusal("count is -1") { _ = Recipe.never.repeat(-1) },
        Refusal("count is -1") { _ = Recipe.never.retry(upTo: -1) },
        Refusal("count is -1") { _ = Recipe.never.retry(upTo: -1, interval: 1, on: TestScheduler()) },
        Refusal("count is -1") { _ = Recipe.never.retry(upTo: -1, backoff: .constant(1), on: TestScheduler()) },
    ]

    static let limitsAndCapacities: [Refusal] = [
        Refusal("lingering is -1.0 s") { _ = QueueScheduler(lingering: .seconds(-1)) },
        Refusal("lingering is 11.0 ms") { _ = QueueScheduler(queue: .global(), lingering: .milliseconds(11)) },
        Refusal("lingering is inf ms") { _ = QueueScheduler(lingering: .never) },
        Refusal("limit is 0") { _ = Source.never.group(limit: 0) { $0 } },
        Refusal("limit is 0") { _ = FlattenStrategy.concurrent(limit: 0) },
        Refusal("limit is 0") { _ = FlattenStrategy.concatEager(limit: 0) },
        Refusal("limit is 0") { _ = Source.never.parallelMap(on: QueueSchedulerPool(count: 1), limit: 0) { $0 } },
        Refusal("limit is 0") { _ = Recipe.never.parallelMap(on: QueueSchedulerPool(count: 1), limit: 0) { $0 } },
        Refusal("capacity is -1") { _ = Recipe.never.replayLazily(upTo: -1) },
        Refusal("capacity is -1") { _ = Recipe.never.replayLazily(upTo: -1, for: 1, on: TestScheduler()) },
        Refusal("capacity is -1") { _ = Recipe.buffer(upTo: -1) },
        Refusal("replay is -1") { _ = Recipe.never.share(replay: -1) },
        Refusal("inboxCapacity is 0") { _ = Source.pipe(inboxCapacity: 0) },
        Refusal("inboxCapacity is -1") { _ = Source.pipe(inboxCapacity: -1) },
        Refusal("inboxCapacity is 0") { _ = Source(inboxCapacity: 0) { _, _ in } },
        Refusal("inboxCapacity is -9223372036854775808") { _ = Source(inboxCapacity: .min) { _, _ in } },
        Refusal("capacity is 0") { _ = Source.pipe(buffering: .dropNewest(capacity: 0)) },
        Refusal("capacity is -1") { _ = BufferingPolicy<Never>.dropNewest(capacity: -1) },
        Refusal("capacity is 0") { _ = BufferingPolicy<Never>.dropOldest(capacity: 0) },
        Refusal("capacity is 0") { _ = BufferingPolicy<Never>.blocking(capacity: 0) },
        Refusal("stallTimeout is -1e-09 s") {
            _ = BufferingPolicy<Never>.blocking(capacity: 1, stallTimeout: .nanoseconds(-1))
        },
        Refusal("stallTimeout is -0.001 s") {
            _ = BufferingPolicy<Never>.blocking(capacity: 1, stallTimeout: .milliseconds(-1))
        },
        Refusal("stallTimeout is -1.0 s") {
            _ = BufferingPolicy<Never>.blocking(capacity: 1, stallTimeout: .seconds(-1))
        },
    ]

    /// A sender owns the strand, and must not wait there for another stream.
    static let policies: [Refusal] = [
        Refusal("bufferingPolicy is .blocking") {
            _ = Source.never.group(limit: 1, bufferingPolicy: .blocking(capacity: 1)) { $0 }
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Recipe.never.group(limit: 1, bufferingPolicy: .blocking(capacity: 1)) { $0 }
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Source.never.window(count: 1, bufferingPolicy: .blocking(capacity: 1))
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Recipe.never.window(count: 1, bufferingPolicy: .blocking(capacity: 1))
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Source.never.collect(bufferingPolicy: .blocking(capacity: 1))
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Source.never.zip(with: Source.never, bufferingPolicy: .blocking(capacity: 1))
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Recipe.zip([Recipe.never], bufferingPolicy: .blocking(capacity: 1))
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Source.merge(ordered: [Source.never], bufferingPolicy: .blocking(capacity: 1))
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Recipe.merge(ordered: [Recipe.never], bufferingPolicy: .blocking(capacity: 1))
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = Source.never.flatMap(.concat, bufferingPolicy: .blocking(capacity: 1)) { Recipe(value: $0) }
        },
        Refusal("bufferingPolicy is .blocking") {
            _ = SignalProducer<Recipe, Never>.never.flatten(.merge, bufferingPolicy: .blocking(capacity: 1))
        },
    ]

    static let all =
        seconds + backoffs + intervals + edges + counts + limitsAndCapacities + policies
        + SchedulerArgumentTests.refused + TestingArgumentTests.refused + DurationTests.refused
        + TrackingTests.refused

    @Test(arguments: all.indices)
    func isRefused(index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            try await RefusedArgumentTests.all[index].call()
        }
        #expect(result.says(Self.all[index].message), "the message isn't “\(Self.all[index].message)”")
    }
}
