import Testing

/// Whether this is a build with optimisation.
private var isOptimised: Bool {
    #if DEBUG
        false
    #else
        true
    #endif
}

/// Small programs do on Corinth what they did on ReactiveSwift.
@MainActor
struct ProgramTests {
    @Test(.enabled(if: !isOptimised, "an optimised build releases variables before the end of their scope"))
    func outputsAreThoseOfReactiveSwift() async throws {
        let expected = try Self.recorded()
        let programs = Programs().all
        #expect(Set(programs.map(\.name)) == Set(expected.keys), "Facts/programs.txt and the programs don't match")
        var facts: [Fact] = []
        for (name, body) in programs.sorted(by: { $0.name < $1.name }) {
            let log = Log()
            await body(log)
            facts.append(
                Fact(
                    name: name, program: "Programs/*.swift: \"\(name)\"", expected: expected[name] ?? "",
                    output: log.take().joined(separator: "\n")))
        }
        try Comparison.check("programs", facts)
    }

    /// What each program printed, by its name, which follows `==` in the file.
    private static func recorded() throws -> [String: String] {
        var outputs: [String: [String]] = [:]
        var name = ""
        for line in try Recorded.lines(of: "programs.txt") {
            if line.hasPrefix("== ") {
                name = String(line.dropFirst(3))
                outputs[name] = []
            } else {
                outputs[name]?.append(line)
            }
        }
        return outputs.mapValues { $0.joined(separator: "\n") }
    }
}
