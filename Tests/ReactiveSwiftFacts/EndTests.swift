import Foundation
import Testing

/// What follows an end is on Corinth what it was on ReactiveSwift.
struct EndTests {
    @Test func outcomesAreThoseOfReactiveSwift() throws {
        let expected = try Self.recorded()
        let programs = EndingPrograms().all
        #expect(Set(programs.map(\.name)) == Set(expected.keys), "Facts/ends.tsv and the programs don't match")
        let facts = programs.map { name, start in
            Fact(
                name: name, program: "Ends/*.swift: \"\(name)\"", expected: expected[name] ?? "",
                output: EndingPrograms.outcome(of: start))
        }
        try Comparison.check("ends", facts)
    }

    /// What followed each end, by the name of the operator.
    static func recorded() throws -> [String: String] {
        var outcomes: [String: String] = [:]
        for line in try Recorded.lines(of: "ends.tsv") {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 2 else { throw MalformedRow(row: line) }
            outcomes[fields[0]] = fields[1]
        }
        return outcomes
    }
}
