import Foundation
import Testing

/// Graphs of operators made by chance do what the reference model does, in both builds.
///
/// A case that doesn't is made smaller, and printed with its seed. `CORINTH_SEED=123 swift test --filter DifferentialTests`
/// runs that one alone.
@Suite("Differential test")
struct DifferentialTests {
    @Test func graphsMeanWhatTheModelSays() {
        if let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap(Int.init) {
            let test = GraphCase(seed: seed)
            print("CORINTH_SEED=\(seed): \(test)")
            print("library: \(GraphOnCorinth.run(test))")
            print("model:   \(ReferenceModel.run(test)?.description ?? "ambiguous")")
            compare(test, seed)
            return
        }
        var compared = 0
        var ambiguous = 0
        var operators = 0
        for seed in 0..<Trial.scaled(5_000) {
            let test = GraphCase(seed: seed)
            switch compare(test, seed) {
            case nil: ambiguous += 1
            case true?: compared += 1
            case false?: return
            }
            operators += test.graph.size
        }
        print(
            "differential: \(compared) graphs of \(operators) operators and sources, \(Law.build): as the model says; "
                + "\(ambiguous) left out, since timers were due at the same time")
        #expect(ambiguous * 4 < compared)
    }

    /// The comparison must be able to fail: a library that does something else is told from the model.
    @Test func modelIsNotIndifferent() {
        let moves: [Move] = [.value(1, source: 0), .value(2, source: 1), .end(.completed, source: 0)]
        let zip = GraphCase(graph: .zip([.pipe(0), .pipe(1)]), moves: moves)
        let latest = GraphCase(graph: .combineLatest([.pipe(0), .pipe(1)]), moves: moves)
        #expect(GraphOnCorinth.run(zip) == ReferenceModel.run(zip))
        #expect(GraphOnCorinth.run(latest) == ReferenceModel.run(latest))
        #expect(GraphOnCorinth.run(zip) != ReferenceModel.run(latest))
    }

    /// Whether both did the same; nil if the model can't say.
    @discardableResult
    private func compare(_ test: GraphCase, _ seed: Int) -> Bool? {
        guard let expected = ReferenceModel.run(test) else { return nil }
        let actual = GraphOnCorinth.run(test)
        if actual == expected { return true }
        let smallest = shrink(test)
        Issue.record(
            """
            CORINTH_SEED=\(seed) runs this again. The smallest case that differs:
            \(smallest)
            library: \(GraphOnCorinth.run(smallest))
            model:   \(ReferenceModel.run(smallest)?.description ?? "ambiguous")
            """)
        return false
    }

    /// Drops operators, sources and moves as long as there is a difference.
    private func shrink(_ test: GraphCase) -> GraphCase {
        var smallest = test
        while let smaller = smallest.reductions.first(where: differs) { smallest = smaller }
        return smallest
    }

    private func differs(_ test: GraphCase) -> Bool {
        guard let expected = ReferenceModel.run(test) else { return false }
        return GraphOnCorinth.run(test) != expected
    }
}

extension Graph {
    fileprivate var size: Int { children.reduce(1) { $0 + $1.size } }
}

extension GraphCase {
    fileprivate init(graph: Graph, moves: [Move]) {
        self.graph = graph
        self.moves = moves
        disposal = nil
    }
}
