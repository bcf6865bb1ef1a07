import Foundation
import Testing

/// Randomly generated operator graphs behave as the reference model does, in both builds.
///
/// A failing case is shrunk, and printed with its seed. `CORINTH_SEED=123 swift test --filter DifferentialTests` runs that case
/// alone.
@Suite("Differential test")
struct DifferentialTests {
    @Test func graphsMatchTheModel() {
        if let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"].flatMap(Int.init) {
            let test = GraphCase(seed: seed)
            print("CORINTH_SEED=\(seed): \(test.comparison)")
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
            "differential: \(compared) graphs of \(operators) operators and sources, \(Law.build): all match the model; "
                + "\(ambiguous) skipped, because two timers were due at the same time")
        #expect(ambiguous * 4 < compared)
    }

    /// The comparison can fail: it detects a library that behaves differently from the model.
    @Test func modelDetectsDifferences() {
        let stimuli: [Stimulus] = [.value(1, source: 0), .value(2, source: 1), .end(.completed, source: 0)]
        let zip = GraphCase(graph: .zip([.pipe(0), .pipe(1)]), stimuli: stimuli)
        let latest = GraphCase(graph: .combineLatest([.pipe(0), .pipe(1)]), stimuli: stimuli)
        #expect(GraphOnCorinth.run(zip) == ReferenceModel.run(zip))
        #expect(GraphOnCorinth.run(latest) == ReferenceModel.run(latest))
        #expect(GraphOnCorinth.run(zip) != ReferenceModel.run(latest))
    }

    /// Compares the library with the model. Returns nil if the model can't predict the outcome.
    @discardableResult
    private func compare(_ test: GraphCase, _ seed: Int) -> Bool? {
        guard let matches = test.matchesModel else { return nil }
        if matches { return true }
        Issue.record(
            """
            CORINTH_SEED=\(seed) runs this again. The smallest case that differs:
            \(test.smallestMismatch.comparison)
            """)
        return false
    }
}

extension Graph {
    fileprivate var size: Int { children.reduce(1) { $0 + $1.size } }
}
