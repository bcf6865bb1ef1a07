import Corinth
import CorinthTesting
import Testing

extension LawTests {
    @Test(
        "E5: sending delivers before it returns, and from inside a callback waits its turn",
        arguments: OperatorRegistry.all)
    func reentrancy(_ entry: OperatorEntry) {
        Trial.each(.reentrancy, of: entry) { trial in
            trial.deliversAtOnce()
            for seed in 0..<3 {
                let moves = Rig(entry, trial.face).randomMoves(seed)
                trial.sendsInside(moves, [.value(2, source: 0), .value(6, source: 0), .value(4, source: 0)])
                trial.sendsInside(moves, [.value(2, source: 0), .end(.completed, source: 0)])
                trial.sendsInside(moves, [.end(.interrupted, source: 0)])
                trial.sendsInside(moves, [.value(4, source: entry.others), .end(.failed, source: 0)])
            }
        }
    }
}

extension Trial {
    /// Where nothing has to wait, the event is there when the send has returned.
    fileprivate func deliversAtOnce() {
        if !facts.isDisjoint(with: [.mayWait, .holds]) { return }
        let rig = Rig(entry, face)
        let log = EventLog()
        rig.run(log)
        rig.make(rig.prelude)
        for number in [2, 4] {
            let count = log.seen.count
            rig.send(.value(number), to: 0)
            expect(log.seen.count > count, "\(number) was not delivered when its send returned: \(log.seen)")
        }
    }

    /// What is sent from inside a callback comes out as if it were sent when the callback has returned.
    fileprivate func sendsInside(_ moves: [Move], _ inside: [Move]) {
        let rig = Rig(entry, face)
        let log = EventLog()
        var sent: [Move] = []
        var left = inside[...]
        rig.run(log)
        // What is sent while it starts may find its source not started.
        log.onEvent = { _ in
            guard let move = left.popFirst() else { return }
            sent.append(move)
            rig.make(move)
        }
        for move in moves + rig.completion {
            sent.append(move)
            rig.make(move)
        }
        log.forget()
        expect(log.overlaps == 0, "nested callbacks: \(log.seen)", trace: sent)
        expect(log.isWellFormed, "events after the end: \(log.seen)", trace: sent)
        // While time goes on, what is sent later is not the same; nor is it while an event is on several ways.
        if !facts.isDisjoint(with: [.timed, .fansOut]) { return }
        let plain = Rig.trace(entry, face, sent).map(\.event)
        expect(log.events == plain, "\(log.events), but \(plain) when sent from outside", trace: sent)
    }
}
