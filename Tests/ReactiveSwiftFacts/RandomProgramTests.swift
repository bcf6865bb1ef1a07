import Testing

/// Random programs do on Corinth what they did on ReactiveSwift.
struct RandomProgramTests {
    @Test(arguments: Family.allCases)
    func outputsAreThoseOfReactiveSwift(_ family: Family) throws {
        let facts = try family.programs().filter { !$0.isCrash }.map { program in
            Fact(
                name: "\(program.seed)", program: program.description, operators: family.operators(of: program),
                expected: program.expected, output: try family.output(of: program))
        }
        try Comparison.check(family.rawValue, facts)
    }
}
