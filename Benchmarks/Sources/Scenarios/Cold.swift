import BenchmarkKit
import Corinth

/// `cold/map-filter-reduce`: maps, filters and adds up the elements of an array producer, which is built where it is started,
/// like the lazy loop. `cold/stored`: the same with a stored producer. The compiler can't inline the observer into its loop.
enum Cold {
    static let entry = ScenarioEntry(
        "cold/map-filter-reduce",
        direct: { _ in ColdDirect() },
        library: { _ in ColdCorinth() })

    static let storedEntry = ScenarioEntry(
        "cold/stored",
        direct: { _ in ColdDirect() },
        library: { _ in ColdStoredCorinth() })

    /// So many that the cost of the start is negligible.
    static let elements = 10_000

    /// The sum of one pass: of `3 * n + 1` for each n from 0 to `elements` - 1, the even ones.
    static let sum = (0..<elements).reduce(0) { sum, element in
        let mapped = element * 3 + 1
        return mapped.isMultiple(of: 2) ? sum + mapped : sum
    }
}

private final class ColdCorinth: Scenario {
    private let array = Array(0..<Cold.elements)
    private var sum = 0
    private var expected = 0

    var granularity: Int { Cold.elements }

    func run(events: Int) {
        for _ in 0..<events / Cold.elements {
            let tally = Tally()
            SignalProducer<Int, Never>(opaque(array))
                .map { $0 &* 3 &+ 1 }
                .filter { $0 & 1 == 0 }
                .startWithValues { tally.add($0) }
            sum &+= tally.sum
            expected &+= Cold.sum
        }
    }

    func verify() throws {
        try CheckFailure.unless("the sum", is: expected, got: sum)
    }
}

private final class ColdStoredCorinth: Scenario {
    private let producer: SignalProducer<Int, Never>
    private var sum = 0
    private var expected = 0

    init() {
        producer = SignalProducer<Int, Never>(Array(0..<Cold.elements))
            .map { $0 &* 3 &+ 1 }
            .filter { $0 & 1 == 0 }
    }

    var granularity: Int { Cold.elements }

    func run(events: Int) {
        for _ in 0..<events / Cold.elements {
            let tally = Tally()
            producer.startWithValues { tally.add($0) }
            sum &+= tally.sum
            expected &+= Cold.sum
        }
    }

    func verify() throws {
        try CheckFailure.unless("the sum", is: expected, got: sum)
    }
}

/// The same closures in the lazy loop of the standard library.
private final class ColdDirect: Scenario {
    private let array = Array(0..<Cold.elements)
    private var sum = 0
    private var expected = 0

    var granularity: Int { Cold.elements }

    func run(events: Int) {
        for _ in 0..<events / Cold.elements {
            sum &+= opaque(array).lazy.map { $0 &* 3 &+ 1 }.filter { $0 & 1 == 0 }.reduce(0, &+)
            expected &+= Cold.sum
        }
    }

    func verify() throws {
        try CheckFailure.unless("the sum", is: expected, got: sum)
    }
}
