extension ReferenceModel {
    /// Operators with two sources in different roles.
    func connect(_ kind: Graph.JoinKind, _ first: Graph, _ second: Graph, _ run: ModelRun, _ output: @escaping Output) {
        switch kind {
        case .concat:
            // Both are inner streams: an interruption counts as a completion.
            start(first, until: run) { event in
                switch event {
                case .value, .failed: output(event)
                case .completed, .interrupted:
                    self.start(second, until: run) { output($0 == .interrupted ? .completed : $0) }
                }
            }
        case .then:
            start(first, until: run) { event in
                switch event {
                case .value: break
                case .completed: self.start(second, until: run, output)
                case .failed, .interrupted: output(event)
                }
            }
        case .takeUntil:
            start(second, until: run) { if $0 != .interrupted { output(.completed) } }
            start(first, until: run, output)
        case .skipUntil:
            var isOpen = false
            let trigger = ModelRun()
            run.onEnd { trigger.cancel() }
            start(second, until: trigger) { event in
                if event != .interrupted {
                    isOpen = true
                    trigger.cancel()
                }
            }
            start(first, until: run) { event in if isOpen || event.isEnd { output(event) } }
        case .takeUntilReplacement:
            let replaced = ModelRun()
            run.onEnd { replaced.cancel() }
            start(second, until: run) { event in
                replaced.cancel()
                output(event)
            }
            start(first, until: replaced) { if $0 != .completed { output($0) } }
        case .sample, .withLatest: sample(kind, first, second, run, output)
        }
    }

    private func sample(
        _ kind: Graph.JoinKind, _ first: Graph, _ second: Graph, _ run: ModelRun, _ output: @escaping Output
    ) {
        var latest: Int?
        if kind == .withLatest {
            // The end of the second source is ignored.
            start(second, until: run) { if case .value(let value) = $0 { latest = value } }
            start(first, until: run) { event in
                guard case .value(let value) = event else { return output(event) }
                if let latest { output(.value((value * 10 + latest) % 1_000)) }
            }
            return
        }
        var ended = 0
        func complete() {
            ended += 1
            if ended == 2 { output(.completed) }
        }
        start(first, until: run) { event in
            switch event {
            case .value(let value): latest = value
            case .completed: complete()
            case .failed, .interrupted: output(event)
            }
        }
        start(second, until: run) { event in
            switch event {
            case .value: if let latest { output(.value(latest)) }
            // A sampler can't fail, so its failure counts as a completion.
            case .completed, .failed: complete()
            case .interrupted: output(event)
            }
        }
    }

    /// `zip` uses each value once, and completes when a completed source has no values left. `combineLatest` uses the latest
    /// values, and completes when all sources have.
    func combine(_ sources: [Graph], _ run: ModelRun, takesOnce: Bool, _ output: @escaping Output) {
        var waiting = sources.map { _ in [Int]() }
        var isCompleted = sources.map { _ in false }
        func completeIfDone() {
            let isDone =
                takesOnce
                ? sources.indices.contains { isCompleted[$0] && waiting[$0].isEmpty } : !isCompleted.contains(false)
            if isDone { output(.completed) }
        }
        for index in sources.indices {
            start(sources[index], until: run) { event in
                switch event {
                case .value(let value):
                    if !takesOnce { waiting[index] = [] }
                    waiting[index].append(value)
                    if waiting.contains(where: \.isEmpty) { return }
                    let values = waiting.map { $0[0] }
                    if takesOnce { for place in waiting.indices { waiting[place].removeFirst() } }
                    output(.value(values.reduce(0) { ($0 * 10 + $1) % 1_000 }))
                    if takesOnce { completeIfDone() }
                case .completed:
                    isCompleted[index] = true
                    completeIfDone()
                case .failed, .interrupted: output(event)
                }
            }
        }
    }

    func merge(_ sources: [Graph], _ run: ModelRun, _ output: @escaping Output) {
        var left = sources.count
        for source in sources {
            start(source, until: run) { event in
                switch event {
                case .value, .failed: output(event)
                case .completed, .interrupted:
                    left -= 1
                    if left == 0 { output(.completed) }
                }
            }
        }
    }

    func flatMap(
        _ strategy: Graph.Strategy, _ outer: Graph, _ inners: [Graph], _ run: ModelRun, _ output: @escaping Output
    ) {
        if strategy == .concatEager {
            concatEagerly(outer, inners, run, output)
            return
        }
        var isOuterCompleted = false
        var running: [ModelRun] = []
        var waiting: [Graph] = []
        var winner: ModelRun?
        let limit = strategy == .concat ? 1 : strategy == .concurrent ? 2 : Int.max

        func completeIfDone() {
            if isOuterCompleted, running.isEmpty, waiting.isEmpty { output(.completed) }
        }

        func begin(_ inner: Graph) {
            let handle = ModelRun()
            running.append(handle)
            run.onEnd { handle.cancel() }
            start(inner, until: handle) { event in
                if strategy == .race, winner == nil {
                    winner = handle
                    let losers = running.filter { $0 !== handle }
                    running = [handle]
                    for loser in losers { loser.cancel() }
                }
                switch event {
                case .value, .failed: output(event)
                case .interrupted where strategy == .race: output(event)
                case .completed, .interrupted:
                    running.removeAll { $0 === handle }
                    if waiting.isEmpty { completeIfDone() } else { begin(waiting.removeFirst()) }
                }
            }
        }

        func admit(_ inner: Graph) {
            switch strategy {
            case .merge: begin(inner)
            case .concat, .concurrent: if running.count < limit { begin(inner) } else { waiting.append(inner) }
            case .latest:
                let older = running
                running = []
                for handle in older { handle.cancel() }
                begin(inner)
            case .race: if winner == nil { begin(inner) }
            case .throttle, .concatEager: if running.isEmpty { begin(inner) }
            }
        }

        start(outer, until: run) { event in
            switch event {
            case .value(let value): admit(inners[value % inners.count])
            case .failed, .interrupted: output(event)
            case .completed:
                isOuterCompleted = true
                completeIfDone()
            }
        }
    }

    /// The inner streams run concurrently. Their values are emitted as if the streams had run one after another.
    private func concatEagerly(_ outer: Graph, _ inners: [Graph], _ run: ModelRun, _ output: @escaping Output) {
        final class InnerBuffer {
            var values: [Int] = []
            var isCompleted = false
        }
        var buffers: [InnerBuffer] = []
        var isOuterCompleted = false

        func emitReady() {
            while let first = buffers.first {
                let values = first.values
                first.values = []
                for value in values { output(.value(value)) }
                if !first.isCompleted { return }
                buffers.removeFirst()
            }
            if isOuterCompleted { output(.completed) }
        }

        start(outer, until: run) { event in
            switch event {
            case .value(let value):
                let buffer = InnerBuffer()
                buffers.append(buffer)
                self.start(inners[value % inners.count], until: run) { event in
                    switch event {
                    case .value(let value): buffer.values.append(value)
                    case .failed: output(event)
                    case .completed, .interrupted: buffer.isCompleted = true
                    }
                    emitReady()
                }
            case .failed, .interrupted: output(event)
            case .completed:
                isOuterCompleted = true
                emitReady()
            }
        }
    }
}
