import Corinth
import CorinthServices

extension OperatorRegistry {
    /// The operators of the product CorinthServices.
    mutating func addServices() {
        add(
            "limited(by:priority:raising:)",
            producer: { p, _ in p.limited(by: Bulkhead(limit: 1_000), raising: .first) })
        add(
            "guarded(by:raising:isFailure:)",
            producer: { p, b in
                let breaker = CircuitBreaker(opensAfter: .inARow(1_000), for: .constant(1), on: b.scheduler)
                return p.guarded(by: breaker, raising: .first, isFailure: b.hook { (_: TestError) in true })
            })
        add(
            "using(_:body:release:)",
            producer: { p, b in
                .using(SignalProducer(value: 0), body: b.hook { (_: Int) in p }) { _ in
                    SignalProducer<Void, Never>.empty
                }
            })
        let waits: OperatorEntry.Facts = [.holds, .mayWait, .hopsEnd, .timed, .keepsLast]
        add(
            "observe(on:mostUrgentFirst:bufferingPolicy:statistics:onDrop:)", waits,
            signal: { s, b in s.observe(on: b.scheduler, mostUrgentFirst: b.hook { (_: Item) in 0 }) },
            producer: { p, b in p.observe(on: b.scheduler, mostUrgentFirst: b.hook { (_: Item) in 0 }) })
        add(
            "observe(on:bufferingPolicy:statistics:onDrop:)", waits,
            signal: { s, b in s.observe(on: b.scheduler, bufferingPolicy: .unbounded) { _ in } },
            producer: { p, b in p.observe(on: b.scheduler, bufferingPolicy: .unbounded) { _ in } })
    }
}
