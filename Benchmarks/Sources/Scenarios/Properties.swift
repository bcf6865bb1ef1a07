import BenchmarkKit
import Corinth

/// `property`: sets a property with one observer. `property/read`: reads it.
enum Properties {
    static let entries = [
        ScenarioEntry("property", direct: { _ in SetDirect() }, library: { _ in SetCorinth() }),
        ScenarioEntry(
            "property/read", unit: "ns/read", direct: { _ in ReadDirect() }, library: { _ in ReadCorinth() }),
    ]
}

private final class SetCorinth: Scenario {
    private let property = MutableProperty(0)
    private var last = 0
    private let tally = Tally()
    private var expected = Expectation()

    init() {
        property.signal.observeValues { [tally] in tally.add($0) }
    }

    func run(events: Int) {
        let property = property
        for value in 0..<events { property.value = value }
        last = events - 1
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
        try CheckFailure.unless("the value", is: last, got: property.value)
    }
}

/// Sets a variable and calls the observer.
private final class SetDirect: Scenario {
    private var value = 0
    private let tally = Tally()
    private var expected = Expectation()

    func run(events: Int) {
        let observe = opaqueObserver { [tally] in tally.add($0) }
        for value in 0..<events {
            self.value = value
            observe(value)
        }
        expected.add(valuesBelow: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}

private final class ReadCorinth: Scenario {
    private let property = opaque(MutableProperty(1))
    private var sum = 0
    private var expected = 0

    func run(events: Int) {
        let property = property
        for _ in 0..<events { sum &+= property.value }
        expected &+= events
    }

    func verify() throws {
        try CheckFailure.unless("sum of the values read", is: expected, got: sum)
    }
}

/// Reads a variable of an object, which the compiler can't cache.
private final class ReadDirect: Scenario {
    private final class Box { var value = 1 }

    private let box = opaque(Box())
    private var sum = 0
    private var expected = 0

    func run(events: Int) {
        for _ in 0..<events { sum &+= opaque(box).value }
        expected &+= events
    }

    func verify() throws {
        try CheckFailure.unless("sum of the values read", is: expected, got: sum)
    }
}
