import Corinth
import CorinthTesting
import Dispatch

extension OperatorRegistry {
    mutating func addTimed() {
        let waits: OperatorEntry.Facts = [.mayWait, .holds, .hopsEnd, .timed]
        add(
            "delay(_:on:)", waits.union(.keepsLast),
            signal: { s, b in s.delay(3, on: b.scheduler) },
            producer: { p, b in p.delay(3, on: b.scheduler) })
        add(
            "pace(_:per:burst:on:bufferingPolicy:statistics:)", waits.union(.keepsLast),
            signal: { s, b in s.pace(1, per: 1, on: b.scheduler) },
            producer: { p, b in p.pace(1, per: 1, on: b.scheduler) })
        add(
            "throttle(_:on:)", waits,
            signal: { s, b in s.throttle(3, on: b.scheduler) },
            producer: { p, b in p.throttle(3, on: b.scheduler) })
        add(
            "throttle(_:on:edges:discardWhenCompleted:)", waits.union(.keepsLast),
            signal: { s, b in s.throttle(3, on: b.scheduler, edges: .trailing) },
            producer: { p, b in p.throttle(3, on: b.scheduler, edges: .trailing) })
        add(
            "debounce(_:on:discardWhenCompleted:)", waits.union(.keepsLast),
            signal: { s, b in s.debounce(2, on: b.scheduler, discardWhenCompleted: false) },
            producer: { p, b in p.debounce(2, on: b.scheduler, discardWhenCompleted: false) })
        add(
            "debounce(_:on:discardWhenCompleted:)", "discarding", waits,
            signal: { s, b in s.debounce(2, on: b.scheduler) },
            producer: { p, b in p.debounce(2, on: b.scheduler) })
        add(
            "debounce(_:on:edges:discardWhenCompleted:)", waits,
            signal: { s, b in s.debounce(2, on: b.scheduler, edges: .both, discardWhenCompleted: true) },
            producer: { p, b in p.debounce(2, on: b.scheduler, edges: .both, discardWhenCompleted: true) })
        addGroups(waits)
        addTimeouts()
        addStarts()
    }

    private mutating func addGroups(_ waits: OperatorEntry.Facts) {
        add(
            "sample(every:on:)", waits,
            signal: { s, b in s.sample(every: .seconds(2), on: b.scheduler) },
            producer: { p, b in p.sample(every: .seconds(2), on: b.scheduler) })
        add(
            "collect(every:on:skipEmpty:discardWhenCompleted:)", waits.union(.keepsLast),
            signal: { s, b in
                s.collect(every: .seconds(2), on: b.scheduler, skipEmpty: true, discardWhenCompleted: false)
                    .map { $0.last ?? Item(0) }
            },
            producer: { p, b in
                p.collect(every: .seconds(2), on: b.scheduler, skipEmpty: true, discardWhenCompleted: false)
                    .map { $0.last ?? Item(0) }
            })
        add(
            "collect(every:on:skipEmpty:discardWhenCompleted:)", "bounded", waits.union(.keepsLast),
            signal: { s, b in
                s.collect(
                    every: .seconds(2), on: b.scheduler, skipEmpty: true, discardWhenCompleted: false,
                    bufferingPolicy: .latest
                ).map { $0.last ?? Item(0) }
            },
            producer: { p, b in
                p.collect(
                    every: .seconds(2), on: b.scheduler, skipEmpty: true, discardWhenCompleted: false,
                    bufferingPolicy: .latest
                ).map { $0.last ?? Item(0) }
            })
        add(
            "collect(every:on:skipEmpty:discardWhenCompleted:)", "discarding", waits,
            signal: { s, b in s.collect(every: .seconds(2), on: b.scheduler).map { $0.last ?? Item(0) } },
            producer: { p, b in p.collect(every: .seconds(2), on: b.scheduler).map { $0.last ?? Item(0) } })
        add(
            "collect(count:within:on:)", waits.union(.keepsLast),
            signal: { s, b in s.collect(count: 2, within: 3, on: b.scheduler).map { $0.last ?? Item(0) } },
            producer: { p, b in p.collect(count: 2, within: 3, on: b.scheduler).map { $0.last ?? Item(0) } })
        addInner(
            "group(limit:by:)",
            signal: { s, b, policy, statistics in
                s.group(
                    limit: 3, bufferingPolicy: policy, statistics: statistics,
                    by: b.hook { (item: Item) in item.number % 4 }
                ).map { $0.signal.producer }
            },
            producer: { p, b, policy, statistics in
                p.group(
                    limit: 3, bufferingPolicy: policy, statistics: statistics,
                    by: b.hook { (item: Item) in item.number % 4 }
                ).map { $0.signal.producer }
            })
        addInner(
            "group(limit:idle:on:by:)", .timed,
            signal: { s, b, policy, statistics in
                s.group(
                    limit: 3, idle: 2, on: b.scheduler, bufferingPolicy: policy, statistics: statistics,
                    by: b.hook { (item: Item) in item.number % 4 }
                ).map { $0.signal.producer }
            },
            producer: { p, b, policy, statistics in
                p.group(
                    limit: 3, idle: 2, on: b.scheduler, bufferingPolicy: policy, statistics: statistics,
                    by: b.hook { (item: Item) in item.number % 4 }
                ).map { $0.signal.producer }
            })
        addInner(
            "window(count:)",
            signal: { s, _, policy, statistics in
                s.window(count: 2, bufferingPolicy: policy, statistics: statistics).map { $0.producer }
            },
            producer: { p, _, policy, statistics in
                p.window(count: 2, bufferingPolicy: policy, statistics: statistics)
            })
        addInner(
            "window(every:on:)", waits,
            signal: { s, b, policy, statistics in
                s.window(every: .seconds(2), on: b.scheduler, bufferingPolicy: policy, statistics: statistics)
                    .map { $0.producer }
            },
            producer: { p, b, policy, statistics in
                p.window(every: .seconds(2), on: b.scheduler, bufferingPolicy: policy, statistics: statistics)
            })
        addInner(
            "window(count:within:on:)", waits,
            signal: { s, b, policy, statistics in
                s.window(count: 2, within: 3, on: b.scheduler, bufferingPolicy: policy, statistics: statistics)
                    .map { $0.producer }
            },
            producer: { p, b, policy, statistics in
                p.window(count: 2, within: 3, on: b.scheduler, bufferingPolicy: policy, statistics: statistics)
            })
    }

    private mutating func addTimeouts() {
        add(
            "timeout(after:raising:on:)", [.endsEarly, .timed],
            signal: { s, b in s.timeout(after: 6, raising: .second, on: b.scheduler) },
            producer: { p, b in p.timeout(after: 6, raising: .second, on: b.scheduler) })
        add(
            "timeout(after:raising:on:)", "infallible source", [.endsEarly, .timed, .recovers],
            signal: { s, b in
                s.infallible { $0 }.timeout(after: 6, raising: TestError.second, on: b.scheduler)
            },
            producer: { p, b in
                p.infallible { $0 }.timeout(after: 6, raising: TestError.second, on: b.scheduler)
            })
        add(
            "timeout(perValue:raising:on:)", [.endsEarly, .timed],
            signal: { s, b in s.timeout(perValue: 3, raising: .second, on: b.scheduler) },
            producer: { p, b in p.timeout(perValue: 3, raising: .second, on: b.scheduler) })
        add(
            "timeout(perValue:raising:on:)", "infallible source", [.endsEarly, .timed, .recovers],
            signal: { s, b in
                s.infallible { $0 }.timeout(perValue: 3, raising: TestError.second, on: b.scheduler)
            },
            producer: { p, b in
                p.infallible { $0 }.timeout(perValue: 3, raising: TestError.second, on: b.scheduler)
            })
    }

    private mutating func addStarts() {
        add("start(on:)", [.startsLater, .timed], producer: { p, b in p.start(on: b.scheduler) })
        add(
            "delaySubscription(_:on:)", [.startsLater, .timed],
            producer: { p, b in p.delaySubscription(1, on: b.scheduler) })
        add(
            "throttle(while:on:)", [.mayWait, .holds, .hopsEnd, .timed],
            signal: { s, b in s.throttle(while: Property(value: false), on: b.scheduler) },
            producer: { p, b in p.throttle(while: Property(value: false), on: b.scheduler) })
        add(
            "throttle(while:on:)", "held back", [.mayWait, .holds, .hopsEnd, .timed],
            signal: { s, b in s.throttle(while: Property(value: true), on: b.scheduler) },
            producer: { p, b in p.throttle(while: Property(value: true), on: b.scheduler) })
        add(
            "retry(when:)", [.recovers, .restarts],
            producer: { p, b in p.retry(when: b.hook { (errors: Signal<TestError, Never>) in errors.take(first: 2) }) })
        add(
            "retry(upTo:interval:on:)", [.recovers, .restarts, .timed, .mayWait],
            producer: { p, b in p.retry(upTo: 2, interval: 1, on: b.scheduler) })
        add(
            "retry(upTo:backoff:on:)", [.recovers, .restarts, .timed, .mayWait],
            producer: { p, b in p.retry(upTo: 2, backoff: .constant(1), on: b.scheduler) })
        add(
            "retry(_:on:)", [.recovers, .restarts, .timed, .mayWait],
            producer: { p, b in p.retry(.constant(.seconds(1)).limited(to: 2).when { _ in true }, on: b.scheduler) })
        add(
            "retry(_:on:using:)", [.recovers, .restarts, .timed, .mayWait],
            producer: { p, b in
                let policy = Retry<TestError>.exponential(from: .seconds(1)).limited(to: 2).startingOverAfterValues()
                return p.retry(policy, on: b.scheduler, using: SeededGenerator(seed: 1))
            })
        add(
            "retry(upTo:backoff:on:using:)", [.recovers, .restarts, .timed, .mayWait],
            producer: { p, b in
                p.retry(upTo: 2, backoff: .exponential(from: 1), on: b.scheduler, using: SeededGenerator(seed: 1))
            })
    }
}
