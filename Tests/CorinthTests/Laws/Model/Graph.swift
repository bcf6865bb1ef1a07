import CorinthTesting

/// A stream built from sources and operators. Both the library and the reference model can build it.
indirect enum Graph: ReducibleTree, Sendable {
    /// A pipe. The trace sends to it.
    case pipe(Int)
    /// Sends the values and then the terminating event; with nil it never ends. It counts as live until it ends.
    case values([Int], Stimulus.Ending?)
    /// A producer of an array, of one value, of no value, or of a failure. The library knows these without starting them.
    case array([Int])
    case value(Int)
    case empty
    case failure
    /// A property with the latest value that the trace has sent to a pipe. Unlike the pipe, it doesn't end.
    case property(Int)
    /// The combination of this property and the next one, made for each start.
    case combinedProperty(Int)

    case stage(Stage, Graph)
    /// The same operator, lifted from the signal's version where there is one.
    case lifted(Stage, Graph)
    case join(JoinKind, Graph, Graph)
    case combineLatest([Graph])
    case zip([Graph])
    case merge([Graph])
    case flatMap(Strategy, Graph, [Graph])
    case flatMapError(Graph, Graph)
    /// The same strategies on signals, and with overflow policies.
    case flatMapOfSignals(Strategy, Graph, [Graph])
    case flatMapBounded(QueuingStrategy, Policy, Graph, [Graph])
    case zipBounded(Policy, Graph, Graph)
    /// An action that is applied to each value. Refused applications become a value.
    case action(Graph, [Graph])
    /// Two starts of a shared producer, the second one of its first two values.
    case shared(replay: Int, Graph)

    /// Operators with one source.
    enum Stage: Sendable {
        case map(Int), filter(Int), scan, reduce, combinePrevious, skipRepeats, uniqueValues, roundTrip
        case takeFirst(Int), takeLast(Int), takeWhile(Int), skipFirst(Int), skipWhile(Int)
        case collect(Int), flattenTwice, attempt(Int), concatValue(Int), prefixValue(Int)
        case retry(Int), `repeat`(Int)
        /// These take an interval in 64ths of a second.
        case delay(Int), debounce(Int), throttle(Int), timeout(Int)
        case debounceToEnd(Int), debounceLeading(Int), timeoutPerValue(Int), sampleEvery(Int), collectEvery(Int)
        case collectWithin(Int, count: Int), retryLater(Int, count: Int), delaySubscription(Int)
        case observeOn, observeOnBounded(Policy), startOn
        /// While the property is odd.
        case throttleWhile(Int)
        case compactMap(Int), scanMap, resultsRoundTrip, retryWhen(Int)
        /// Streams of values, flattened again.
        case windows(Int), groups(Int)
    }

    /// What happens to a value that finds a buffer full.
    enum Policy: Sendable {
        case dropNewest(Int), dropOldest(Int), failing(Int)

        var capacity: Int {
            switch self {
            case .dropNewest(let capacity), .dropOldest(let capacity), .failing(let capacity): capacity
            }
        }
    }

    /// Operators with two sources in different roles.
    enum JoinKind: String, Sendable, CaseIterable {
        case concat, then, takeUntil, skipUntil, takeUntilReplacement, sample, withLatest
    }

    enum Strategy: String, Sendable, CaseIterable {
        case merge, concat, concurrent, latest, race, throttle, concatEager
    }

    /// Those whose streams wait until it is their turn.
    enum QueuingStrategy: String, Sendable, CaseIterable {
        case concat, concurrent
    }
}

extension Graph: CustomStringConvertible {
    /// The Swift expression that makes it.
    var description: String {
        switch self {
        case .pipe(let index): ".pipe(\(index))"
        case .values(let values, let ending): ".values(\(values), \(ending.map { ".\($0.rawValue)" } ?? "nil"))"
        case .array(let values): ".array(\(values))"
        case .value(let value): ".value(\(value))"
        case .empty: ".empty"
        case .failure: ".failure"
        case .property(let index): ".property(\(index))"
        case .combinedProperty(let index): ".combinedProperty(\(index))"
        case .stage(let stage, let source): ".stage(.\(stage), \(source))"
        case .lifted(let stage, let source): ".lifted(.\(stage), \(source))"
        case .join(let kind, let first, let second): ".join(.\(kind), \(first), \(second))"
        case .combineLatest(let sources): ".combineLatest(\(sources))"
        case .zip(let sources): ".zip(\(sources))"
        case .merge(let sources): ".merge(\(sources))"
        case .flatMap(let strategy, let outer, let inners): ".flatMap(.\(strategy), \(outer), \(inners))"
        case .flatMapError(let source, let next): ".flatMapError(\(source), \(next))"
        case .flatMapOfSignals(let strategy, let outer, let inners):
            ".flatMapOfSignals(.\(strategy), \(outer), \(inners))"
        case .flatMapBounded(let strategy, let policy, let outer, let inners):
            ".flatMapBounded(.\(strategy), .\(policy), \(outer), \(inners))"
        case .zipBounded(let policy, let first, let second): ".zipBounded(.\(policy), \(first), \(second))"
        case .action(let outer, let inners): ".action(\(outer), \(inners))"
        case .shared(let replay, let source): ".shared(replay: \(replay), \(source))"
        }
    }
}

extension Graph {
    /// The graph's direct inputs.
    var children: [Graph] {
        switch self {
        case .pipe, .values, .array, .value, .empty, .failure, .property, .combinedProperty: []
        case .stage(_, let source), .lifted(_, let source), .shared(_, let source): [source]
        case .join(_, let first, let second), .zipBounded(_, let first, let second): [first, second]
        case .combineLatest(let sources), .zip(let sources), .merge(let sources): sources
        case .flatMap(_, let outer, let inners), .flatMapOfSignals(_, let outer, let inners),
            .flatMapBounded(_, _, let outer, let inners), .action(let outer, let inners):
            [outer] + inners
        case .flatMapError(let source, let next): [source, next]
        }
    }

    func with(_ children: [Graph]) -> Graph {
        switch self {
        case .pipe, .values, .array, .value, .empty, .failure, .property, .combinedProperty: self
        case .stage(let stage, _): .stage(stage, children[0])
        case .lifted(let stage, _): .lifted(stage, children[0])
        case .join(let kind, _, _): .join(kind, children[0], children[1])
        case .combineLatest: .combineLatest(children)
        case .zip: .zip(children)
        case .merge: .merge(children)
        case .flatMap(let strategy, _, _): .flatMap(strategy, children[0], Array(children.dropFirst()))
        case .flatMapError: .flatMapError(children[0], children[1])
        case .flatMapOfSignals(let strategy, _, _):
            .flatMapOfSignals(strategy, children[0], Array(children.dropFirst()))
        case .flatMapBounded(let strategy, let policy, _, _):
            .flatMapBounded(strategy, policy, children[0], Array(children.dropFirst()))
        case .zipBounded(let policy, _, _): .zipBounded(policy, children[0], children[1])
        case .action: .action(children[0], Array(children.dropFirst()))
        case .shared(let replay, _): .shared(replay: replay, children[0])
        }
    }

    /// Graphs with one operator or one source less.
    var reductions: [Graph] {
        var result = reducedParts
        switch self {
        case .lifted(let stage, let source): result.append(.stage(stage, source))
        case .flatMap(let strategy, let outer, let inners) where inners.count > 1:
            result += inners.map { .flatMap(strategy, outer, [$0]) }
        case .flatMapOfSignals(let strategy, let outer, let inners):
            result.append(.flatMap(strategy, outer, inners))
        case .flatMapBounded(let strategy, let policy, let outer, let inners) where inners.count > 1:
            result += inners.map { .flatMapBounded(strategy, policy, outer, [$0]) }
        case .action(let outer, let inners) where inners.count > 1:
            result += inners.map { .action(outer, [$0]) }
        case .values(let values, let ending) where !values.isEmpty:
            result.append(.values(Array(values.dropLast()), ending))
        case .array(let values) where !values.isEmpty: result.append(.array(Array(values.dropLast())))
        default: break
        }
        return result
    }
}

/// A graph, the stimuli that are sent to it, and when the start is disposed of.
struct GraphCase: Sendable, CustomStringConvertible {
    var graph: Graph
    var stimuli: [Stimulus]
    /// After how many stimuli the start is disposed of; nil means never.
    var disposal: Int?

    static let pipes = 3

    /// The value in place of an application that an action refuses.
    static let refused = 96

    /// The Swift expression that makes it.
    var description: String {
        let disposal = disposal.map { ", disposal: \($0)" } ?? ""
        return "GraphCase(graph: \(graph), stimuli: \(stimuli)\(disposal))"
    }

    /// Cases with one operator, one source or one stimulus less.
    var reductions: [GraphCase] {
        var result = graph.reductions.map { with(graph: $0) }
        for index in stimuli.indices {
            var smaller = self
            smaller.stimuli.remove(at: index)
            if let disposal, index < disposal { smaller.disposal = disposal - 1 }
            result.append(smaller)
        }
        if disposal != nil {
            var smaller = self
            smaller.disposal = nil
            result.append(smaller)
        }
        return result
    }

    private func with(graph: Graph) -> GraphCase {
        var result = self
        result.graph = graph
        return result
    }
}

extension GraphCase {
    /// Generates the case that belongs to a seed.
    init(seed: Int) {
        self.init(dice: SeededGenerator(seed: UInt64(bitPattern: Int64(seed))))
    }

    /// Generates the case that belongs to the numbers of a generator.
    init(dice: some RandomNumberGenerator) {
        var generator = GraphGenerator(dice: dice)
        let count = Int.random(in: 4...16, using: &generator.dice)
        stimuli = Stimulus.random(using: &generator.dice, sources: GraphCase.pipes, isTimed: true, count: count)
        disposal = Bool.random(using: &generator.dice) ? Int.random(in: 0...count, using: &generator.dice) : nil
        graph = generator.graph(depth: Int.random(in: 1...6, using: &generator.dice))
    }
}
