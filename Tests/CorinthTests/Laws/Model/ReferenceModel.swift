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

    /// For each pipe, the property of the values that were sent to it, and whoever observes that it is odd or even.
    var properties = [Int](repeating: 0, count: GraphCase.pipes)
    var propertyListeners = [[(run: ModelRun, changed: () -> Void)]](repeating: [], count: GraphCase.pipes)
    var parityListeners = [[(run: ModelRun, changed: () -> Void)]](repeating: [], count: GraphCase.pipes)

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
        for index in pipes.indices {
            pipes[index].listeners = []
            propertyListeners[index] = []
            parityListeners[index] = []
        }
        clock.release()
    }

    func apply(_ stimulus: Stimulus) {
        switch stimulus {
        case .advance(let seconds): clock.advance(by: Double(seconds))
        case .value(let number, let source):
            properties[source] = number
            for listener in parityListeners[source] where !listener.run.isOver { listener.changed() }
            for listener in propertyListeners[source] where !listener.run.isOver { listener.changed() }
            send(.value(number), to: source)
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
        case .property(let index):
            // R2: the start takes its place after its first value, behind what was started by that.
            let changed = { output(.value(self.properties[index])) }
            changed()
            if !run.isOver { propertyListeners[index].append((run, changed)) }
        case .combinedProperty(let index):
            let next = (index + 1) % GraphCase.pipes
            let changed = { output(.value((self.properties[index] * 10 + self.properties[next]) % 1_000)) }
            for source in [index, next] { propertyListeners[source].append((run, changed)) }
            changed()
        case .stage(let stage, let source), .lifted(let stage, let source): connect(stage, source, run, output)
        case .join(let kind, let first, let second): connect(kind, first, second, run, output)
        case .combineLatest(let sources): combine(sources, run, takesOnce: false, output)
        case .zip(let sources): combine(sources, run, takesOnce: true, output)
        case .merge(let sources): merge(sources, run, output)
        case .flatMap(let strategy, let outer, let inners), .flatMapOfSignals(let strategy, let outer, let inners):
            flatMap(strategy, outer, inners, run, output)
        case .flatMapBounded(let strategy, let policy, let outer, let inners):
            flatMapBounded(strategy, policy, outer, inners, run, output)
        case .zipBounded(let policy, let first, let second): zipBounded(policy, [first, second], run, output)
        case .action(let outer, let inners): apply(outer, inners, run, output)
        case .shared(let capacity, let source): share(source, replay: capacity, run, output)
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
