extension ReferenceModel {
    /// Holds the latest value while the property is odd. What isn't held comes with the scheduler's next action, as the
    /// completion after it. Every other end drops queued values, and a completion drops the held value.
    func throttle(
        whileOdd index: Int, _ source: Graph, _ run: ModelRun, _ output: @escaping Output
    ) {
        var held: Int?
        var ready: [Int] = []
        var isCompleted = false
        var isEnding = false
        func receive(_ value: Int) {
            ready.append(value)
            if ready.count > 1 { return }
            clock.schedule(after: 0, for: run) {
                while !ready.isEmpty { output(.value(ready.removeFirst())) }
                if isCompleted { output(.completed) }
            }
        }
        parityListeners[index].append(
            (
                run,
                {
                    guard self.properties[index] % 2 == 0, let value = held, !isCompleted, !isEnding else { return }
                    held = nil
                    receive(value)
                }
            ))
        start(source, until: run) { event in
            switch event {
            case .value(let value):
                if self.properties[index] % 2 == 0 { receive(value) } else { held = value }
            case .completed where !ready.isEmpty:
                held = nil
                isCompleted = true
            case .completed, .failed, .interrupted:
                held = nil
                ready = []
                isEnding = true
                self.clock.schedule(after: 0, for: run) { output(event) }
            }
        }
    }

    /// A1: one execution at a time. Refused applications become a value.
    func apply(_ outer: Graph, _ inners: [Graph], _ run: ModelRun, _ output: @escaping Output) {
        var isExecuting = false
        var isOuterCompleted = false
        start(outer, until: run) { event in
            switch event {
            case .value where isExecuting: output(.value(GraphCase.refused))
            case .value(let value):
                isExecuting = true
                self.start(inners[value % inners.count], until: run) { event in
                    switch event {
                    case .value, .failed: output(event)
                    case .completed, .interrupted:
                        isExecuting = false
                        if isOuterCompleted { output(.completed) }
                    }
                }
            case .failed, .interrupted: output(event)
            case .completed:
                isOuterCompleted = true
                if !isExecuting { output(.completed) }
            }
        }
    }

    /// One start of the source for two observers, the second of which takes two values. A start after the end begins anew.
    func share(_ source: Graph, replay capacity: Int, _ run: ModelRun, _ output: @escaping Output) {
        final class Connection {
            let run = ModelRun()
            var members: [(run: ModelRun, output: Output)] = []
            var kept: [Int] = []
        }
        var connection: Connection?
        func join(_ member: ModelRun, _ output: @escaping Output) {
            let isNew = connection == nil
            let shared = connection ?? Connection()
            connection = shared
            shared.members.append((member, output))
            member.onEnd {
                shared.members.removeAll { $0.run === member }
                guard connection === shared, shared.members.isEmpty else { return }
                connection = nil
                shared.run.cancel()
            }
            if !isNew {
                for value in shared.kept where !member.isOver { output(.value(value)) }
                return
            }
            start(source, until: shared.run) { event in
                if case .value(let value) = event {
                    if capacity > 0 { shared.kept = (shared.kept + [value]).suffix(capacity) }
                } else if connection === shared {
                    connection = nil
                }
                for member in shared.members where !member.run.isOver { member.output(event) }
            }
        }
        var left = 2
        func receive(_ event: Event) {
            switch event {
            case .value, .failed: output(event)
            case .completed, .interrupted:
                left -= 1
                if left == 0 { output(.completed) }
            }
        }
        for isLimited in [false, true] where !run.isOver {
            let member = ModelRun()
            run.onEnd { member.cancel() }
            var seen = 0
            join(member) { event in
                if member.isOver { return }
                if event.isEnd { member.isOver = true }
                seen += 1
                receive(event)
                if event.isEnd { member.release() }
                guard isLimited, seen == 2, !member.isOver else { return }
                member.isOver = true
                receive(.completed)
                member.release()
            }
        }
    }
}
