import BenchmarkKit
import Testing

@Suite struct NearMissTests {
    private static let names = [
        "pipe/1", "pipe/10", "chain/3", "chain/12", "merge/8", "hop/burst", "hop/pingpong",
    ]

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("pipe", "pipe", 0), ("pipe", "pip", 1), ("pipe", "pupe", 1),
        ("pipe", "piep", 1), ("kitten", "sitting", 3),
    ])
    func distances(first: String, second: String, distance: Int) {
        #expect(NearMiss.distance(first, second) == distance)
        #expect(NearMiss.distance(second, first) == distance)
    }

    @Test(arguments: [
        ("pip/1", "pipe/1"), ("Chain/3", "chain/3"), ("chian", "chain/3"), ("hop/brust", "hop/burst"),
        ("merge8", "merge/8"), ("pingpong", "hop/pingpong"),
    ])
    func theNearestComesFirst(unknown: String, meant: String) {
        #expect(NearMiss.suggestions(for: unknown, among: Self.names).first == meant)
    }

    @Test func distantNamesAreNotSuggested() {
        #expect(NearMiss.suggestions(for: "zzzzzz", among: Self.names).isEmpty)
    }
}

@Suite struct ArgumentReaderTests {
    private func reader(_ arguments: String...) -> ArgumentReader {
        ArgumentReader(arguments, known: ["--quick", "--json", "--samples"])
    }

    @Test func optionsValuesAndWordsAreDistinguished() throws {
        var reader = reader("replay", "--json", "a.json", "--samples=12", "-")
        #expect(try reader.next() == .word("replay"))
        #expect(try reader.next() == .option("--json"))
        #expect(try reader.value(of: "--json", "a file") == "a.json")
        #expect(try reader.next() == .option("--samples"))
        #expect(try reader.count(of: "--samples", "a number") == 12)
        #expect(try reader.next() == .word("-"))
        #expect(try reader.next() == nil)
    }

    @Test func anUnknownOptionGivesASuggestion() {
        var reader = reader("--quik")
        #expect(throws: UsageError("unknown option '--quik'; did you mean --quick?")) { try reader.next() }
    }

    @Test(arguments: ["0", "-3", "many", "", "99999999999999999999"])
    func aCountIsAWholeNumberFrom1(text: String) throws {
        var reader = reader("--samples", text)
        _ = try reader.next()
        #expect(throws: UsageError.self) { try reader.count(of: "--samples", "a number") }
    }

    @Test func aMissingValueIsAnError() throws {
        var reader = reader("--json")
        _ = try reader.next()
        #expect(throws: UsageError.self) { try reader.value(of: "--json", "a file") }
    }

    @Test func anUnusedValueIsAnError() throws {
        var reader = reader("--quick=yes")
        _ = try reader.next()
        #expect(throws: UsageError.self) { try reader.next() }
    }
}

@Suite struct CatalogueTests {
    private static let catalogue = ["pipe/1", "pipe/10", "map/10", "replay"].map { name in
        ScenarioEntry(name, direct: { _ in Nothing() }, library: { _ in Nothing() })
    }

    private final class Nothing: Scenario {
        func run(events: Int) {}
        func verify() {}
    }

    private func names(_ prefixes: String...) throws -> [String] {
        try Catalogue.filter(Self.catalogue, by: prefixes).map(\.name)
    }

    @Test func prefixesSelectScenarios() throws {
        #expect(try names("replay", "pipe") == ["pipe/1", "pipe/10", "replay"])
        #expect(try names("pipe/1", "pipe") == ["pipe/1", "pipe/10"])
    }

    @Test func anUnknownPrefixGivesSuggestions() {
        let message = "no scenario begins with 'pip/1'; near: pipe/1, pipe/10"
        #expect(throws: UsageError(message)) { try names("replay", "pip/1") }
        #expect(throws: UsageError("no scenario begins with 'zzz'; see --list")) { try names("zzz") }
        #expect(throws: UsageError.self) { try names("") }
    }
}
