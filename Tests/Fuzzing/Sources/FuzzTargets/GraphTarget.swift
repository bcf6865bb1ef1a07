/// The bytes choose a graph of operators, its stimuli, virtual time, and when it is disposed of. The library must behave as the
/// reference model does.
func fuzzGraphs(_ bytes: [UInt8]) {
    let test = GraphCase(dice: ByteDice(bytes[...]))
    guard let matches = test.matchesModel else { return }
    if FuzzTarget.isFaulty, test.hasSeededFault {
        FuzzTarget.fail("the seeded fault, in the graph \(test.graph)")
    }
    if !matches {
        FuzzTarget.fail("the library differs from the model; the smallest case:\n\(test.smallestMismatch.comparison)")
    }
}

extension GraphCase {
    /// The seeded fault: a library in which `zip` doesn't use up its values. It shows if some `zip` of at least two sources
    /// sends a second value.
    fileprivate var hasSeededFault: Bool {
        let faulty = GraphCase(graph: graph.withFaultyZip, stimuli: stimuli, disposal: disposal)
        return GraphOnCorinth.run(faulty) != ReferenceModel.run(self)
    }
}

extension Graph {
    fileprivate var withFaultyZip: Graph {
        let children = children.map(\.withFaultyZip)
        if case .zip = self { return .combineLatest(children) }
        return with(children)
    }
}
