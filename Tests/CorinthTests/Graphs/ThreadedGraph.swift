import CorinthTesting

/// A stream built from the operators of the registry, hops to threads, properties, actions and tasks.
indirect enum ThreadedGraph: ReducibleTree, Sendable {
    /// The signal of a pipe, and a producer each of whose starts has its own input. Threads send to both.
    case pipe(Int)
    case cold(Int)
    /// A producer that sends this many values at its start, and completes.
    case values(Int)

    /// An operator of ``OperatorRegistry``, by its description, on its sources.
    case apply(String, [ThreadedGraph])
    case hop(Hop, ThreadedGraph)

    /// A part that consists of signals.
    case hot(ThreadedGraph)

    enum Hop: String, Sendable, CaseIterable {
        case queue, thread, pool, boundedQueue, boundedThread, droppingQueue
        /// The values pass through a property, a bound property, an action, or an asynchronous sequence.
        case property, binding, action, sequence

        static let ofSignals: [Hop] = [.queue, .thread, .pool, .boundedQueue, .boundedThread, .droppingQueue]

        /// Whether every value is delivered.
        var isLossless: Bool {
            switch self {
            case .queue, .thread, .pool, .boundedQueue, .boundedThread: true
            // A sequence starts its source later, in a task.
            case .droppingQueue, .property, .binding, .action, .sequence: false
            }
        }
    }
}

extension ThreadedGraph {
    static let entries: [String: OperatorEntry] = Dictionary(
        OperatorRegistry.all.map { ($0.testDescription, $0) }, uniquingKeysWith: { first, _ in first })

    static func entry(_ name: String) -> OperatorEntry {
        guard let entry = entries[name] else { preconditionFailure("no operator of the registry is called \(name)") }
        return entry
    }

    /// Whether a signal, or a producer, can be made of it: some operators and hops are for one of them only. A part of a graph
    /// may have been inside a hot one.
    func isPossible(hot isHot: Bool) -> Bool {
        switch self {
        case .pipe, .cold, .values: true
        case .hot(let graph): graph.isPossible(hot: true)
        case .hop(.property, _), .hop(.binding, _), .hop(.action, _), .hop(.sequence, _):
            !isHot && areChildrenPossible(hot: false)
        case .hop: areChildrenPossible(hot: isHot)
        case .apply(let name, _):
            (isHot ? ThreadedGraph.entry(name).signal != nil : ThreadedGraph.entry(name).producer != nil)
                && areChildrenPossible(hot: isHot)
        }
    }

    private func areChildrenPossible(hot isHot: Bool) -> Bool { children.allSatisfy { $0.isPossible(hot: isHot) } }

    var children: [ThreadedGraph] {
        switch self {
        case .pipe, .cold, .values: []
        case .apply(_, let sources): sources
        case .hop(_, let source), .hot(let source): [source]
        }
    }

    func with(_ children: [ThreadedGraph]) -> ThreadedGraph {
        switch self {
        case .pipe, .cold, .values: self
        case .apply(let name, _): .apply(name, children)
        case .hop(let hop, _): .hop(hop, children[0])
        case .hot: .hot(children[0])
        }
    }

    /// Graphs with one part less.
    var reductions: [ThreadedGraph] {
        var result = reducedParts
        if case .values(let count) = self, count > 1 { result.append(.values(count / 2)) }
        return result
    }

    /// The operators and hops, without the sources.
    var size: Int {
        switch self {
        case .pipe, .cold, .values: 0
        case .hot(let graph): graph.size
        case .apply, .hop: children.reduce(1) { $0 + $1.size }
        }
    }

    var operators: [OperatorEntry] {
        let own: [OperatorEntry] = if case .apply(let name, _) = self { [Self.entry(name)] } else { [] }
        return own + children.flatMap(\.operators)
    }

    var hops: [Hop] {
        let own: [Hop] = if case .hop(let hop, _) = self { [hop] } else { [] }
        return own + children.flatMap(\.hops)
    }

    /// The pipes and inputs that occur, with repetitions.
    var sources: [Int] {
        switch self {
        case .pipe(let source), .cold(let source): [source]
        default: children.flatMap(\.sources)
        }
    }

    private var hasUniqueSources: Bool { Set(sources).count == sources.count }

    /// Whether the values of each sender stay in order: no operator changes them, or starts a source several times.
    var keepsOrder: Bool {
        hasUniqueSources && operators.allSatisfy { $0.facts.isDisjoint(with: [.changesValues, .fansOut, .restarts]) }
    }

    /// Whether every value that is sent before the completion is delivered.
    var isLossless: Bool {
        hasUniqueSources && hops.allSatisfy(\.isLossless)
            && operators.allSatisfy { entry in
                entry.facts.isDisjoint(with: .lossy) && entry.name != "concat(error:)"
                    && (entry.others == 0 || entry.name.hasPrefix("merge"))
            }
    }
}

extension OperatorEntry.Facts {
    /// The facts of operators that may drop values, or hold them until something else happens.
    fileprivate static let lossy: Self = [
        .endsEarly, .mayWait, .changesValues, .endsWithOther, .waitsForOther, .fansOut, .restarts, .shares,
        .startsLater, .recovers, .showsEnds,
    ]
}

extension ThreadedGraph: CustomStringConvertible {
    /// The Swift expression that makes it.
    var description: String {
        switch self {
        case .pipe(let source): ".pipe(\(source))"
        case .cold(let source): ".cold(\(source))"
        case .values(let count): ".values(\(count))"
        case .apply(let name, let sources): ".apply(\"\(name)\", \(sources))"
        case .hop(let hop, let source): ".hop(.\(hop), \(source))"
        case .hot(let graph): ".hot(\(graph))"
        }
    }
}
