import Corinth
import CorinthTesting

extension OperatorRegistry {
    mutating func addEffects() {
        add(
            "on(event:failed:completed:interrupted:terminated:disposed:value:)",
            signal: { s, b in
                s.on(
                    event: b.hook { (_: Stream.Event) in }, failed: b.hook { (_: TestError) in }, completed: b.hook(),
                    interrupted: b.hook(), terminated: b.hook(), disposed: b.hook(), value: b.hook { (_: Item) in })
            })
        add(
            "on(starting:started:event:failed:completed:interrupted:terminated:disposed:value:)",
            producer: { p, b in
                p.on(
                    starting: b.hook(), started: b.hook(), event: b.hook { (_: Stream.Event) in },
                    failed: b.hook { (_: TestError) in }, completed: b.hook(), interrupted: b.hook(),
                    terminated: b.hook(), disposed: b.hook(), value: b.hook { (_: Item) in })
            })
        add(
            "logEvents(identifier:events:fileName:functionName:lineNumber:logger:)",
            signal: { s, b in
                let log = b.hook { (_: String) in }
                return s.logEvents(identifier: "law", logger: { _, event, _, _, _ in log(event) })
            },
            producer: { p, b in
                let log = b.hook { (_: String) in }
                return p.logEvents(identifier: "law", logger: { _, event, _, _, _ in log(event) })
            })
        add(
            "logIntervals(to:name:values:)",
            signal: { s, b in s.logIntervals(to: LineEventLog(b.hook { (_: String) in }), name: "law") },
            producer: { p, b in p.logIntervals(to: LineEventLog(b.hook { (_: String) in }), name: "law") })
        add(
            "logIntervals(to:name:values:)", "deliveries",
            signal: { s, b in
                s.logIntervals(to: LineEventLog(b.hook { (_: String) in }), name: "law", values: .deliveries)
            },
            producer: { p, b in
                p.logIntervals(to: LineEventLog(b.hook { (_: String) in }), name: "law", values: .deliveries)
            })
        add(
            "finally(_:)",
            signal: { s, b in s.finally(b.hook()) },
            producer: { p, b in p.finally(b.hook()) })
        add(
            "checkpoint(_:file:line:)",
            signal: { s, _ in
                s.checkpoint("law").mapError { (failure: CheckpointFailure<TestError>) in failure.underlying }
            },
            producer: { p, _ in
                p.checkpoint("law").mapError { (failure: CheckpointFailure<TestError>) in failure.underlying }
            })
        add(
            "lazyMap(on:transform:)", "later", [.holds, .mayWait, .hopsEnd, .timed, .keepsLast],
            signal: { s, b in s.lazyMap(on: b.scheduler, transform: b.hook { (item: Item) in item }) },
            producer: { p, b in p.lazyMap(on: b.scheduler, transform: b.hook { (item: Item) in item }) })
        add(
            "lazyMap(on:transform:)", "at once",
            signal: { s, b in s.lazyMap(on: ImmediateScheduler(), transform: b.hook { (item: Item) in item }) },
            producer: { p, b in p.lazyMap(on: ImmediateScheduler(), transform: b.hook { (item: Item) in item }) })
        add(
            "observe(on:)", "later", [.holds, .mayWait, .hopsEnd, .timed, .keepsLast],
            signal: { s, b in s.observe(on: b.scheduler) },
            producer: { p, b in p.observe(on: b.scheduler) })
        add(
            "observe(on:)", "at once",
            signal: { s, _ in s.observe(on: ImmediateScheduler()) },
            producer: { p, _ in p.observe(on: ImmediateScheduler()) })
        addCarrying()
        addConflation()
    }

    private mutating func addConflation() {
        add(
            "observe(on:latestBy:statistics:)", "later", [.holds, .mayWait, .hopsEnd, .timed, .keepsLast],
            signal: { s, b in s.observe(on: b.scheduler, latestBy: b.hook { (item: Item) in item.number }) },
            producer: { p, b in p.observe(on: b.scheduler, latestBy: b.hook { (item: Item) in item.number }) })
        add(
            "observe(on:latestBy:statistics:)", "at once",
            signal: { s, b in s.observe(on: ImmediateScheduler(), latestBy: b.hook { (_: Item) in 0 }) },
            producer: { p, b in p.observe(on: ImmediateScheduler(), latestBy: b.hook { (_: Item) in 0 }) })
    }

    private enum Carried {
        @TaskLocal static var number = 0
    }

    private mutating func addCarrying() {
        let carrier = TaskLocalCarrier(Carried.$number)
        add(
            "observe(on:carrying:)", "later", [.holds, .mayWait, .hopsEnd, .timed, .keepsLast],
            signal: { s, b in s.observe(on: b.scheduler, carrying: carrier) },
            producer: { p, b in p.observe(on: b.scheduler, carrying: carrier) })
        add(
            "observe(on:carrying:)", "at once",
            signal: { s, _ in s.observe(on: ImmediateScheduler(), carrying: carrier) },
            producer: { p, _ in p.observe(on: ImmediateScheduler(), carrying: carrier) })
        add(
            "observe(on:carrying:bufferingPolicy:statistics:)", [.holds, .mayWait, .hopsEnd, .timed, .keepsLast],
            signal: { s, b in s.observe(on: b.scheduler, carrying: carrier, bufferingPolicy: .unbounded) },
            producer: { p, b in p.observe(on: b.scheduler, carrying: carrier, bufferingPolicy: .unbounded) })
    }

    mutating func addProducing() {
        add(
            "replayLazily(upTo:)", .shares,
            producer: { p, _ in p.replayLazily(upTo: 2) })
        add(
            "replayLazily(upTo:for:on:)", [.shares, .timed],
            producer: { p, b in p.replayLazily(upTo: 2, for: 3, on: b.scheduler) })
        add("share(replay:)", .shares, producer: { p, _ in p.share() })
        add("share(replay:)", "with replay", .shares, producer: { p, _ in p.share(replay: 2) })
        add(
            "share(replay:grace:on:)", [.shares, .timed],
            producer: { p, b in p.share(replay: 1, grace: 1, on: b.scheduler) })
        add("producer", signal: { s, _ in s.producer.kept }, producer: { p, _ in p.producer })
        add("signal", signal: { s, _ in s.signal })
        addFollowing()
    }

    private mutating func addFollowing() {
        add(
            "concat(_:)", "producer", others: 1, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in p.concat(b.producers[0]) })
        add(
            "concat(_:)", "convertible", others: 1, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in p.concat(b.convertible(0)) })
        add(
            "concat(value:)", .treatsInterruptionAsCompletion,
            producer: { p, b in p.concat(value: Item(-1, b.leaks.token())) })
        add(
            "ifEmpty(_:)", "producer", others: 1, [.outlives],
            producer: { p, b in p.ifEmpty(b.producers[0]) })
        add(
            "ifEmpty(_:)", "convertible", others: 1, [.outlives],
            producer: { p, b in p.ifEmpty(b.convertible(0)) })
        add("ifEmpty(value:)", producer: { p, b in p.ifEmpty(value: Item(-1, b.leaks.token())) })
        add(
            "concat(error:)", .treatsInterruptionAsCompletion, producer: { p, _ in p.concat(error: .second) })
        add(
            "prefix(_:)", "producer", others: 1,
            [.waitsForOther, .treatsInterruptionAsCompletion, .endsWithOther, .restarts],
            producer: { p, b in p.prefix(b.producers[0]) })
        add(
            "prefix(_:)", "convertible", others: 1,
            [.waitsForOther, .treatsInterruptionAsCompletion, .endsWithOther, .restarts],
            producer: { p, b in p.prefix(b.convertible(0)) })
        add(
            "prefix(value:)", .treatsInterruptionAsCompletion,
            producer: { p, b in p.prefix(value: Item(-1, b.leaks.token())) })
        add(
            "then(_:)", "producer", others: 1, [.mayWait, .outlives],
            producer: { p, b in p.then(b.producers[0]) })
        add(
            "then(_:)", "convertible", others: 1, [.mayWait, .outlives],
            producer: { p, b in p.then(b.convertible(0)) })
        add(
            "then(_:)", "infallible producer", others: 1, [.mayWait, .outlives],
            producer: { p, b in
                let other: SignalProducer<Item, Never> = b.infallible(0)
                return p.then(other)
            })
        add(
            "then(_:)", "infallible source", others: 1, [.mayWait, .outlives, .recovers],
            producer: { p, b in p.infallible { $0 }.then(b.producers[0]) })
    }
}

extension SignalProducer where Value == Item, Error == TestError {
    /// The signal of a start, which lasts as long as the signal has an observer.
    fileprivate var kept: Stream {
        Stream { observer, lifetime in lifetime += start { observer.send($0) } }
    }
}
