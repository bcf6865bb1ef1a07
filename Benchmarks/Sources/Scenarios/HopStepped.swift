import BenchmarkKit
import Corinth

/// `hop/stepped`: sends 10,000 events through `observe(on:)` to a scheduler that the sender then runs. It has one thread, so
/// that its instructions can be counted.
enum HopStepped {
    static let burst = 10_000

    static let entry = ScenarioEntry(
        "hop/stepped",
        direct: { _ in HopSteppedDirect() },
        library: { _ in HopSteppedCorinth() })
}

/// Runs its actions when the sender says so.
///
/// Unchecked: only one thread uses it.
private final class SteppedScheduler: Scheduler, @unchecked Sendable {
    private var actions: [() -> Void] = []
    private var running: [() -> Void] = []

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        actions.append(action)
        return nil
    }

    func run() {
        while !actions.isEmpty {
            swap(&actions, &running)
            for action in running { action() }
            running.removeAll(keepingCapacity: true)
        }
    }
}

private final class HopSteppedCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let scheduler = SteppedScheduler()
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        output.observe(on: scheduler, bufferingPolicy: .blocking(capacity: 16_384))
            .observeValues { [tally] in tally.add($0) }
    }

    var granularity: Int { HopStepped.burst }

    func run(events: Int) {
        let input = input
        for first in stride(from: 0, to: events, by: HopStepped.burst) {
            for value in first..<first + HopStepped.burst { input.send(value: value) }
            scheduler.run()
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }

    func tearDown() {
        input.sendCompleted()
        scheduler.run()
    }
}

/// Appends the values to an array, then calls the observer with each.
private final class HopSteppedDirect: Scenario {
    private let tally = Tally()
    private var expected = Expectation()
    private var values: [Int] = []

    var granularity: Int { HopStepped.burst }

    func run(events: Int) {
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for first in stride(from: 0, to: events, by: HopStepped.burst) {
            for value in first..<first + HopStepped.burst { values.append(value) }
            for value in values { observe(value) }
            values.removeAll(keepingCapacity: true)
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}
