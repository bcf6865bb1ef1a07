import BenchmarkKit
import Corinth
import CorinthServices

/// `services/limited`, `/guarded`, `/using`: starts a producer of one value within a limit, behind a breaker, with a resource.
/// `services/urgent`, `/dropped`: a value through a hop that needs no scheduler.
///
/// They are counted, and have nothing to compare with.
enum ServiceParts {
    enum Refused: Error { case refused }

    private typealias Source = SignalProducer<Int, Refused>

    static let entries = [
        start("limited") { $0.limited(by: Bulkhead(limit: 1), raising: .refused) },
        start("guarded") { source in
            let breaker = CircuitBreaker(opensAfter: .inARow(3), for: .constant(1), on: QueueScheduler(name: "breaker"))
            return source.guarded(by: breaker, raising: .refused)
        },
        start("using") { source in
            .using(Source(value: 0)) { _ in
                source
            } release: { _ in
                SignalProducer<Void, Never>.empty
            }
        },
        value("urgent") { $0.observe(on: ImmediateScheduler(), mostUrgentFirst: { $0 & 3 }) },
        value("dropped") { $0.observe(on: ImmediateScheduler(), bufferingPolicy: .unbounded) { _ in } },
    ]

    private static func start(_ name: String, _ part: @escaping @Sendable (Source) -> Source) -> ScenarioEntry {
        ScenarioEntry(
            "services/\(name)", unit: "ns/start", direct: nil,
            library: { _ in
                ServiceStart(
                    part(
                        Source { observer, _ in
                            observer.send(value: ServiceStart.value)
                            observer.sendCompleted()
                        }))
            })
    }

    private static func value(
        _ name: String, _ part: @escaping @Sendable (Signal<Int, Never>) -> Signal<Int, Never>
    ) -> ScenarioEntry {
        ScenarioEntry("services/\(name)", direct: nil, library: { _ in ServiceValue(part) })
    }
}

extension ScenarioEntry {
    /// A service beside the same by hand: the tail of the latencies.
    static func service(_ name: String, direct: @escaping Making, library: @escaping Making) -> ScenarioEntry {
        ScenarioEntry(
            name, unit: "ns, p99.9", measure: .latency(percentile: 99.9), sampleMilliseconds: 500, isThreaded: true,
            direct: direct, library: library)
    }
}

private final class ServiceStart: Scenario {
    static let value = 7

    private let producer: SignalProducer<Int, ServiceParts.Refused>
    private let tally = Tally()
    private var expected = Expectation()

    init(_ producer: SignalProducer<Int, ServiceParts.Refused>) { self.producer = producer }

    func run(events: Int) {
        for _ in 0..<events {
            producer.startWithResult { [tally] in if case .success(let value) = $0 { tally.add(value) } }
        }
        expected.add(Self.value, times: events)
    }

    func verify() throws { try expected.verify(tally) }
}

private final class ServiceValue: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let tally = Tally()
    private var expected = Expectation()

    init(_ part: (Signal<Int, Never>) -> Signal<Int, Never>) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        part(output).observeValues { [tally] in tally.add($0) }
    }

    func run(events: Int) {
        let input = input
        for value in 0..<events { input.send(value: value) }
        expected.add(valuesBelow: events)
    }

    func verify() throws { try expected.verify(tally) }

    func tearDown() { input.sendCompleted() }
}
