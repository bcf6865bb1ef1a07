/// One side of a scenario: one way to do one kind of work.
///
/// A worker creates it, calls ``setUp()`` once, then ``run(events:)`` and ``verify()`` alternately, then ``tearDown()``.
public protocol Scenario: AnyObject {
    /// Prepares what isn't part of an event. Many scenarios do that in their initialiser instead.
    func setUp() throws

    /// The number of events of a run is a multiple of this.
    var granularity: Int { get }

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

    public func takeTimedRun() -> TimedRun? { nil }

    public func takeLatencies() -> Histogram? { nil }

    public func takeUncorrectedLatencies() -> Histogram? { nil }

    public var counts: [String: Int] { [:] }

    public var keepsObjects: Bool { false }

    public func tearDown() {}
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
