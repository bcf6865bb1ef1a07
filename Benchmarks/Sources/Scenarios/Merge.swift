import BenchmarkKit
import Corinth

/// `merge/8`: sends an event to one of 8 merged pipes, round robin.
enum Merge {
    static let entry = ScenarioEntry(
        "merge/8",
        direct: { _ in MergeDirect() },
        library: { _ in MergeCorinth() })
}

private final class MergeCorinth: Scenario {
    private let inputs: [Signal<Int, Never>.Observer]
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        let pipes = (0..<8).map { _ in Signal<Int, Never>.pipe() }
        inputs = pipes.map { $0.input }
        Signal.merge(pipes.map { $0.output }).observeValues { [tally] in tally.add($0) }
    }

    var granularity: Int { 8 }

    func run(events: Int) {
        // One variable each: reading an element of an array retains it, which isn't to be measured here.
        let (first, second, third, fourth) = (inputs[0], inputs[1], inputs[2], inputs[3])
        let (fifth, sixth, seventh, eighth) = (inputs[4], inputs[5], inputs[6], inputs[7])
        for value in stride(from: 0, to: events, by: 8) {
            first.send(value: value)
            second.send(value: value + 1)
            third.send(value: value + 2)
            fourth.send(value: value + 3)
            fifth.send(value: value + 4)
            sixth.send(value: value + 5)
            seventh.send(value: value + 6)
            eighth.send(value: value + 7)
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }

    func tearDown() {
        for input in inputs { input.sendCompleted() }
    }
}

/// Calls the observer.
private final class MergeDirect: Scenario {
    private let tally = Tally()
    private var expected = Expectation()

    var granularity: Int { 8 }

    func run(events: Int) {
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for value in 0..<events { observe(value) }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}
