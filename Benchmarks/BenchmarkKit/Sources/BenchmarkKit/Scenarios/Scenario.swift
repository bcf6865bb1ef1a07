/// One side of a scenario: one way to do one kind of work.
///
/// A worker creates it, calls ``setUp()`` once, then ``prepare(events:)``, ``run(events:)`` and ``verify()`` in turn, then
/// ``tearDown()``. A scenario that needs no more than a closure has none of this: see ``ScenarioEntry``.
public protocol Scenario: AnyObject {
    /// Prepares what isn't part of an event. Many scenarios do that in their initialiser instead.
    func setUp() throws

    /// The number of events of a run is a multiple of this.
    var granularity: Int { get }

    /// Prepares the next `events` events, outside the measured time and without being counted.
    func prepare(events: Int)

    /// The most events that are prepared at once, at least 1 and a multiple of ``granularity``. A longer run has several batches,
    /// each with its own ``prepare(events:)`` and ``run(events:)``. `Int.max`, the default, for all events of a run.
    var largestBatch: Int { get }

    /// Processes `events` events and returns when all of them have arrived at their destination.
    ///
    /// The worker times the whole call.
    func run(events: Int)

    /// The result of the last run, if runs have a given time: then `events` is a number of milliseconds, and the figure is
    /// computed from the events of that time. nil if runs have a given number of events.
    func takeTimedRun() -> TimedRun?

    /// Throws a ``CheckFailure`` if the events that have arrived so far aren't those that were sent.
    ///
    /// The worker calls it after each run, outside the measured time.
    func verify() throws

    /// The latencies recorded since the last call, or nil if the scenario records none.
    func takeLatencies() -> Histogram?

    /// The uncorrected latencies of the same events, which start when the events were sent. nil if ``takeLatencies()`` isn't
    /// corrected, that is, doesn't start when the events were due.
    func takeUncorrectedLatencies() -> Histogram?

    /// The scenario's own counts since its creation, by name.
    var counts: [String: Int] { get }

    /// Whether each event makes an object that is kept after the run. Then the counted bytes are those that stay allocated.
    var keepsObjects: Bool { get }

    /// Releases threads and observers. No run follows.
    func tearDown()
}

extension Scenario {
    public func setUp() {}

    public var granularity: Int { 1 }

    public func prepare(events: Int) {}

    public var largestBatch: Int { .max }

    public func takeTimedRun() -> TimedRun? { nil }

    public func takeLatencies() -> Histogram? { nil }

    public func takeUncorrectedLatencies() -> Histogram? { nil }

    public var counts: [String: Int] { [:] }

    public var keepsObjects: Bool { false }

    public func tearDown() {}
}

extension Scenario {
    /// Prepares and runs `events` events, in batches.
    ///
    /// - Parameters:
    ///   - batch: The events of the next batch, at most ``largestBatch``.
    ///   - run: Calls ``run(events:)`` and measures that, for a batch that is prepared.
    func forEachBatch(of events: Int, _ batch: @autoclosure () -> Int, run: (_ events: Int) throws -> Void) rethrows {
        var left = events
        while left > 0 {
            let count = min(left, batch())
            prepare(events: count)
            try run(count)
            left -= count
        }
    }

    /// Prepares and runs `events` events, in batches that are as large as they may be.
    func runBatches(events: Int) {
        forEachBatch(of: events, largestBatch) { run(events: $0) }
    }
}

/// Reports that a scenario did not do the work that it measures.
public struct CheckFailure: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }

    public init(_ what: String, expected: some Any, got: some Any) {
        self.init("\(what): expected \(expected), got \(got)")
    }

    /// Throws unless `got` is `expected`.
    public static func unless<Value: Equatable>(_ what: String, is expected: Value, got: Value) throws {
        if got != expected { throw CheckFailure(what, expected: expected, got: got) }
    }
}
