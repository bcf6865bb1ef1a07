import BenchmarkKit
import Corinth

/// `action`: applies an action whose producer sends one value.
enum Actions {
    static let entry = ScenarioEntry(
        "action",
        unit: "ns/apply",
        direct: { _ in ActionDirect() },
        library: { _ in ActionCorinth() })
}

private final class ActionCorinth: Scenario {
    private let action = Action<Int, Int, Never> { SignalProducer(value: $0 &+ 1) }
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        action.values.observeValues { [tally] in tally.add($0) }
    }

    func run(events: Int) {
        let action = action
        for value in 0..<events { action.apply(value).start() }
        expected.add(valuesBelow: events, offset: 1)
    }

    func verify() throws {
        try expected.verify(tally)
        try CheckFailure.unless("whether the action is enabled", is: true, got: action.isEnabled.value)
    }
}

/// Calls the closure and the observer while a flag is set.
private final class ActionDirect: Scenario {
    private var isExecuting = false
    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        let execute = opaqueMap { $0 &+ 1 }
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for value in 0..<events where !isExecuting {
            isExecuting = true
            observe(execute(value))
            isExecuting = false
        }
        expected.add(valuesBelow: events, offset: 1)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}
