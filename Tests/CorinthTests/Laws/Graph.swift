import CorinthTesting

/// A stream made of sources and operators, to be built with the library and with the reference model.
indirect enum Graph: Sendable {
    /// A pipe that the trace sends to.
    case pipe(Int)
    /// Sends values, and then ends in a way; nil goes on for ever. It counts as live until it has ended.
    case values([Int], Move.Ending?)
    /// The producer of an array, of one value, of none, of a failure: those that the library knows without starting them.
    case array([Int])
    case value(Int)
    case empty
    case failure

    case stage(Stage, Graph)
    case join(JoinKind, Graph, Graph)
    case combineLatest([Graph])
    case zip([Graph])
    case merge([Graph])
    case flatMap(Strategy, Graph, [Graph])
    case flatMapError(Graph, Graph)

    /// Operators with one source.
    enum Stage: Sendable {
        case map(Int), filter(Int), scan, reduce, combinePrevious, skipRepeats, uniqueValues, roundTrip
        case takeFirst(Int), takeLast(Int), takeWhile(Int), skipFirst(Int), skipWhile(Int)
        case collect(Int), flattenTwice, attempt(Int), concatValue(Int), prefixValue(Int)
        case retry(Int), `repeat`(Int)
        /// With an interval in 64ths of a second.
        case delay(Int), debounce(Int), timeout(Int)
        case observeOn
    }

    /// Operators with two sources of different roles.
    enum JoinKind: String, Sendable, CaseIterable {
        case concat, then, takeUntil, skipUntil, takeUntilReplacement, sample, withLatest
    }

    enum Strategy: String, Sendable, CaseIterable {
        case merge, concat, concurrent, latest, race, throttle, concatEager
    }
}

extension Graph: CustomStringConvertible {
    var description: String {
        switch self {
        case .pipe(let index): "pipe \(index)"
        case .values(let values, let ending): "values(\(values), \(ending?.rawValue ?? "never ends"))"
        case .array(let values): "array(\(values))"
        case .value(let value): "value(\(value))"
        case .empty: "empty"
        case .failure: "failure"
        case .stage(let stage, let source): "\(source).\(stage)"
        case .join(let kind, let first, let second): "\(first).\(kind)(\(second))"
        case .combineLatest(let sources): "combineLatest(\(sources))"
        case .zip(let sources): "zip(\(sources))"
        case .merge(let sources): "merge(\(sources))"
        case .flatMap(let strategy, let outer, let inners): "\(outer).flatMap(.\(strategy), \(inners))"
        case .flatMapError(let source, let next): "\(source).flatMapError(\(next))"
        }
    }
}

extension Graph {
    /// What it is made of.
    var children: [Graph] {
        switch self {
        case .pipe, .values, .array, .value, .empty, .failure: []
        case .stage(_, let source): [source]
        case .join(_, let first, let second): [first, second]
        case .combineLatest(let sources), .zip(let sources), .merge(let sources): sources
        case .flatMap(_, let outer, let inners): [outer] + inners
        case .flatMapError(let source, let next): [source, next]
        }
    }

    private func with(_ children: [Graph]) -> Graph {
        switch self {
        case .pipe, .values, .array, .value, .empty, .failure: self
        case .stage(let stage, _): .stage(stage, children[0])
        case .join(let kind, _, _): .join(kind, children[0], children[1])
        case .combineLatest: .combineLatest(children)
        case .zip: .zip(children)
        case .merge: .merge(children)
        case .flatMap(let strategy, _, _): .flatMap(strategy, children[0], Array(children.dropFirst()))
        case .flatMapError: .flatMapError(children[0], children[1])
        }
    }

    /// Graphs that are smaller by one operator or one source.
    var reductions: [Graph] {
        var result = children
        for (index, child) in children.enumerated() {
            for smaller in child.reductions {
                var children = children
                children[index] = smaller
                result.append(with(children))
            }
        }
        switch self {
        case .flatMap(let strategy, let outer, let inners) where inners.count > 1:
            result += inners.map { .flatMap(strategy, outer, [$0]) }
        case .values(let values, let ending) where !values.isEmpty:
            result.append(.values(Array(values.dropLast()), ending))
        case .array(let values) where !values.isEmpty: result.append(.array(Array(values.dropLast())))
        default: break
        }
        return result
    }
}

/// A graph, what is sent to it, and when it is disposed of.
struct GraphCase: Sendable, CustomStringConvertible {
    var graph: Graph
    var moves: [Move]
    /// After how many moves the start is disposed of; nil leaves it alone.
    var disposal: Int?

    static let pipes = 3

    var description: String { "\(graph); trace: \(moves); disposal after: \(disposal.map(String.init) ?? "none")" }

    /// The case of a seed.
    init(seed: Int) {
        var generator = GraphGenerator(seed: seed)
        graph = generator.graph(depth: Int.random(in: 1...6, using: &generator.dice))
        moves = Move.random(
            seed: seed, sources: GraphCase.pipes, isTimed: true, count: Int.random(in: 4...16, using: &generator.dice))
        disposal = Bool.random(using: &generator.dice) ? Int.random(in: 0...moves.count, using: &generator.dice) : nil
    }

    /// Cases that are smaller by one operator, source or move.
    var reductions: [GraphCase] {
        var result = graph.reductions.map { with(graph: $0) }
        for index in moves.indices {
            var smaller = self
            smaller.moves.remove(at: index)
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

/// Makes graphs by chance.
struct GraphGenerator {
    var dice: SeededGenerator
    private var operators = 0
    private var timed = 0

    init(seed: Int) {
        dice = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
    }

    mutating func graph(depth: Int) -> Graph {
        operators += 1
        if depth == 0 || operators > 14 { return source() }
        switch number(0...99) {
        case 0..<8: return source()
        case 8..<52: return .stage(stage(), graph(depth: depth - 1))
        case 52..<66:
            let kind = Graph.JoinKind.allCases.randomElement(using: &dice) ?? .concat
            return .join(kind, graph(depth: depth - 1), graph(depth: depth - 1))
        case 66..<71: return .combineLatest(graphs(depth, 2...3))
        case 71..<76: return .zip(graphs(depth, 2...3))
        case 76..<82: return .merge(graphs(depth, 1...3))
        case 82..<95:
            let strategy = Graph.Strategy.allCases.randomElement(using: &dice) ?? .merge
            return .flatMap(strategy, graph(depth: depth - 1), graphs(depth, 1...3))
        default: return .flatMapError(graph(depth: depth - 1), graph(depth: depth - 1))
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }

    private mutating func numbers(_ count: ClosedRange<Int>) -> [Int] { (0..<number(count)).map { _ in number(0...7) } }

    private mutating func graphs(_ depth: Int, _ count: ClosedRange<Int>) -> [Graph] {
        (0..<number(count)).map { _ in graph(depth: depth - 1) }
    }

    private mutating func source() -> Graph {
        switch number(0...19) {
        case 0..<10: .pipe(number(0...(GraphCase.pipes - 1)))
        case 10..<14: .values(numbers(0...3), Move.Ending.allCases.randomElement(using: &dice))
        case 14: .values(numbers(0...2), nil)
        case 15, 16: .array(numbers(0...4))
        case 17: .value(number(0...7))
        case 18: .empty
        default: .failure
        }
    }

    private mutating func stage() -> Graph.Stage {
        if timed < 2, number(0...7) == 0 {
            timed += 1
            // Intervals that differ in their 64ths: timers of different operators shall not be due at the same time.
            let interval = 64 * number(0...3) + 2 * timed + 1
            switch number(0...3) {
            case 0: return .delay(interval)
            case 1: return .debounce(interval)
            case 2: return .timeout(interval + 128)
            default: return .observeOn
            }
        }
        switch number(0...19) {
        case 0: return .map(number(1...5))
        case 1: return .filter(number(2...3))
        case 2: return .scan
        case 3: return .reduce
        case 4: return .combinePrevious
        case 5: return .skipRepeats
        case 6: return .uniqueValues
        case 7: return .roundTrip
        case 8: return .takeFirst(number(0...3))
        case 9: return .takeLast(number(0...2))
        case 10: return .takeWhile(number(1...9))
        case 11: return .skipFirst(number(0...2))
        case 12: return .skipWhile(number(1...6))
        case 13: return .collect(number(1...3))
        case 14: return .flattenTwice
        case 15: return .attempt(number(3...8))
        case 16: return .concatValue(number(0...7))
        case 17: return .prefixValue(number(0...7))
        case 18: return .retry(number(0...2))
        default: return .repeat(number(0...3))
        }
    }
}
