/// One way to do one kind of work.
///
/// The runner makes it, calls ``setUp()`` once, ``run(events:)`` and ``verify()`` in turn, and ``tearDown()`` once.
public protocol Scenario: AnyObject {
    /// Makes ready what isn't part of an event. Many scenarios do that in their initialiser instead.
    func setUp() throws

    /// A run's events are a multiple of this.
    var granularity: Int { get }

    /// Processes `events` events, and returns when all of them have arrived where they go.
    ///
    /// The runner times the whole call.
    func run(events: Int)

    /// What was done in the last run, if a run is of a time: then it has so many milliseconds in place of so many events,
    /// and the figure is of what was done. Otherwise nil.
    func takeTimedRun() -> TimedRun?

    /// Throws a ``CheckFailure`` if what arrived since the scenario was made isn't what was sent.
    ///
    /// The runner calls it after each run, outside the time that it measures.
    func verify() throws

    /// The latencies recorded since the last call, or nil if the scenario records none.
    func takeLatencies() -> Histogram?

    /// The latencies of the same events from when they were really sent, since the last call, where
    /// ``takeLatencies()`` counts from when they should have been; nil if there is no such difference.
    func takeUncorrectedLatencies() -> Histogram?

    /// Things counted since the scenario was made, by name.
    var counts: [String: Int] { get }

    /// Lets go of threads and observers. Nothing is run afterwards.
    func tearDown()
}

extension Scenario {
    public func setUp() {}

    public var granularity: Int { 1 }

    public func takeTimedRun() -> TimedRun? { nil }

    public func takeLatencies() -> Histogram? { nil }

    public func takeUncorrectedLatencies() -> Histogram? { nil }

    public var counts: [String: Int] { [:] }

    public func tearDown() {}
}

/// Says that a scenario did not do what it measures.
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
