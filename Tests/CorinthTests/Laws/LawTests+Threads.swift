import Corinth
import CorinthTesting
import Dispatch
import Testing

extension LawTests {
    @Test("E2: callbacks never overlap", arguments: OperatorRegistry.all)
    func serial(_ entry: OperatorEntry) {
        Trial.each(.serial, of: entry) { trial in
            let (logs, moves) = trial.race(spin: 20)
            for log in logs {
                trial.expect(log.overlaps == 0, "\(log.overlaps) callbacks overlapped", trace: moves)
                trial.expect(log.isWellFormed, "events after the end: \(log.seen.suffix(20))", trace: moves)
            }
        }
    }

    @Test("E3: observers agree, whatever the threads", arguments: OperatorRegistry.all)
    func agreementOfThreads(_ entry: OperatorEntry) {
        Trial.each(.agreement, of: entry) { trial in
            let (logs, moves) = trial.race()
            trial.expect(
                logs[0].events == logs[1].events, "\(logs[0].events), another one \(logs[1].events)", trace: moves)
        }
    }

    @Test("E4: each sender's values keep their order", arguments: OperatorRegistry.all)
    func senderOrder(_ entry: OperatorEntry) {
        if entry.facts.contains(.changesValues) { return }
        Trial.each(.senderOrder, of: entry) { trial in
            let (logs, moves) = trial.race()
            for log in logs {
                var latest: [Int: Int] = [:]
                for case .value(let number) in log.events where number >= Trial.senderUnit {
                    let (sender, index) = number.quotientAndRemainder(dividingBy: Trial.senderUnit)
                    trial.expect(
                        latest[sender, default: 0] <= index,
                        "sender \(sender)'s value \(index) came after \(latest[sender] ?? 0)", trace: moves)
                    latest[sender] = index
                }
            }
        }
    }

    @Test("P1: starts share nothing", arguments: OperatorRegistry.all)
    func starts(_ entry: OperatorEntry) {
        if entry.facts.contains(.shares) { return }
        Trial.each(.starts, of: entry, only: .producer) { trial in
            trial.interleaveStarts()
            trial.startAtOnce()
        }
    }
}

extension Trial {
    static let senderUnit = 10_000

    /// Sends to every source from threads of their own, two of them to the first source. Returns what two observers saw.
    fileprivate func race(spin: Int = 0) -> (logs: [EventLog], moves: [Move]) {
        let rig = Rig(entry, face)
        let logs = [EventLog(spin: spin), EventLog(spin: spin)]
        let result = rig.run(logs)
        let prelude = rig.prelude
        rig.make(prelude)
        let count = Trial.scaled(40)
        // The first source has two senders; of the others, two have one each.
        let sources = [0, 0] + (1...2).filter { $0 <= entry.others && !facts.contains(.endsWithOther) }
        var bodies: [@Sendable () -> Void] = sources.enumerated().map { sender, source in
            {
                for index in 1...count {
                    rig.take { rig.send(.value((sender + 1) * Trial.senderUnit + index), to: source) }
                }
            }
        }
        if facts.contains(.timed) {
            bodies.append { for _ in 0..<count { rig.take { rig.scheduler.advance(by: .milliseconds(500)) } } }
        }
        Crew.run(bodies)
        rig.make(rig.completion)
        withExtendedLifetime(result) {
            // A thread that had delivered enough may have left the rest to another one. Some results have no end.
            let latest = ContinuousClock.now + .milliseconds(500)
            while !logs.allSatisfy(\.hasEnded), ContinuousClock.now < latest { Work.yield() }
        }
        return (logs, prelude)
    }

    /// Two starts take turns, and each sees what it sees alone.
    fileprivate func interleaveStarts() {
        // When a scheduler starts a source again, the test can't tell for which start.
        if facts.isSuperset(of: [.timed, .restarts]) || facts.contains(.startsLater) { return }
        for seed in 0..<3 {
            let rig = Rig(entry, face)
            let moves = rig.randomMoves(seed) + rig.completion
            let other = moves.map(\.shifted)
            let logs = [EventLog(), EventLog()]
            for (run, log) in logs.enumerated() {
                rig.tap.run = run
                rig.run(log)
            }
            for (step, move) in moves.enumerated() {
                for (run, log) in logs.enumerated() {
                    log.step = step + 1
                    rig.tap.run = run
                    if case .advance = move, run == 1 { continue }
                    logs[1].step = step + 1
                    rig.make(run == 0 ? move : other[step])
                }
            }
            for (log, moves) in zip(logs, [moves, other]) {
                let alone = Rig.trace(entry, face, moves).map(\.event)
                expect(log.events == alone, "\(log.events), but alone \(alone)", trace: moves)
            }
        }
    }

    /// Several threads start at once, and each sees what it sees alone.
    fileprivate func startAtOnce() {
        let alone = EventLog()
        let single = Rig(entry, face, .arrays(5))
        single.run(alone)
        single.scheduler.advance(by: .seconds(50))
        for _ in 0..<Trial.scaled(3) {
            let rig = Rig(entry, face, .arrays(5))
            let logs = (0..<3).map { _ in EventLog() }
            if let producer = rig.producer {
                Crew.run(logs.count) { index in
                    let log = logs[index]
                    producer.start { log.receive($0) }
                }
            }
            rig.scheduler.advance(by: .seconds(50))
            for log in logs {
                expect(log.events == alone.events, "\(log.events), but alone \(alone.events)", trace: "arrays of 5")
            }
        }
    }
}
