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

    /// It also detects that one operator behaves nearly as it should.
    @Test(arguments: GraphFault.allCases)
    func seededFaultsAreDetected(_ fault: GraphFault) throws {
        let seed = try #require((0..<Trial.scaled(5_000)).first { GraphCase(seed: $0).shows(fault) })
        #expect(GraphCase(seed: seed).matchesModel == true)
    }

    /// A case that differs is reduced until every part of it is needed.
    @Test func mismatchesAreReduced() throws {
        let seed = try #require((0..<Trial.scaled(5_000)).first { GraphCase(seed: $0).shows(.zip) })
        let smallest = GraphCase(seed: seed).smallest { $0.shows(.zip) }
        #expect(smallest.shows(.zip) && !smallest.reductions.contains { $0.shows(.zip) })
        #expect(smallest.graph.size <= GraphCase(seed: seed).graph.size)
    }

    /// The generator makes every kind of source and every operator of the model.
    @Test func everyOperatorIsGenerated() {
        let names = """
            pipe values array value empty failure property combinedProperty lifted combineLatest zip merge flatMap
            flatMapError flatMapOfSignals flatMapBounded zipBounded action shared dropNewest dropOldest failing
            map filter scan reduce combinePrevious skipRepeats uniqueValues roundTrip takeFirst takeLast takeWhile
            skipFirst skipWhile collect flattenTwice attempt concatValue prefixValue retry repeat compactMap scanMap
            resultsRoundTrip retryWhen delay debounce throttle timeout debounceToEnd debounceLeading timeoutPerValue
            sampleEvery collectEvery collectWithin retryLater delaySubscription observeOn observeOnBounded startOn
            throttleWhile then takeUntil skipUntil takeUntilReplacement sample withLatest concat concurrent latest race
            concatEager windows groups
            """
        var missing = Set(names.split(whereSeparator: \.isWhitespace).map(String.init))
        for seed in 0..<5_000 where !missing.isEmpty {
            let text = GraphCase(seed: seed).graph.description
            missing.subtract(text.split { !$0.isLetter }.map(String.init))
        }
        #expect(missing.isEmpty)
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
