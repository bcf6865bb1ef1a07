import CorinthTesting

/// A graph, and what threads do with it.
struct ThreadedCase: Sendable {
    var graph: ThreadedGraph
    /// How many values wait in the inbox of each pipe; nil for the default.
    var capacity: Int?
    /// What each thread does, in order.
    var threads: [[Step]]

    enum Step: Sendable, Equatable {
        /// Sends this many values to a source.
        case send(Int, to: Int)
        case end(Stimulus.Ending, of: Int)
        /// Sends a value to the source from inside of each of the next callbacks, up to this many.
        case resend(Int, to: Int)
        /// Adds an observer, or starts the producer once more.
        case observe
        /// Disposes of the observation that this thread has added last, or of the first one if it has none.
        case dispose
        /// Advances the virtual time by this many seconds.
        case advance(Int)
    }

    static let sources = 3

    /// Whether every value that is sent must be delivered: the graph loses none, and no thread ends anything.
    var isLossless: Bool {
        graph.isLossless
            && !threads.joined().contains { step in
                switch step {
                case .end, .dispose, .resend, .observe: true
                case .send, .advance: false
                }
            }
    }

    /// Cases with one part, one thread or one step less.
    var reductions: [ThreadedCase] {
        var result: [ThreadedCase] = []
        func add(_ change: (inout ThreadedCase) -> Void) {
            var smaller = self
            change(&smaller)
            result.append(smaller)
        }
        for index in threads.indices where threads.count > 1 { add { $0.threads.remove(at: index) } }
        for graph in graph.reductions where graph.isPossible(hot: false) { add { $0.graph = graph } }
        for (thread, steps) in threads.enumerated() {
            for (index, step) in steps.enumerated() {
                add { $0.threads[thread].remove(at: index) }
                if case .send(let count, let source) = step, count > 1 {
                    add { $0.threads[thread][index] = .send(count / 2, to: source) }
                    add { $0.threads[thread][index] = .send(count - 1, to: source) }
                }
            }
        }
        if capacity != nil { add { $0.capacity = nil } }
        return result
    }

    /// How large it is, for comparisons.
    var size: Int { graph.size + threads.reduce(threads.count) { $0 + $1.count } }
}

extension ThreadedCase: CustomStringConvertible {
    /// The Swift expression that makes it.
    var description: String {
        let threads = threads.map { "        [\($0.map(\.description).joined(separator: ", "))],\n" }.joined()
        return """
            ThreadedCase(
                graph: \(graph),
                capacity: \(capacity.map(String.init) ?? "nil"),
                threads: [
            \(threads)    ])
            """
    }
}

extension ThreadedCase.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .send(let count, let source): ".send(\(count), to: \(source))"
        case .end(let ending, let source): ".end(.\(ending.rawValue), of: \(source))"
        case .resend(let count, let source): ".resend(\(count), to: \(source))"
        case .observe: ".observe"
        case .dispose: ".dispose"
        case .advance(let seconds): ".advance(\(seconds))"
        }
    }
}

// MARK: Random cases

extension ThreadedCase {
    /// The case that belongs to a seed.
    ///
    /// - Parameter threads: How many threads there are. nil for 2 to 4, and sometimes 16.
    init(seed: Int, threads: Int? = nil) {
        var generator = ThreadedGenerator(seed: seed)
        self = generator.makeCase(threads: threads)
    }
}

/// Generates cases at random. The operator nearest to the observers depends on the seed, so that a range of seeds has every
/// operator.
private struct ThreadedGenerator {
    private var dice: SeededGenerator
    private let seed: Int

    /// The sources that are not used yet.
    private var unused = Array(0..<ThreadedCase.sources)

    init(seed: Int) {
        self.seed = seed
        dice = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }

    private mutating func isOneOf(_ count: Int) -> Bool { number(1...count) == 1 }

    mutating func makeCase(threads: Int?) -> ThreadedCase {
        // A prime number, so that neighbours in the registry aren't neighbours here.
        let entry = OperatorRegistry.all[abs(seed % OperatorRegistry.all.count) * 61 % OperatorRegistry.all.count]
        let depth = number(0...3)
        // Half of the cases lose no value, if the operator loses none.
        let isGentle = number(0...1) == 0
        let isHot = entry.signal != nil && (entry.producer == nil || number(0...2) == 0)
        var graph = apply(entry, depth: depth, isHot: isHot, isGentle: isGentle)
        if isHot { graph = .hot(graph) }
        if isOneOf(3) { graph = hop(graph, isHot: false, isGentle: isGentle) }
        let count = threads ?? (isOneOf(8) ? 16 : number(2...4))
        let capacity = isOneOf(3) ? number(1...4) : nil
        return ThreadedCase(
            graph: graph, capacity: capacity, threads: (0..<count).map { _ in steps(of: count, isGentle: isGentle) })
    }

    private mutating func steps(of threads: Int, isGentle: Bool) -> [ThreadedCase.Step] {
        (0..<number(2...6)).map { _ in
            let source = number(0...ThreadedCase.sources - 1)
            switch number(0...19) {
            case 0 where !isGentle:
                return .end(Stimulus.Ending.allCases.randomElement(using: &dice) ?? .failed, of: source)
            case 1,
                2 where !isGentle:
                return .dispose
            case 3,
                4 where !isGentle:
                return .observe
            case 5 where !isGentle: return .resend(number(1...5), to: source)
            case 6, 7, 8: return .advance(number(0...4))
            default: return .send(number(1...(threads > 4 ? 5 : 20)), to: source)
            }
        }
    }

    private mutating func graph(depth: Int, isHot: Bool, isGentle: Bool) -> ThreadedGraph {
        if depth == 0 { return source(isHot: isHot) }
        if isOneOf(4) {
            return hop(graph(depth: depth - 1, isHot: isHot, isGentle: isGentle), isHot: isHot, isGentle: isGentle)
        }
        if !isHot, isOneOf(5) { return .hot(graph(depth: depth - 1, isHot: true, isGentle: isGentle)) }
        for _ in 0..<100 {
            guard let entry = OperatorRegistry.all.randomElement(using: &dice) else { break }
            if (isHot ? entry.signal == nil : entry.producer == nil) || entry.others > 2 { continue }
            if isGentle, !ThreadedGraph.apply(entry.testDescription, []).isLossless { continue }
            return apply(entry, depth: depth, isHot: isHot, isGentle: isGentle)
        }
        return source(isHot: isHot)
    }

    private mutating func apply(_ entry: OperatorEntry, depth: Int, isHot: Bool, isGentle: Bool) -> ThreadedGraph {
        let first = graph(depth: max(0, depth - 1), isHot: isHot, isGentle: isGentle)
        // The other sources are small.
        let others = (0..<entry.others).map { _ in
            graph(depth: depth > 1 && isOneOf(3) ? 1 : 0, isHot: isHot, isGentle: isGentle)
        }
        return .apply(entry.testDescription, [first] + others)
    }

    private mutating func hop(_ source: ThreadedGraph, isHot: Bool, isGentle: Bool) -> ThreadedGraph {
        let hops = (isHot ? ThreadedGraph.Hop.ofSignals : ThreadedGraph.Hop.allCases).filter {
            !isGentle || $0.isLossless
        }
        return .hop(hops.randomElement(using: &dice) ?? .queue, source)
    }

    /// A source that isn't used yet, as a rule. If there is none, a cold one that sends values at once.
    private mutating func source(isHot: Bool) -> ThreadedGraph {
        if isOneOf(10) { return isHot ? .pipe(number(0...ThreadedCase.sources - 1)) : .values(number(1...5)) }
        guard let source = unused.randomElement(using: &dice) else { return isHot ? .pipe(0) : .values(number(1...5)) }
        unused.removeAll { $0 == source }
        return isHot || isOneOf(2) ? .pipe(source) : .cold(source)
    }
}
