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
            for moves in [Move.wellBehaved(sources: entry.others + 1), rig.randomMoves(3) + rig.completion] {
                let count = Rig.trace(entry, trial.face, moves).count
                for index in 1..<max(count + 1, 2) { trial.disposeInside(of: index, moves) }
                for index in 0...moves.count { trial.disposeOutside(after: index, moves) }
            }
        }
    }

    @Test("P2: disposal interrupts, and releases what was started, once", arguments: OperatorRegistry.all)
    func interruption(_ entry: OperatorEntry) {
        guard entry.producer != nil else { return }
        Trial.each(.interruption, of: entry) { trial in
            guard trial.face == .producer else { return }
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
            trial.leaksNothing("letting go of everything", values) { rig, _ in
                rig.releaseResult()
                rig.releaseInputs()
                rig.scheduler.advance(by: .seconds(50))
            }
        }
    }
}

extension Trial {
    /// Disposes in the callback of an event, twice.
    fileprivate func disposeInside(of index: Int, _ moves: [Move]) {
        let rig = Rig(entry, face)
        let log = EventLog()
        var disposable: (any Disposable)?
        // Only what comes after the start can dispose of it.
        var isDisposed = false
        log.onEvent = { count in
            if count >= index, !isDisposed, let disposable {
                isDisposed = true
                disposable.dispose()
                disposable.dispose()
            }
        }
        disposable = rig.run(log)
        rig.make(moves, log)
        log.forget()
        if isDisposed { check(log, index, "disposed of in the callback of event \(index)", moves) }
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
        check(log, count, "disposed of after move \(index)", moves)
    }

    /// A signal's observer sees nothing after its disposal. A producer's sees the interruption, unless it has ended.
    private func check(_ log: EventLog, _ count: Int, _ message: String, _ moves: [Move]) {
        let before = log.seen.prefix(count)
        let after = log.seen.dropFirst(count).map(\.event)
        let isEnded = before.last?.event.isTerminating ?? false
        let expected: [Signal<Int, TestError>.Event] = face == .signal || isEnded ? [] : [.interrupted]
        // In the callback of one event, others may have been seen before the disposable was known.
        expect(after == expected, "\(message): then came \(after), not \(expected); all: \(log.seen)", trace: moves)
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
        if facts.contains(.shares) { rig.releaseResult() }
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
