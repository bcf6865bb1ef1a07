import Testing

/// The table of differences is complete, and has nothing that isn't a difference.
struct KindTests {
    @Test func eachKindCoversAFact() throws {
        let covered = Set(try Subject.all.flatMap { try Differences($0).rows.flatMap(\.kinds) })
        let idle = try Kind.all().map(\.id).filter { !covered.contains($0) }
        #expect(idle.isEmpty, "these kinds of Differences/kinds.tsv cover no fact, so they can go: \(idle)")
    }

    @Test func eachKindIsNamedOnce() throws {
        let ids = try Kind.all().map(\.id)
        #expect(Set(ids).count == ids.count, "Differences/kinds.tsv has an identifier twice: \(ids)")
    }
}

/// The subjects whose differences have a file of their own.
enum Subject {
    static let all = Family.allCases.map(\.rawValue) + ["programs", "ends"]
}
