/// A buffer with an overflow policy.
struct ModelBuffer<Element> {
    let policy: Graph.Policy
    var elements: [Element] = []

    /// Adds an element. Returns false if the policy fails.
    mutating func append(_ element: Element) -> Bool {
        if elements.count < policy.capacity {
            elements.append(element)
            return true
        }
        switch policy {
        case .dropNewest: return true
        case .dropOldest:
            elements.removeFirst()
            elements.append(element)
            return true
        case .failing: return false
        }
    }
}

extension ReferenceModel {
    /// Values that don't yet have a partner wait in a buffer for each source.
    func zipBounded(_ policy: Graph.Policy, _ sources: [Graph], _ run: ModelRun, _ output: @escaping Output) {
        var waiting = sources.map { _ in ModelBuffer<Int>(policy: policy) }
        var isCompleted = sources.map { _ in false }
        func completeIfDone() {
            if sources.indices.contains(where: { isCompleted[$0] && waiting[$0].elements.isEmpty }) {
                output(.completed)
            }
        }
        for index in sources.indices {
            start(sources[index], until: run) { event in
                switch event {
                case .value(let value):
                    if !waiting[index].append(value) { return output(.failed(.second)) }
                    if waiting.contains(where: \.elements.isEmpty) { return }
                    let values = waiting.map { $0.elements[0] }
                    for place in waiting.indices { waiting[place].elements.removeFirst() }
                    output(.value(values.reduce(0) { ($0 * 10 + $1) % 1_000 }))
                    completeIfDone()
                case .completed:
                    isCompleted[index] = true
                    completeIfDone()
                case .failed, .interrupted: output(event)
                }
            }
        }
    }

    /// Streams that may not run yet wait in a buffer. An overflow that fails drops them.
    func flatMapBounded(
        _ strategy: Graph.QueuingStrategy, _ policy: Graph.Policy, _ outer: Graph, _ inners: [Graph], _ run: ModelRun,
        _ output: @escaping Output
    ) {
        var waiting = ModelBuffer<Graph>(policy: policy)
        var running = 0
        var isOuterCompleted = false
        func begin(_ inner: Graph) {
            running += 1
            start(inner, until: run) { event in
                switch event {
                case .value, .failed: output(event)
                case .completed, .interrupted:
                    running -= 1
                    if !waiting.elements.isEmpty {
                        begin(waiting.elements.removeFirst())
                    } else if running == 0, isOuterCompleted {
                        output(.completed)
                    }
                }
            }
        }
        start(outer, until: run) { event in
            switch event {
            case .value(let value):
                let inner = inners[value % inners.count]
                if running < (strategy == .concat ? 1 : 2) {
                    begin(inner)
                } else if !waiting.append(inner) {
                    output(.failed(.second))
                }
            case .failed, .interrupted: output(event)
            case .completed:
                isOuterCompleted = true
                if running == 0 { output(.completed) }
            }
        }
    }

    /// As `observeOn`, with a buffer. An overflow that fails disposes of the source; the failure comes after the waiting values.
    func hop(_ policy: Graph.Policy, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var waiting = ModelBuffer<Event>(policy: policy)
        var isScheduled = false
        let upstream = ModelRun()
        run.onEnd { upstream.cancel() }
        func drainLater() {
            if isScheduled { return }
            isScheduled = true
            clock.schedule(after: 0, for: run) {
                isScheduled = false
                while !waiting.elements.isEmpty { output(waiting.elements.removeFirst()) }
            }
        }
        start(source, until: upstream) { event in
            if case .value = event {
                if !waiting.append(event) {
                    waiting.elements.append(.failed(.second))
                    upstream.cancel()
                }
            } else {
                // A termination always fits, and an interruption overtakes queued values.
                if event == .interrupted { waiting.elements = [] }
                waiting.elements.append(event)
            }
            drainLater()
        }
    }
}
