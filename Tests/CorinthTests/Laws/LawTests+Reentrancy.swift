import Corinth
import CorinthTesting
import Testing

extension LawTests {
    @Test(arguments: OperatorRegistry.all)
    func `E5: a send delivers before it returns; a send from inside a callback is queued`(_ entry: OperatorEntry) {
        Trial.each(.reentrancy, of: entry) { trial in
            trial.deliversAtOnce()
            for seed in 0..<3 {
                let stimuli = OperatorHarness(entry, trial.overload).randomStimuli(seed)
                trial.sendsInside(stimuli, [.value(2, source: 0), .value(6, source: 0), .value(4, source: 0)])
                trial.sendsInside(stimuli, [.value(2, source: 0), .end(.completed, source: 0)])
                trial.sendsInside(stimuli, [.end(.interrupted, source: 0)])
                trial.sendsInside(stimuli, [.value(4, source: entry.others), .end(.failed, source: 0)])
            }
        }
    }
}

extension Trial {
    /// If nothing makes the event wait, it has arrived when the send returns.
    fileprivate func deliversAtOnce() {
        if !facts.isDisjoint(with: [.mayWait, .holds]) { return }
        let harness = OperatorHarness(entry, overload)
        let log = EventLog()
        harness.run(log)
        harness.apply(harness.prelude)
        for number in [2, 4] {
            let count = log.seen.count
            harness.send(.value(number), to: 0)
            expect(log.seen.count > count, "\(number) was not delivered when its send returned: \(log.seen)")
        }
    }

    /// An event that is sent from inside a callback is delivered as if it were sent after the callback.
    fileprivate func sendsInside(_ stimuli: [Stimulus], _ inside: [Stimulus]) {
        let harness = OperatorHarness(entry, overload)
        let log = EventLog()
        var sent: [Stimulus] = []
        var left = inside[...]
        harness.run(log)
        // Events that are sent during the start may arrive before the source has started.
        log.onEvent = { _ in
            guard let stimulus = left.popFirst() else { return }
            sent.append(stimulus)
            harness.apply(stimulus)
        }
        for stimulus in stimuli + harness.completion {
            sent.append(stimulus)
            harness.apply(stimulus)
        }
        log.forget()
        expect(log.overlaps == 0, "nested callbacks: \(log.seen)", trace: sent)
        expect(log.isWellFormed, "events after the end: \(log.seen)", trace: sent)
        // The outcome can differ if time passes before the nested send, or if the event reaches the operator on several paths.
        if !facts.isDisjoint(with: [.timed, .fansOut]) { return }
        let plain = OperatorHarness.trace(entry, overload, sent).map(\.event)
        expect(log.events == plain, "\(log.events), but \(plain) when sent from outside of the callback", trace: sent)
    }
}
