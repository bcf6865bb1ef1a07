/// What an object does when one thread uses it: the state, and what each operation does to it.
protocol SequentialModel: Hashable, Sendable {
    associatedtype Operation: Sendable

    /// Applies an operation.
    ///
    /// - Returns: What it returns; nil if it would wait in this state.
    mutating func apply(_ operation: Operation) -> OperationResult?

    /// The atomic steps of an operation, in order. By default it is one step. All steps return the same.
    static func steps(of operation: Operation) -> [Operation]
}

extension SequentialModel {
    static func steps(of operation: Operation) -> [Operation] { [operation] }
}

/// Looks for a sequential order of a history's calls that explains what they returned: the search of Wing and Gong, with the
/// memory of Lowe's “Testing for linearizability”.
///
/// Each step of a call takes effect at one moment between the beginning and the return of the call. The search applies steps
/// to the model, in every order that the history allows. A set of applied steps and a state that were seen before aren't
/// searched again.
struct LinearizabilityChecker<Model: SequentialModel> {
    private struct Step {
        let operation: Model.Operation
        let outcome: OperationResult?
        let call: Int

        /// The steps that come before this one, as bits.
        var predecessors: UInt64
    }

    private struct Configuration: Hashable {
        var applied: UInt64 = 0
        var model: Model
    }

    /// At most this many steps: each is a bit of a word.
    static var limit: Int { UInt64.bitWidth }

    private let steps: [Step]

    /// The steps of the calls that have returned.
    private let required: UInt64
    private var visited: Set<Configuration> = []
    private var path: [Int] = []

    /// The calls of the longest order that was found, once for each step.
    private var longest: [Int] = []

    private init(_ history: History<Model.Operation>) {
        let calls = history.calls
        // The order of the returns is often a right one, so it is tried first.
        let byReturn = calls.indices.sorted { calls[$0].end < calls[$1].end }
        let before = history.predecessors
        var steps: [Step] = []
        var required: UInt64 = 0
        // The steps of each call, as bits.
        var bits = [UInt64](repeating: 0, count: calls.count)
        for call in byReturn {
            for operation in Model.steps(of: calls[call].operation) {
                precondition(steps.count < Self.limit, "a history must have at most \(Self.limit) steps")
                let bit: UInt64 = 1 << steps.count
                if calls[call].outcome != nil { required |= bit }
                // The earlier steps of the same call. Those of other calls follow.
                steps.append(
                    Step(operation: operation, outcome: calls[call].outcome, call: call, predecessors: bits[call]))
                bits[call] |= bit
            }
        }
        for index in steps.indices {
            for call in before[steps[index].call] { steps[index].predecessors |= bits[call] }
        }
        self.steps = steps
        self.required = required
    }

    /// Looks for an order.
    ///
    /// - Returns: The longest order that was found, as the calls' indices, once for each step, and whether it explains the history.
    static func order(
        of history: History<Model.Operation>, from model: Model
    ) -> (isLinearizable: Bool, calls: [Int]) {
        var checker = LinearizabilityChecker(history)
        let found = checker.search(Configuration(model: model))
        return (found, found ? checker.path : checker.longest)
    }

    /// Whether there is an order.
    static func isLinearizable(_ history: History<Model.Operation>, from model: Model) -> Bool {
        order(of: history, from: model).isLinearizable
    }

    private mutating func search(_ configuration: Configuration) -> Bool {
        if configuration.applied & required == required { return true }
        guard visited.insert(configuration).inserted else { return false }
        if path.count > longest.count { longest = path }
        for (index, step) in steps.enumerated() {
            let bit: UInt64 = 1 << index
            if configuration.applied & bit != 0 || step.predecessors & ~configuration.applied != 0 { continue }
            var next = configuration
            guard let outcome = next.model.apply(step.operation), step.outcome == nil || step.outcome == outcome else {
                continue
            }
            next.applied |= bit
            path.append(step.call)
            if search(next) { return true }
            path.removeLast()
        }
        return false
    }

    /// Why a history isn't linearizable: its shortest prefix that isn't, and the longest order of calls in it.
    static func explanation(of history: History<Model.Operation>, from model: Model) -> String {
        let shortest = history.prefixes.first { !isLinearizable($0, from: model) } ?? history
        // A call of several steps is listed where it takes its first one.
        var listed: Set<Int> = []
        let order = order(of: shortest, from: model).calls.filter { listed.insert($0).inserted }.map { call in
            let call = shortest.calls[call]
            return "\(call.operation)\(call.outcome.map { " → \($0)" } ?? "")"
        }
        return """
            \(shortest)
              The longest sequential order that the model allows: \(order.isEmpty ? "none" : order.joined(separator: ", "))
            """
    }
}
