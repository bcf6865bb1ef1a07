import Corinth
import CorinthTesting
import Dispatch
import Testing

extension LawTests {
    @Test(
        "E7: disposal after each event and each move, inside and outside of callbacks", arguments: OperatorRegistry.all)
    func disposal(_ entry: OperatorEntry) {
        Trial.each(.disposal, of: entry) { trial in
            let rig = Rig(entry, trial.face)
            let traces = [Move.wellBehaved(sources: entry.others + 1), rig.randomMoves(3) + rig.completion]
            for moves in traces.prefix(Trial.scaled(2)) {
                let whole = Rig.trace(entry, trial.face, moves)
                for index in 1..<max(whole.count + 1, 2) { trial.disposeInside(of: index, moves, whole) }
                for index in 0...moves.count { trial.disposeOutside(after: index, moves) }
            }
        }
    }

    @Test("P2: disposal interrupts, and releases what was started, once", arguments: OperatorRegistry.all)
    func interruption(_ entry: OperatorEntry) {
        Trial.each(.interruption, of: entry, only: .producer) { trial in
            let moves = Rig(entry, .producer).randomMoves(5)
            for index in 0...moves.count { trial.release(after: index, moves) }
            trial.release(after: nil, Move.wellBehaved(sources: entry.others + 1))
            trial.release(after: nil, [.value(1, source: 0), .end(.failed, source: 0)])
            trial.release(after: nil, [.value(1, source: 0), .end(.interrupted, source: 0)])
        }
    }

    @Test("S3: nothing is left of what has ended", arguments: OperatorRegistry.all)
    func leaks(_ entry: OperatorEntry) {
        Trial.each(.leaks, of: entry) { trial in
            let rig = Rig(entry, trial.face)
            let values = Array(rig.randomMoves(7).prefix(4)) + rig.prelude + [.value(4, source: 0)]
            trial.leaksNothing("completion", values + rig.completion) { rig, _ in
                // The sources still hold whatever they hold on to.
                rig.releaseResult()
            }
            for ending in [Move.Ending.failed, .interrupted] {
                trial.leaksNothing("\(ending)", values + [.end(ending, source: 0), .advance(50)] + rig.completion) {
                    rig, _ in rig.releaseResult()
                }
            }
            trial.leaksNothing("disposal", values) { rig, disposable in
                rig.releaseResult()
                disposable?.dispose()
                rig.scheduler.advance(by: .seconds(50))
            }
            trial.leaksNothing("letting go of everything", values) { rig, disposable in
                rig.releaseResult()
                rig.releaseInputs()
                // Whoever can end a start holds it.
                if trial.face == .producer { disposable?.dispose() }
                rig.scheduler.advance(by: .seconds(50))
            }
        }
    }
}

extension Trial {
    /// Disposes in the callback of an event, twice.
    fileprivate func disposeInside(of index: Int, _ moves: [Move], _ whole: [EventLog.Seen]) {
        let rig = Rig(entry, face)
        let log = EventLog()
        var disposable: (any Disposable)?
        // What comes before the start has returned can't dispose of it.
        var disposedAt: Int?
        log.onEvent = { count in
            if count >= index, disposedAt == nil, let disposable {
                disposedAt = count
                disposable.dispose()
                disposable.dispose()
            }
        }
        disposable = rig.run(log)
        rig.make(moves, log)
        log.forget()
        guard let disposedAt else { return }
        // An end that belongs to the event in progress comes with it.
        let next = whole.dropFirst(disposedAt).first
        let end = next?.step == log.seen[disposedAt - 1].step && next?.event.isTerminating == true ? next?.event : nil
        check(log, disposedAt, end, "disposed of in the callback of event \(disposedAt)", moves)
    }

    /// Disposes between two moves.
    fileprivate func disposeOutside(after index: Int, _ moves: [Move]) {
        let rig = Rig(entry, face)
        let log = EventLog()
        let disposable = rig.run(log)
        rig.make(Array(moves.prefix(index)), log)
        let count = log.seen.count
        disposable?.dispose()
        disposable?.dispose()
        rig.make(Array(moves.dropFirst(index)) + [.advance(50)], log)
        check(log, count, nil, "disposed of after move \(index)", moves)
    }

    /// A signal's observer sees nothing after its disposal. A producer's sees the interruption, unless it has ended.
    private func check(
        _ log: EventLog, _ count: Int, _ end: Signal<Int, TestError>.Event?, _ message: String, _ moves: [Move]
    ) {
        let isEnded = log.seen.prefix(count).last?.event.isTerminating ?? false
        var after = log.seen.dropFirst(count).map(\.event)
        // Also where the interruption is shown as a value.
        if facts.contains(.showsEnds), after.count == 2, after[0] == .value(-1) { after.removeFirst() }
        let expected: [Signal<Int, TestError>.Event] = face == .signal || isEnded ? [] : [.interrupted]
        let accepted = after == expected || (face == .producer && end != nil && after == [end])
        expect(accepted, "\(message): then came \(after), not \(expected); all: \(log.seen)", trace: moves)
    }

    /// Counts what is released when a start is disposed of after so many moves, or ends by itself.
    fileprivate func release(after index: Int?, _ moves: [Move]) {
        let rig = Rig(entry, face)
        let log = EventLog()
        let disposable = rig.run(log)
        rig.make(Array(moves.prefix(index ?? moves.count)), log)
        if index != nil {
            let wasEnded = log.isEnded
            disposable?.dispose()
            rig.scheduler.advance(by: .seconds(0))
            expect(log.isEnded, "not interrupted after move \(index ?? 0): \(log.seen)", trace: moves)
            expect(wasEnded || log.events.last == .interrupted, "ended otherwise: \(log.seen)", trace: moves)
            disposable?.dispose()
        } else {
            rig.make(rig.completion)
        }
        // What is shared goes on until the last copy of the producer is gone.
        if facts.contains(.shares) {
            rig.releaseResult()
            rig.scheduler.advance(by: .seconds(50))
        }
        expect(
            rig.tap.starts.value == rig.tap.releases.value,
            "\(rig.tap.starts.value) sources were started, but \(rig.tap.releases.value) released", trace: moves)
    }

    /// Counts what is alive after some moves.
    fileprivate func leaksNothing(_ message: String, _ moves: [Move], _ end: (Rig, (any Disposable)?) -> Void) {
        let rig = Rig(entry, face)
        let disposable = rig.run(EventLog())
        rig.make(moves)
        end(rig, disposable)
        expect(rig.live.count == 0, "\(rig.live.count) alive after \(message)", trace: moves)
        withExtendedLifetime((rig, disposable)) {}
    }
}
