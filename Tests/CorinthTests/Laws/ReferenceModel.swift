/// The reference for the differential test: it implements the laws for graphs in the plainest way.
///
/// It uses one thread, no fusion and no queues. Each operator of a start is a closure that receives events, and a ``ModelRun``
/// that says whether the operator is still active.
final class ReferenceModel {
    enum Event: Equatable {
        case value(Int)
        case failed(TestError)
        case completed
        case interrupted

        var isEnd: Bool {
            if case .value = self { false } else { true }
        }
    }

    typealias Output = (Event) -> Void

    /// A pipe: its observers, and whether it has ended.
    struct Pipe {
        var listeners: [(run: ModelRun, output: Output)] = []
        var isEnded = false
    }

    var pipes = [Pipe](repeating: Pipe(), count: GraphCase.pipes)
    var leaks = 0
    let clock = ModelClock()

    /// Runs a case. Returns nil if the outcome depends on the order of two timers that are due at the same time.
    static func run(_ test: GraphCase) -> CaseOutcome? {
        let model = ReferenceModel()
        var outcome = CaseOutcome()
        var step = 0
        var isEnded = false
        let run = model.start(test.graph) { event in
            isEnded = event.isEnd
            outcome.events.append("\(step)→\(event.text)")
        }
        outcome.leaks.append(model.leaks)
        for index in 0...test.stimuli.count {
            step = index
            if index > 0 {
                model.apply(test.stimuli[index - 1])
                outcome.leaks.append(model.leaks)
            }
            if index == test.disposal, !isEnded {
                // P2: disposal cancels the work and interrupts the observer.
                run.cancel()
                outcome.events.append("disposed of")
                outcome.leaks.append(model.leaks)
            }
        }
        step += 1
        model.clock.advance(by: 100)
        outcome.leaks.append(model.leaks)
        model.release(run)
        return model.clock.isAmbiguous ? nil : outcome
    }

    /// Releases what refers to the model: the listeners of its pipes, the actions of its clock, and what runs until the end of
    /// a run.
    private func release(_ run: ModelRun) {
        run.cancel()
        for index in pipes.indices { pipes[index].listeners = [] }
        clock.release()
    }

    func apply(_ stimulus: Stimulus) {
        switch stimulus {
        case .advance(let seconds): clock.advance(by: Double(seconds))
        case .value(let number, let source): send(.value(number), to: source)
        case .end(let ending, let source): send(ending.event, to: source)
        }
    }

    /// E1, S4: an ended pipe sends nothing, and interrupts new observers.
    private func send(_ event: Event, to index: Int) {
        if pipes[index].isEnded { return }
        if event.isEnd { pipes[index].isEnded = true }
        for listener in pipes[index].listeners where !listener.run.isOver { listener.output(event) }
        pipes[index].listeners.removeAll { $0.run.isOver }
    }

    // MARK: Starting

    /// Starts a graph. Its events arrive until it ends or is cancelled; then its sources are released.
    @discardableResult
    func start(_ graph: Graph, until parent: ModelRun? = nil, _ output: @escaping Output) -> ModelRun {
        let run = ModelRun()
        if let parent {
            if parent.isOver { return run }
            parent.onEnd { run.cancel() }
        }
        connect(graph, run) { event in
            if run.isOver { return }
            if event.isEnd { run.isOver = true }
            output(event)
            if event.isEnd { run.release() }
        }
        return run
    }

    private func connect(_ graph: Graph, _ run: ModelRun, _ output: @escaping Output) {
        switch graph {
        case .pipe(let index):
            count(run)
            if pipes[index].isEnded { output(.interrupted) } else { pipes[index].listeners.append((run, output)) }
        case .values(let values, let ending):
            count(run)
            for value in values { output(.value(value)) }
            if let ending { output(ending.event) }
        case .array(let values):
            for value in values { output(.value(value)) }
            output(.completed)
        case .value(let value):
            output(.value(value))
            output(.completed)
        case .empty: output(.completed)
        case .failure: output(.failed(.second))
        case .stage(let stage, let source), .lifted(let stage, let source): connect(stage, source, run, output)
        case .join(let kind, let first, let second): connect(kind, first, second, run, output)
        case .combineLatest(let sources): combine(sources, run, takesOnce: false, output)
        case .zip(let sources): combine(sources, run, takesOnce: true, output)
        case .merge(let sources): merge(sources, run, output)
        case .flatMap(let strategy, let outer, let inners): flatMap(strategy, outer, inners, run, output)
        case .flatMapError(let source, let next):
            start(source, until: run) { event in
                if case .failed = event { self.start(next, until: run, output) } else { output(event) }
            }
        }
    }

    /// A source is live from its start to its end.
    private func count(_ run: ModelRun) {
        leaks += 1
        run.onEnd { self.leaks -= 1 }
    }
}

/// A start of a part of a graph.
final class ModelRun {
    var isOver = false
    private var actions: [() -> Void] = []
    private var isReleased = false

    /// Adds an action that runs when this run has ended or was cancelled.
    func onEnd(_ action: @escaping () -> Void) {
        if isReleased { action() } else { actions.append(action) }
    }

    func cancel() {
        isOver = true
        release()
    }

    func release() {
        isReleased = true
        let released = actions
        actions = []
        for action in released { action() }
    }
}

/// Virtual time.
final class ModelClock {
    private struct Action {
        let date: Double
        let number: Int
        let owner: ModelRun
        let body: () -> Void
    }

    private(set) var now = 0.0
    private var count = 0
    private var actions: [Action] = []

    /// Whether two operators had actions due at the same time. The laws don't define their order.
    private(set) var isAmbiguous = false

    /// Runs an action later, unless its owner has ended by then.
    func schedule(after interval: Double, for owner: ModelRun, _ body: @escaping () -> Void) {
        count += 1
        actions.append(Action(date: now + interval, number: count, owner: owner, body: body))
    }

    func advance(by seconds: Double) {
        let limit = now + seconds
        while let next = actions.min(by: { ($0.date, $0.number) < ($1.date, $1.number) }), next.date <= limit {
            actions.removeAll { $0.number == next.number }
            if next.owner.isOver { continue }
            if actions.contains(where: { $0.date == next.date && $0.owner !== next.owner && !$0.owner.isOver }) {
                isAmbiguous = true
            }
            now = max(now, next.date)
            next.body()
        }
        now = limit
    }

    /// Drops the actions that are still scheduled.
    func release() { actions = [] }
}

extension ReferenceModel.Event {
    /// The same format as ``EventLog``'s.
    fileprivate var text: String {
        switch self {
        case .value(let number): "\(number)"
        case .failed(let error): "failed(\(error))"
        case .completed: "completed"
        case .interrupted: "interrupted"
        }
    }
}

extension Stimulus.Ending {
    var event: ReferenceModel.Event {
        switch self {
        case .completed: .completed
        case .failed: .failed(.first)
        case .interrupted: .interrupted
        }
    }
}
