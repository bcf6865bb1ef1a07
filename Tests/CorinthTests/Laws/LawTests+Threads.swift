import Corinth
import CorinthTesting
import Dispatch
import Testing

extension LawTests {
    @Test(arguments: OperatorRegistry.all)
    func `E2: callbacks never overlap`(_ entry: OperatorEntry) {
        Trial.each(.serial, of: entry) { trial in
            let (logs, stimuli) = trial.race(spin: 20)
            for log in logs {
                trial.expect(log.overlaps == 0, "\(log.overlaps) callbacks overlapped", trace: stimuli)
                trial.expect(log.isWellFormed, "events after the end: \(log.seen.suffix(20))", trace: stimuli)
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `E3: all observers receive the same events, whatever the threads`(_ entry: OperatorEntry) {
        Trial.each(.agreement, of: entry) { trial in
            let (logs, stimuli) = trial.race()
            trial.expect(
                logs[0].events == logs[1].events, "one observer: \(logs[0].events), another: \(logs[1].events)",
                trace: stimuli)
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `E4: each sender's values stay in FIFO order`(_ entry: OperatorEntry) {
        if entry.facts.contains(.changesValues) { return }
        Trial.each(.senderOrder, of: entry) { trial in
            let (logs, stimuli) = trial.race()
            for log in logs {
                var latest: [Int: Int] = [:]
                for case .value(let number) in log.events where number >= Trial.senderUnit {
                    let (sender, index) = number.quotientAndRemainder(dividingBy: Trial.senderUnit)
                    trial.expect(
                        latest[sender, default: 0] <= index,
                        "sender \(sender)'s value \(index) came after \(latest[sender] ?? 0)", trace: stimuli)
                    latest[sender] = index
                }
            }
        }
    }

    @Test(arguments: OperatorRegistry.all)
    func `P1: starts share no state`(_ entry: OperatorEntry) {
        if entry.facts.contains(.shares) { return }
        Trial.each(.starts, of: entry, only: .producer) { trial in
            trial.interleaveStarts()
            trial.startAtOnce()
        }
    }
}

extension Trial {
    static let senderUnit = 10_000

    /// Sends to every source from its own thread, and to the first source from two threads. Returns what two observers
    /// received.
    fileprivate func race(spin: Int = 0) -> (logs: [EventLog], stimuli: [Stimulus]) {
        // What a tick of an operator that is being delivered leaves, another thread schedules, perhaps when the trial is over.
        OperatorHarness.ended.advance()
        let harness = OperatorHarness(entry, overload)
        let logs = [EventLog(spin: spin), EventLog(spin: spin)]
        let result = harness.run(logs)
        let prelude = harness.prelude
        harness.apply(prelude)
        let count = Trial.scaled(40)
        // The first source has two senders. Up to two other sources have one each.
        let sources = [0, 0] + (1...2).filter { $0 <= entry.others && !facts.contains(.endsWithOther) }
        var bodies: [@Sendable () -> Void] = sources.enumerated().map { sender, source in
            {
                for index in 1...count {
                    harness.serialised { harness.send(.value((sender + 1) * Trial.senderUnit + index), to: source) }
                }
            }
        }
        if facts.contains(.timed) {
            bodies.append {
                for _ in 0..<count { harness.serialised { harness.scheduler.advance(by: .milliseconds(500)) } }
            }
        }
        ThreadGroup.run(bodies)
        harness.apply(harness.completion)
        withExtendedLifetime(result) {
            // A drain may pass the remaining work to another thread, and that may schedule more, so wait for the end. Some results
            // never end.
            let latest = ContinuousClock.now + .milliseconds(500)
            while !logs.allSatisfy(\.hasEnded), ContinuousClock.now < latest {
                harness.serialised { harness.scheduler.advance(by: .milliseconds(500)) }
                Work.yield()
            }
        }
        return (logs, prelude)
    }

    /// Interleaves two starts. Each start behaves as it does alone.
    fileprivate func interleaveStarts() {
        // If a scheduler starts a source again, the test can't tell to which start it belongs.
        if facts.isSuperset(of: [.timed, .restarts]) || facts.contains(.startsLater) { return }
        for seed in 0..<3 {
            let harness = OperatorHarness(entry, overload)
            let stimuli = harness.randomStimuli(seed) + harness.completion
            let other = stimuli.map(\.shifted)
            let logs = [EventLog(), EventLog()]
            for (run, log) in logs.enumerated() {
                harness.coldInputs.run = run
                harness.run(log)
            }
            for (step, stimulus) in stimuli.enumerated() {
                for (run, log) in logs.enumerated() {
                    log.step = step + 1
                    harness.coldInputs.run = run
                    if case .advance = stimulus, run == 1 { continue }
                    logs[1].step = step + 1
                    harness.apply(run == 0 ? stimulus : other[step])
                }
            }
            for (log, stimuli) in zip(logs, [stimuli, other]) {
                let alone = OperatorHarness.trace(entry, overload, stimuli).map(\.event)
                expect(log.events == alone, "\(log.events), but alone \(alone)", trace: stimuli)
            }
        }
    }

    /// Several threads start at once. Each start behaves as it does alone.
    fileprivate func startAtOnce() {
        let alone = EventLog()
        let single = OperatorHarness(entry, overload, .arrays(5))
        single.run(alone)
        single.scheduler.advance(by: .seconds(50))
        for _ in 0..<Trial.scaled(3) {
            let harness = OperatorHarness(entry, overload, .arrays(5))
            let logs = (0..<3).map { _ in EventLog() }
            if let producer = harness.producer {
                ThreadGroup.run(logs.count) { index in
                    let log = logs[index]
                    producer.start { log.receive($0) }
                }
            }
            harness.scheduler.advance(by: .seconds(50))
            for log in logs {
                expect(log.events == alone.events, "\(log.events), but alone \(alone.events)", trace: "arrays of 5")
            }
        }
    }
}
