extension ReferenceModel {
    /// Operators with one source.
    func connect(_ stage: Graph.Stage, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        switch stage {
        case .map(let number): values(of: source, run, output) { output(.value(($0 * 3 + number) % 97)) }
        case .filter(let number): values(of: source, run, output) { if $0 % number != 0 { output(.value($0)) } }
        case .scan:
            var result = 0
            values(of: source, run, output) {
                result = (result * 2 + $0) % 97
                output(.value(result))
            }
        case .combinePrevious:
            var previous = 0
            values(of: source, run, output) {
                let old = previous
                previous = $0
                output(.value((old * 5 + $0) % 97))
            }
        case .skipRepeats:
            var previous: Int?
            values(of: source, run, output) {
                if previous != $0 { output(.value($0)) }
                previous = $0
            }
        case .uniqueValues:
            var known: Set<Int> = []
            values(of: source, run, output) { if known.insert($0).inserted { output(.value($0)) } }
        case .roundTrip, .resultsRoundTrip, .windows, .groups: start(source, until: run, output)
        case .compactMap(let number):
            values(of: source, run, output) { if $0 % number != 0 { output(.value(($0 + number) % 97)) } }
        case .scanMap:
            var state = 0
            values(of: source, run, output) {
                state = (state + $0) % 97
                output(.value(state * 2))
            }
        case .flattenTwice:
            values(of: source, run, output) {
                output(.value($0))
                output(.value($0 + 1))
            }
        case .attempt(let number):
            values(of: source, run, output) { output($0 % number == number - 1 ? .failed(.second) : .value($0)) }
        case .reduce, .takeLast, .collect: collect(stage, source, run, output)
        case .takeFirst, .takeWhile, .skipFirst, .skipWhile: choose(stage, source, run, output)
        case .concatValue(let value): connect(.concat, source, .value(value), run, output)
        case .prefixValue(let value): connect(.concat, .value(value), source, run, output)
        case .retry(let count), .retryWhen(let count):
            start(source, until: run) { event in
                if case .failed = event, count > 0 {
                    self.connect(.retry(count - 1), source, run, output)
                } else {
                    output(event)
                }
            }
        case .repeat(0): output(.completed)
        case .repeat(let count):
            start(source, until: run) { event in
                if event == .completed, count > 1 {
                    self.connect(.repeat(count - 1), source, run, output)
                } else {
                    output(event)
                }
            }
        case .delay, .debounce, .throttle, .timeout, .observeOn: wait(stage, source, run, output)
        default: waitFurther(stage, source, run, output)
        }
    }

    /// Starts a source and passes its terminating event on.
    private func values(
        of source: Graph, _ run: ModelRun, _ output: @escaping Output, _ body: @escaping (Int) -> Void
    ) {
        start(source, until: run) { event in
            if case .value(let value) = event { body(value) } else { output(event) }
        }
    }

    /// Operators that pass some of the values on.
    private func choose(_ stage: Graph.Stage, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var seen = 0
        var isSkipping = true
        if case .takeFirst(0) = stage {
            output(.completed)
            return
        }
        values(of: source, run, output) { value in
            seen += 1
            switch stage {
            case .takeFirst(let count):
                output(.value(value))
                if seen == count { output(.completed) }
            case .takeWhile(let bound): output(value < bound ? .value(value) : .completed)
            case .skipFirst(let count): if seen > count { output(.value(value)) }
            case .skipWhile(let bound):
                if value >= bound { isSkipping = false }
                if !isSkipping { output(.value(value)) }
            default: break
            }
        }
    }

    /// Operators that hold values until the completion. The other terminating events drop the held values (law E6).
    private func collect(_ stage: Graph.Stage, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var kept: [Int] = []
        var hasGroup = false
        start(source, until: run) { event in
            switch (event, stage) {
            case (.value(let value), .collect(let count)):
                kept.append(value)
                if kept.count == count {
                    let group = kept
                    hasGroup = true
                    kept = []
                    output(.value(group.reduce(0) { ($0 * 7 + $1) % 97 }))
                }
            case (.value(let value), _): kept.append(value)
            case (.completed, .collect):
                // Without any value there is one empty group.
                if !kept.isEmpty || !hasGroup { output(.value(kept.reduce(0) { ($0 * 7 + $1) % 97 })) }
                output(.completed)
            case (.completed, .takeLast(let count)):
                for value in kept.suffix(count) { output(.value(value)) }
                output(.completed)
            case (.completed, _):
                output(.value(kept.reduce(1) { ($0 * 2 + $1) % 97 }))
                output(.completed)
            default: output(event)
            }
        }
    }

    // MARK: Time

    private func wait(_ stage: Graph.Stage, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        switch stage {
        case .timeout(let interval):
            clock.schedule(after: Double(interval) / 64, for: run) { output(.failed(.second)) }
            start(source, until: run, output)
        case .delay(let interval): delay(Double(interval) / 64, source, run, output)
        case .debounce(let interval): debounce(Double(interval) / 64, source, run, output)
        case .throttle(let interval): throttle(Double(interval) / 64, source, run, output)
        default: hop(source, run, output)
        }
    }

    /// Values and the completion are delayed. The other terminating events come with the scheduler's next action, and drop the
    /// held values.
    private func delay(_ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var isDropped = false
        start(source, until: run) { event in
            switch event {
            case .value, .completed:
                self.clock.schedule(after: interval, for: run) { if !isDropped { output(event) } }
            case .failed, .interrupted:
                isDropped = true
                self.clock.schedule(after: 0, for: run) { output(event) }
            }
        }
    }

    /// A value is emitted when no other value arrives during the interval. Every terminating event drops the held value.
    private func debounce(_ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var generation = 0
        start(source, until: run) { event in
            generation += 1
            let mine = generation
            self.clock.schedule(after: event.isEnd ? 0 : interval, for: run) { if generation == mine { output(event) } }
        }
    }

    /// The first value comes with the scheduler's next action. The latest of the following values comes at the end of the
    /// interval. Every terminating event drops the held value, but a completion doesn't drop a value whose action is already
    /// scheduled.
    private func throttle(_ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var waiting: (value: Int, date: Double)?
        var beginning: Double?
        var isCompleted = false
        var generation = 0
        func end(_ event: Event) {
            generation += 1
            clock.schedule(after: 0, for: run) { output(event) }
        }
        start(source, until: run) { event in
            let now = self.clock.now
            switch event {
            case .value(let value) where waiting != nil: waiting?.value = value
            case .value(let value):
                let free = beginning.map { $0 + interval } ?? now
                let date = max(now, free)
                waiting = (value, date)
                let mine = generation
                self.clock.schedule(after: date - now, for: run) {
                    guard generation == mine, let due = waiting else { return }
                    waiting = nil
                    beginning = due.date
                    output(.value(due.value))
                    if isCompleted { output(.completed) }
                }
            case .completed where (waiting?.date ?? .infinity) <= now: isCompleted = true
            case .completed, .failed, .interrupted: end(event)
            }
        }
    }

    /// Every event comes with the scheduler's next action, in FIFO order. An interruption overtakes held values (law C3).
    private func hop(_ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var waiting: [Event] = []
        start(source, until: run) { event in
            if event == .interrupted, !waiting.isEmpty {
                waiting = [event]
                return
            }
            waiting.append(event)
            if waiting.count > 1 { return }
            self.clock.schedule(after: 0, for: run) {
                while !waiting.isEmpty { output(waiting.removeFirst()) }
            }
        }
    }
}
