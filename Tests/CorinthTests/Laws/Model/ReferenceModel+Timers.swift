extension ReferenceModel {
    /// Further operators with timers or schedulers.
    func waitFurther(_ stage: Graph.Stage, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        switch stage {
        case .debounceToEnd(let interval): debounceToEnd(Double(interval) / 64, source, run, output)
        case .debounceLeading(let interval): debounceLeading(Double(interval) / 64, source, run, output)
        case .timeoutPerValue(let interval): timeoutPerValue(Double(interval) / 64, source, run, output)
        case .sampleEvery(let interval): sampleEvery(Double(interval) / 64, source, run, output)
        case .collectEvery(let interval): collectEvery(Double(interval) / 64, source, run, output)
        case .collectWithin(let interval, let count):
            collect(count, within: Double(interval) / 64, source, run, output)
        case .retryLater(let interval, let count): retry(count, after: Double(interval) / 64, source, run, output)
        case .delaySubscription(let interval):
            clock.schedule(after: Double(interval) / 64, for: run) { self.start(source, until: run, output) }
        case .startOn: clock.schedule(after: 0, for: run) { self.start(source, until: run, output) }
        case .observeOnBounded(let policy): hop(policy, source, run, output)
        case .throttleWhile(let index): throttle(whileOdd: index, source, run, output)
        default: preconditionFailure("the stage \(stage) has no timer")
        }
    }

    /// As `debounce`, but a completion waits for the held value.
    private func debounceToEnd(
        _ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output
    ) {
        var held: Int?
        var generation = 0
        var isCompleted = false
        start(source, until: run) { event in
            if event == .completed, held != nil {
                isCompleted = true
                return
            }
            generation += 1
            let mine = generation
            guard case .value(let value) = event else {
                held = nil
                self.clock.schedule(after: 0, for: run) { output(event) }
                return
            }
            held = value
            self.clock.schedule(after: interval, for: run) {
                guard generation == mine, let value = held else { return }
                held = nil
                output(.value(value))
                if isCompleted { output(.completed) }
            }
        }
    }

    /// The first value of each burst, with the scheduler's next action. A completion waits for it.
    private func debounceLeading(
        _ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output
    ) {
        var latest: Double?
        var held: Int?
        var isCompleted = false
        start(source, until: run) { event in
            switch event {
            case .value(let value):
                let now = self.clock.now
                let isInBurst = held != nil || latest.map { now < $0 + interval } ?? false
                latest = now
                if isInBurst { return }
                held = value
                self.clock.schedule(after: 0, for: run) {
                    guard let value = held else { return }
                    held = nil
                    output(.value(value))
                    if isCompleted { output(.completed) }
                }
            case .completed where held != nil: isCompleted = true
            case .completed, .failed, .interrupted:
                held = nil
                self.clock.schedule(after: 0, for: run) { output(event) }
            }
        }
    }

    /// Fails if the next value takes too long.
    private func timeoutPerValue(
        _ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output
    ) {
        var begin = clock.now
        func wait(until date: Double) {
            clock.schedule(after: date - clock.now, for: run) {
                if begin + interval > self.clock.now { wait(until: begin + interval) } else { output(.failed(.second)) }
            }
        }
        wait(until: begin + interval)
        start(source, until: run) { event in
            begin = self.clock.now
            output(event)
        }
    }

    /// Calls back at each multiple of the interval.
    private func tick(every interval: Double, _ run: ModelRun, _ body: @escaping () -> Void) {
        clock.schedule(after: interval, for: run) {
            body()
            if !run.isOver { self.tick(every: interval, run, body) }
        }
    }

    /// The latest value at each tick. A completion waits for the tick that sends it; the other ends drop it.
    private func sampleEvery(_ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var latest: Int?
        var isCompleted = false
        tick(every: interval, run) {
            if let value = latest {
                latest = nil
                output(.value(value))
            }
            if isCompleted { output(.completed) }
        }
        start(source, until: run) { event in
            switch event {
            case .value(let value): latest = value
            case .completed where latest != nil: isCompleted = true
            case .completed, .failed, .interrupted:
                latest = nil
                self.clock.schedule(after: 0, for: run) { output(event) }
            }
        }
    }

    /// The values between two ticks, as one. A completion waits for the next tick; the other ends drop them.
    private func collectEvery(_ interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output) {
        var kept: [Int] = []
        var isCompleted = false
        var isEnding = false
        tick(every: interval, run) {
            if isEnding { return }
            if !kept.isEmpty {
                let group = kept
                kept = []
                output(.value(group.reduce(0) { ($0 * 7 + $1) % 97 }))
            }
            if isCompleted { output(.completed) }
        }
        start(source, until: run) { event in
            switch event {
            case .value(let value): kept.append(value)
            case .completed: isCompleted = true
            case .failed, .interrupted:
                isEnding = true
                self.clock.schedule(after: 0, for: run) { output(event) }
            }
        }
    }

    /// Groups of `count` values come with the scheduler's next action, others when their first value has waited for the interval.
    private func collect(
        _ count: Int, within interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output
    ) {
        var group: [Int] = []
        var due = 0.0
        var full: [[Int]] = []
        var isCompleted = false
        var generation = 0
        func send(_ group: [Int]) { output(.value(group.reduce(0) { ($0 * 7 + $1) % 97 })) }
        func wait(_ interval: Double) {
            generation += 1
            let mine = generation
            clock.schedule(after: interval, for: run) {
                if generation != mine { return }
                while !full.isEmpty { send(full.removeFirst()) }
                if isCompleted {
                    output(.completed)
                } else if !group.isEmpty {
                    if due > self.clock.now { return wait(due - self.clock.now) }
                    let last = group
                    group = []
                    send(last)
                }
            }
        }
        func close() {
            full.append(group)
            group = []
            if full.count == 1 { wait(0) }
        }
        start(source, until: run) { event in
            switch event {
            case .value(let value):
                group.append(value)
                if group.count == count { return close() }
                if group.count > 1 { return }
                due = self.clock.now + interval
                if full.isEmpty { wait(interval) }
            case .completed where !group.isEmpty || !full.isEmpty:
                isCompleted = true
                if !group.isEmpty { close() }
            case .completed, .failed, .interrupted:
                generation += 1
                self.clock.schedule(after: 0, for: run) { output(event) }
            }
        }
    }

    private func retry(
        _ count: Int, after interval: Double, _ source: Graph, _ run: ModelRun, _ output: @escaping Output
    ) {
        start(source, until: run) { event in
            guard case .failed = event, count > 0 else { return output(event) }
            self.clock.schedule(after: interval, for: run) {
                self.retry(count - 1, after: interval, source, run, output)
            }
        }
    }
}
