/// The bytes choose a graph of operators, its stimuli, virtual time, and when it is disposed of. The library must behave as the
/// reference model does.
func fuzzGraphs(_ bytes: [UInt8]) {
    let test = GraphCase(dice: ByteDice(bytes[...]))
    guard let matches = test.matchesModel else { return }
    if let fault = FuzzTarget.seededFault.flatMap(GraphFault.init(rawValue:)), test.shows(fault) {
        FuzzTarget.fail("the seeded fault \(fault), in the graph \(test.graph)")
    }
    if !matches {
        FuzzTarget.fail("the library differs from the model; the smallest case:\n\(test.smallestMismatch.comparison)")
    }
}
