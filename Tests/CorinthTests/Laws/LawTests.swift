import Corinth
import CorinthTesting
import Testing

/// The laws of `Contracts.md`, tried on every operator.
@Suite("Laws", .serialized, LawSummary())
struct LawTests {
    @Test("E1: values, then at most one end", arguments: OperatorRegistry.all)
    func grammar(_ entry: OperatorEntry) {
        Trial.each(.grammar, of: entry) { trial in
            for seed in 0..<6 {
                let rig = Rig(entry, trial.face)
                let log = EventLog()
                let moves = rig.randomMoves(seed) + rig.completion + rig.randomMoves(seed + 100)
                rig.run(log)
                rig.make(moves, log)
                trial.expect(log.isWellFormed, "events after the end: \(log.seen)", trace: moves)
                trial.expect(log.overlaps == 0, "nested callbacks: \(log.seen)", trace: moves)
            }
        }
    }

    @Test("E3: observers agree", arguments: OperatorRegistry.all)
    func agreement(_ entry: OperatorEntry) {
        Trial.each(.agreement, of: entry) { trial in
            for seed in 0..<4 {
                let rig = Rig(entry, trial.face)
                let logs = (0..<3).map { _ in EventLog() }
                let moves = rig.randomMoves(seed) + rig.completion
                let result = rig.run(logs)
                rig.make(moves)
                for log in logs {
                    trial.expect(
                        log.events == logs[0].events, "\(log.events), another one \(logs[0].events)", trace: moves)
                }
                withExtendedLifetime(result) {}
            }
        }
    }

    @Test("E6: what each kind of end means", arguments: OperatorRegistry.all)
    func ends(_ entry: OperatorEntry) {
        Trial.each(.ends, of: entry) { trial in
            let facts = trial.facts
            if !facts.contains(.recovers) {
                let (seen, moves) = trial.end([.end(.failed, source: 0)])
                trial.expect(
                    seen.last?.event == .failed(.first), "the failure didn't come at once: \(seen)", trace: moves)
            }
            if !facts.contains(.absorbsInterruption) {
                let (seen, moves) = trial.end([.end(.interrupted, source: 0)])
                trial.expect(
                    seen.last?.event == .interrupted, "the interruption didn't come at once: \(seen)", trace: moves)
            }
            let (seen, moves) = trial.end(Rig(entry, trial.face).completion)
            trial.expect(
                seen.last?.event == (entry.name == "concat(error:)" ? .failed(.second) : .completed),
                "the completion didn't come: \(seen)", trace: moves)
            if facts.contains(.keepsLast) {
                trial.expect(
                    seen.contains { $0.event == .value(4) }, "what waited was lost on completion: \(seen)", trace: moves
                )
            }
        }
    }

    @Test("E6: an interruption overtakes what an operator holds", arguments: OperatorRegistry.all)
    func overtaking(_ entry: OperatorEntry) {
        guard !entry.facts.contains(.absorbsInterruption) else { return }
        Trial.each(.ends, of: entry) { trial in
            for seed in 0..<3 {
                let rig = Rig(entry, trial.face)
                let log = EventLog()
                let moves =
                    (seed == 0 || entry.facts.contains(.endsWithOther) ? [] : rig.randomMoves(seed)) + rig.prelude
                    + (1...4).map { .value($0, source: 0) }
                let result = rig.run(log)
                rig.make(moves, log)
                let isEnded = log.isEnded
                let count = log.seen.count
                // Time passes after the interruption alone, and with it whatever waits has its turn.
                rig.make([.end(.interrupted, source: 0), .advance(50)], log)
                var after = log.seen.dropFirst(count).map(\.event)
                // Also where the interruption is shown as a value.
                if trial.facts.contains(.showsEnds), after.first == .value(-1) { after.removeFirst() }
                trial.expect(
                    after == (isEnded ? [] : [.interrupted]), "after the interruption came \(after)", trace: moves)
                withExtendedLifetime(result) {}
            }
        }
    }

    @Test("S2: closures run once per event, however many observe", arguments: OperatorRegistry.all)
    func closures(_ entry: OperatorEntry) {
        Trial.each(.closures, of: entry) { trial in
            for seed in 0..<3 {
                var counts: [Int] = []
                var moves: [Move] = []
                for observers in trial.face == .signal ? [0, 1, 3] : [1, 3] {
                    let rig = Rig(entry, trial.face)
                    moves = rig.randomMoves(seed) + rig.completion
                    let result = rig.run((0..<observers).map { _ in EventLog() })
                    rig.make(moves)
                    counts.append(rig.calls.value)
                    withExtendedLifetime(result) {}
                }
                trial.expect(
                    counts.allSatisfy { $0 == counts[0] }, "calls with more and more observers: \(counts)", trace: moves
                )
            }
        }
    }

    @Test("S4: observing what has ended", arguments: OperatorRegistry.all)
    func lateObserver(_ entry: OperatorEntry) {
        Trial.each(.lateObserver, of: entry) { trial in
            let rig = Rig(entry, trial.face)
            let log = EventLog()
            let result = rig.run([log])
            rig.make(rig.completion)
            let late = EventLog()
            result.signal?.observe { late.receive($0) }
            trial.expect(log.isEnded, "it hasn't ended: \(log.seen)", trace: rig.completion)
            trial.expect(late.events == [.interrupted], "a late observer saw \(late.events)", trace: rig.completion)
        }
    }

    @Test("P3: a producer's operator means the same as the signal's", arguments: OperatorRegistry.all)
    func faces(_ entry: OperatorEntry) {
        guard entry.signal != nil else { return }
        Trial.each(.faces, of: entry, only: .producer) { trial in
            for seed in 0..<8 {
                let rig = Rig(entry, .producer)
                let moves = rig.randomMoves(seed) + (seed.isMultiple(of: 2) ? rig.completion : [.advance(50)])
                let own = Rig.trace(entry, .producer, moves, .pipes)
                let lifted = Rig.trace(entry, .producer, moves, .pipes, lifted: true)
                trial.expect(own == lifted, "\(own), but lifted \(lifted)", trace: moves)
            }
        }
    }
}

extension Trial {
    /// What is seen when such an end comes after some values.
    fileprivate func end(_ end: [Move]) -> (seen: [EventLog.Seen], moves: [Move]) {
        let rig = Rig(entry, face)
        var moves = rig.prelude + [.value(2, source: 0), .value(4, source: 0)] + end
        if facts.contains(.hopsEnd) { moves.append(.advance(0)) }
        return (Rig.trace(entry, face, moves), moves)
    }
}
