import Corinth
import CorinthTesting
import Testing

/// Checks the laws in `Contracts.md` on every operator.
@Suite("Laws", .serialized, LawSummary())
struct LawTests {
    @Test(arguments: OperatorRegistry.all)
    func `E1: a stream emits values, then at most one terminating event`(_ entry: OperatorEntry) {
        Trial.each(.grammar, of: entry) { trial in
            for seed in 0..<6 {
                let harness = OperatorHarness(entry, trial.overload)
                let log = EventLog()
                let stimuli = harness.randomStimuli(seed) + harness.completion + harness.randomStimuli(seed + 100)
                harness.run(log)
                harness.apply(stimuli, log)
                trial.expect(log.isWellFormed, "events after the end: \(log.seen)", trace: stimuli)
                trial.expect(log.overlaps == 0, "nested callbacks: \(log.seen)", trace: stimuli)
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `E3: all observers receive the same events`(_ entry: OperatorEntry) {
        Trial.each(.agreement, of: entry) { trial in
            for seed in 0..<4 {
                let harness = OperatorHarness(entry, trial.overload)
                let logs = (0..<3).map { _ in EventLog() }
                let stimuli = harness.randomStimuli(seed) + harness.completion
                let result = harness.run(logs)
                harness.apply(stimuli)
                for log in logs {
                    trial.expect(
                        log.events == logs[0].events, "one observer: \(log.events), another: \(logs[0].events)",
                        trace: stimuli)
                }
                withExtendedLifetime(result) {}
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `E6: each terminating event has its defined effect`(_ entry: OperatorEntry) {
        Trial.each(.ends, of: entry) { trial in
            let facts = trial.facts
            if !facts.contains(.recovers) {
                let (seen, stimuli) = trial.end([.end(.failed, source: 0)])
                trial.expect(
                    seen.last?.event == .failed(.first), "the failure wasn't delivered at once: \(seen)", trace: stimuli
                )
            }
            if !facts.contains(.treatsInterruptionAsCompletion) {
                let (seen, stimuli) = trial.end([.end(.interrupted, source: 0)])
                trial.expect(
                    seen.last?.event == .interrupted, "the interruption wasn't delivered at once: \(seen)",
                    trace: stimuli)
            }
            let (seen, stimuli) = trial.end(OperatorHarness(entry, trial.overload).completion)
            trial.expect(
                seen.last?.event == (entry.name == "concat(error:)" ? .failed(.second) : .completed),
                "the completion wasn't delivered: \(seen)", trace: stimuli)
            if facts.contains(.keepsLast) {
                trial.expect(
                    seen.contains { $0.event == .value(4) }, "buffered values were lost on completion: \(seen)",
                    trace: stimuli
                )
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `E6: an interruption overtakes the values that an operator holds`(_ entry: OperatorEntry) {
        guard !entry.facts.contains(.treatsInterruptionAsCompletion) else { return }
        Trial.each(.ends, of: entry) { trial in
            for seed in 0..<3 {
                let harness = OperatorHarness(entry, trial.overload)
                let log = EventLog()
                let stimuli =
                    (seed == 0 || entry.facts.contains(.endsWithOther) ? [] : harness.randomStimuli(seed))
                    + harness.prelude
                    + (1...4).map { .value($0, source: 0) }
                let result = harness.run(log)
                harness.apply(stimuli, log)
                let isEnded = log.isEnded
                let count = log.seen.count
                // After the interruption only time passes, so that any value still held would be delivered.
                harness.apply([.end(.interrupted, source: 0), .advance(50)], log)
                var after = log.seen.dropFirst(count).map(\.event)
                // Some operators also show the interruption as a value.
                if trial.facts.contains(.showsEnds), after.first == .value(-1) { after.removeFirst() }
                trial.expect(
                    after == (isEnded ? [] : [.interrupted]), "received \(after) after the interruption", trace: stimuli
                )
                withExtendedLifetime(result) {}
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `S2: closures run once per event, however many observers there are`(_ entry: OperatorEntry) {
        Trial.each(.closures, of: entry) { trial in
            for seed in 0..<3 {
                var counts: [Int] = []
                var stimuli: [Stimulus] = []
                for observers in trial.overload == .signal ? [0, 1, 3] : [1, 3] {
                    let harness = OperatorHarness(entry, trial.overload)
                    stimuli = harness.randomStimuli(seed) + harness.completion
                    let result = harness.run((0..<observers).map { _ in EventLog() })
                    harness.apply(stimuli)
                    counts.append(harness.calls.value)
                    withExtendedLifetime(result) {}
                }
                trial.expect(
                    counts.allSatisfy { $0 == counts[0] }, "calls, with one more observer each time: \(counts)",
                    trace: stimuli
                )
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `S4: an observer of an ended signal receives an interruption`(_ entry: OperatorEntry) {
        Trial.each(.lateObserver, of: entry) { trial in
            let harness = OperatorHarness(entry, trial.overload)
            let log = EventLog()
            let result = harness.run([log])
            harness.apply(harness.completion)
            let late = EventLog()
            result.signal?.observe { late.receive($0) }
            trial.expect(log.isEnded, "the stream hasn't ended: \(log.seen)", trace: harness.completion)
            trial.expect(
                late.events == [.interrupted], "a late observer received \(late.events)", trace: harness.completion)
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `P3: a producer's operator behaves as the signal's operator does`(_ entry: OperatorEntry) {
        guard entry.signal != nil else { return }
        Trial.each(.overloads, of: entry, only: .producer) { trial in
            for seed in 0..<8 {
                let harness = OperatorHarness(entry, .producer)
                let stimuli =
                    harness.randomStimuli(seed) + (seed.isMultiple(of: 2) ? harness.completion : [.advance(50)])
                let own = OperatorHarness.trace(entry, .producer, stimuli, .pipes)
                let lifted = OperatorHarness.trace(entry, .producer, stimuli, .pipes, lifted: true)
                trial.expect(
                    own == lifted, "the producer's operator: \(own), the lifted operator: \(lifted)", trace: stimuli)
            }
        }
    }
}

extension Trial {
    /// Applies some values and then the given end. Returns the received events and the stimuli.
    fileprivate func end(_ end: [Stimulus]) -> (seen: [EventLog.Seen], stimuli: [Stimulus]) {
        let harness = OperatorHarness(entry, overload)
        var stimuli = harness.prelude + [.value(2, source: 0), .value(4, source: 0)] + end
        if facts.contains(.hopsEnd) { stimuli.append(.advance(0)) }
        return (OperatorHarness.trace(entry, overload, stimuli), stimuli)
    }
}
