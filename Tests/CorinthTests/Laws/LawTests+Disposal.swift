import Corinth
import CorinthTesting
import Dispatch
import Testing

extension LawTests {
    @Test(arguments: OperatorRegistry.all)
    func `E7: disposal works after each event and each stimulus, inside and outside of callbacks`(
        _ entry: OperatorEntry
    ) {
        Trial.each(.disposal, of: entry) { trial in
            let harness = OperatorHarness(entry, trial.overload)
            let traces = [
                Stimulus.wellBehaved(sources: entry.others + 1), harness.randomStimuli(3) + harness.completion,
            ]
            for stimuli in traces.prefix(Trial.scaled(2)) {
                let whole = OperatorHarness.trace(entry, trial.overload, stimuli)
                for index in 1..<max(whole.count + 1, 2) { trial.disposeInside(of: index, stimuli, whole) }
                for index in 0...stimuli.count { trial.disposeOutside(after: index, stimuli) }
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `P2: disposal interrupts the observer, and releases each started source once`(_ entry: OperatorEntry) {
        Trial.each(.interruption, of: entry, only: .producer) { trial in
            let stimuli = OperatorHarness(entry, .producer).randomStimuli(5)
            for index in 0...stimuli.count { trial.release(after: index, stimuli) }
            trial.release(after: nil, Stimulus.wellBehaved(sources: entry.others + 1))
            trial.release(after: nil, [.value(1, source: 0), .end(.failed, source: 0)])
            trial.release(after: nil, [.value(1, source: 0), .end(.interrupted, source: 0)])
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `S3: a stream that has ended is deallocated`(_ entry: OperatorEntry) {
        Trial.each(.leaks, of: entry) { trial in
            let harness = OperatorHarness(entry, trial.overload)
            let values = Array(harness.randomStimuli(7).prefix(4)) + harness.prelude + [.value(4, source: 0)]
            trial.leaksNothing("completion", values + harness.completion) { harness, _ in
                // The sources still hold their own references here.
                harness.releaseResult()
            }
            for ending in [Stimulus.Ending.failed, .interrupted] {
                trial.leaksNothing("\(ending)", values + [.end(ending, source: 0), .advance(50)] + harness.completion) {
                    harness, _ in harness.releaseResult()
                }
            }
            trial.leaksNothing("disposal", values) { harness, disposable in
                harness.releaseResult()
                disposable?.dispose()
                harness.scheduler.advance(by: .seconds(50))
            }
            trial.leaksNothing("releasing everything", values) { harness, disposable in
                harness.releaseResult()
                harness.releaseInputs()
                // An active start is held by whatever can end it, so it must be disposed of.
                if trial.overload == .producer { disposable?.dispose() }
                harness.scheduler.advance(by: .seconds(50))
            }
        }
    }
}

extension Trial {
    /// Disposes twice in the callback of an event.
    fileprivate func disposeInside(of index: Int, _ stimuli: [Stimulus], _ whole: [EventLog.Seen]) {
        let harness = OperatorHarness(entry, overload)
        let log = EventLog()
        var disposable: (any Disposable)?
        // The disposable doesn't exist yet for events that arrive before the start returns.
        var disposedAt: Int?
        log.onEvent = { count in
            if count >= index, disposedAt == nil, let disposable {
                disposedAt = count
                disposable.dispose()
                disposable.dispose()
            }
        }
        disposable = harness.run(log)
        harness.apply(stimuli, log)
        log.forget()
        guard let disposedAt else { return }
        // A terminating event that belongs to the current event still arrives with it.
        let next = whole.dropFirst(disposedAt).first
        let end = next?.step == log.seen[disposedAt - 1].step && next?.event.isTerminating == true ? next?.event : nil
        check(log, disposedAt, end, "disposed of in the callback of event \(disposedAt)", stimuli)
    }

    /// Disposes between two stimuli.
    fileprivate func disposeOutside(after index: Int, _ stimuli: [Stimulus]) {
        let harness = OperatorHarness(entry, overload)
        let log = EventLog()
        let disposable = harness.run(log)
        harness.apply(Array(stimuli.prefix(index)), log)
        let count = log.seen.count
        disposable?.dispose()
        disposable?.dispose()
        harness.apply(Array(stimuli.dropFirst(index)) + [.advance(50)], log)
        check(log, count, nil, "disposed of after stimulus \(index)", stimuli)
    }

    /// A signal's observer receives nothing after its disposal. A producer's observer receives the interruption, unless it has
    /// ended.
    private func check(
        _ log: EventLog, _ count: Int, _ end: Signal<Int, TestError>.Event?, _ message: String, _ stimuli: [Stimulus]
    ) {
        let isEnded = log.seen.prefix(count).last?.event.isTerminating ?? false
        var after = log.seen.dropFirst(count).map(\.event)
        // Some operators also show the interruption as a value.
        if facts.contains(.showsEnds), after.count == 2, after[0] == .value(-1) { after.removeFirst() }
        let expected: [Signal<Int, TestError>.Event] = overload == .signal || isEnded ? [] : [.interrupted]
        let accepted = after == expected || (overload == .producer && end != nil && after == [end])
        expect(
            accepted, "\(message): received \(after) afterwards, expected \(expected); all: \(log.seen)", trace: stimuli
        )
    }

    /// Counts the releases when a start is disposed of after `index` stimuli, or ends by itself.
    fileprivate func release(after index: Int?, _ stimuli: [Stimulus]) {
        let harness = OperatorHarness(entry, overload)
        let log = EventLog()
        let disposable = harness.run(log)
        harness.apply(Array(stimuli.prefix(index ?? stimuli.count)), log)
        if index != nil {
            let wasEnded = log.isEnded
            disposable?.dispose()
            harness.scheduler.advance(by: .seconds(0))
            expect(log.isEnded, "not interrupted after stimulus \(index ?? 0): \(log.seen)", trace: stimuli)
            expect(wasEnded || log.events.last == .interrupted, "ended with another event: \(log.seen)", trace: stimuli)
            disposable?.dispose()
        } else {
            harness.apply(harness.completion)
        }
        // The shared source stays alive until the last copy of the producer is released.
        if facts.contains(.shares) {
            harness.releaseResult()
            harness.scheduler.advance(by: .seconds(50))
        }
        expect(
            harness.coldInputs.starts.value == harness.coldInputs.releases.value,
            "\(harness.coldInputs.starts.value)  sources were started, but \(harness.coldInputs.releases.value) were released",
            trace: stimuli)
    }

    /// Counts the live tokens after the stimuli.
    fileprivate func leaksNothing(
        _ message: String, _ stimuli: [Stimulus], _ end: (OperatorHarness, (any Disposable)?) -> Void
    ) {
        let harness = OperatorHarness(entry, overload)
        let disposable = harness.run(EventLog())
        harness.apply(stimuli)
        end(harness, disposable)
        expect(harness.leaks.count == 0, "\(harness.leaks.count) alive after \(message)", trace: stimuli)
        withExtendedLifetime((harness, disposable)) {}
    }
}
