/// Faults that a library could have, to check that the comparison with the model finds them. Each replaces an operator of the
/// library by one that does nearly the same.
enum GraphFault: String, CaseIterable, Sendable {
    /// `zip` doesn't use up its values.
    case zip
    /// A failing buffer drops the value that doesn't fit.
    case policy
    /// A timeout per value never fails.
    case timer
    /// A property sends no value when it is observed.
    case property
    /// An action executes although it is executing.
    case action
    /// A shared producer isn't shared.
    case sharing
}

extension Graph {
    /// The graph of a library with a fault.
    func with(_ fault: GraphFault) -> Graph {
        let graph = with(children.map { $0.with(fault) })
        switch (fault, graph) {
        case (.zip, .zip(let sources)): return .combineLatest(sources)
        case (.policy, .zipBounded(.failing(let capacity), let first, let second)):
            return .zipBounded(.dropNewest(capacity), first, second)
        case (.policy, .flatMapBounded(let strategy, .failing(let capacity), let outer, let inners)):
            return .flatMapBounded(strategy, .dropNewest(capacity), outer, inners)
        case (.policy, .stage(.observeOnBounded(.failing(let capacity)), let source)):
            return .stage(.observeOnBounded(.dropNewest(capacity)), source)
        case (.timer, .stage(.timeoutPerValue, let source)): return source
        case (.property, .property(let index)): return .pipe(index)
        case (.action, .action(let outer, let inners)): return .flatMap(.merge, outer, inners)
        case (.sharing, .shared(_, let source)): return .merge([source, .stage(.takeFirst(2), source)])
        default: return graph
        }
    }
}

extension GraphCase {
    /// Whether the outcome shows the fault.
    func shows(_ fault: GraphFault) -> Bool {
        guard let expected = ReferenceModel.run(self) else { return false }
        return GraphOnCorinth.run(GraphCase(graph: graph.with(fault), stimuli: stimuli, disposal: disposal)) != expected
    }
}
