import BenchmarkKit
import Corinth
import Dispatch
import Foundation
import Synchronization

/// `fairness`: two streams on one scheduler. One sends 10,000 values per second, whose latency is recorded. The other sends
/// as fast as it can, with at most 16,384 queued values.
enum Fairness {
    static let perSecond = 10_000
    static let capacity = 16_384

    static let entry = ScenarioEntry(
        "fairness",
        unit: "ns, p99.9",
        measure: .latency(percentile: 99.9),
        sampleMilliseconds: 80,
        isThreaded: true,
        direct: { _ in FairnessDirect() },
        library: { _ in FairnessCorinth() })
}

/// The two senders, and the values of the flood.
///
/// Unchecked: one thread sends the flood, one queue receives it, and a reader first waits for both.
private final class Rivals: @unchecked Sendable {
    let slow = PacedSink()
    private let team = ThreadTeam(count: 2)
    private let isOver = Atomic<Bool>(false)
    private let arrived = Atomic<Int>(0)
    private var sent = 0
    private var misplaced = 0

    /// Receives a value of the flood.
    @inline(__always)
    func addFlood(_ number: Int) {
        let count = arrived.load(ordering: .relaxed)
        if number != count { misplaced += 1 }
        arrived.store(count + 1, ordering: .releasing)
    }

    func play(events: Int, slowly send: @escaping @Sendable (Int) -> Void, flood: @escaping @Sendable (Int) -> Void) {
        isOver.store(false, ordering: .relaxed)
        team.run { [self] member in
            if member == 0 {
                while !isOver.load(ordering: .relaxed) {
                    flood(sent)
                    sent += 1
                }
            } else {
                slow.play(events: events, every: 1_000_000_000 / Fairness.perSecond, send)
                isOver.store(true, ordering: .relaxed)
            }
        }
        ProgressWatchdog.yield(until: sent) { arrived.load(ordering: .acquiring) }
    }

    func verify() throws {
        try slow.verify()
        try CheckFailure.unless("values of the flood", is: sent, got: arrived.load(ordering: .acquiring))
        try CheckFailure.unless("values of the flood out of order", is: 0, got: misplaced)
    }

    func end() { team.end() }
}

private final class FairnessCorinth: Scenario {
    private let slow: Signal<Int, Never>.Observer
    private let flood: Signal<Int, Never>.Observer
    private let rivals = Rivals()

    init() {
        let scheduler = QueueScheduler(qos: .userInitiated, name: "corinth-bench.fairness")
        let (slowOutput, slow) = Signal<Int, Never>.pipe()
        let (floodOutput, flood) = Signal<Int, Never>.pipe()
        self.slow = slow
        self.flood = flood
        slowOutput.observe(on: scheduler).observeValues { [rivals] in rivals.slow.add($0) }
        floodOutput.observe(on: scheduler, bufferingPolicy: .blocking(capacity: Fairness.capacity))
            .observeValues { [rivals] in rivals.addFlood($0) }
    }

    func run(events: Int) {
        rivals.play(
            events: events, slowly: { [slow] in slow.send(value: $0) }, flood: { [flood] in flood.send(value: $0) })
    }

    func verify() throws { try rivals.verify() }

    func takeLatencies() -> Histogram? { rivals.slow.takeLatencies() }

    func tearDown() {
        rivals.end()
        slow.sendCompleted()
        flood.sendCompleted()
    }
}

/// One `async` for each value. A semaphore bounds the flood.
private final class FairnessDirect: Scenario {
    private let rivals = Rivals()
    private let queue = DispatchQueue(label: "corinth-bench.fairness", qos: .userInitiated)
    private let permits = DispatchSemaphore(value: Fairness.capacity)

    func run(events: Int) {
        let observeSlow = opaqueObserver { [rivals] in rivals.slow.add($0) }
        let observeFlood = opaqueObserver { [rivals] in rivals.addFlood($0) }
        rivals.play(
            events: events,
            slowly: { [queue] value in queue.async { observeSlow(value) } },
            flood: { [queue, permits] value in
                permits.wait()
                queue.async {
                    observeFlood(value)
                    permits.signal()
                }
            })
    }

    func verify() throws { try rivals.verify() }

    func takeLatencies() -> Histogram? { rivals.slow.takeLatencies() }

    func tearDown() { rivals.end() }
}
