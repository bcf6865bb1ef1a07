import BenchmarkKit
import Corinth
import Dispatch
import Foundation
import Synchronization

/// `overload/stall`: the observer behind a plain hop stalls for 250 ms while a thread sends as fast as it can. The figure is
/// the largest number of queued values.
enum Stall {
    static let milliseconds = 250
    static let waiting = "most queued values"

    /// The default capacity of a hop, and the time without a delivery after which the hop admits as many values again.
    static let capacity = 16_384
    static let timeoutMilliseconds = 100

    static let entry = ScenarioEntry(
        "overload/stall",
        unit: "values",
        measure: .count(waiting),
        sampleMilliseconds: milliseconds,
        isThreaded: true,
        direct: { _ in StallDirect() },
        library: { _ in StallCorinth() })
}

/// The stalling observer and its sender.
///
/// Unchecked: deliveries are serial, and a reader first waits for all of them.
private final class StallingSink: @unchecked Sendable {
    private var arrived = 0
    private var misplaced = 0
    private let delivered = Atomic<Int>(0)
    private let sent = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private var milliseconds = 0
    private(set) var mostWaiting = 0
    private(set) var timed: TimedRun?

    /// Takes a value. The first one of a run stalls.
    func add(_ value: Int) {
        let (isFirst, number) = (value < 0, abs(value) - 1)
        if number != arrived { misplaced += 1 }
        arrived += 1
        if isFirst {
            Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
            mostWaiting = sent.load(ordering: .relaxed) - arrived
            isOver.store(true, ordering: .relaxed)
        }
        delivered.store(arrived, ordering: .releasing)
    }

    /// Sends until the stall is over, then waits until all values have arrived.
    func play(milliseconds: Int, _ send: (Int) -> Void) {
        self.milliseconds = milliseconds
        isOver.store(false, ordering: .relaxed)
        let start = Clock.now()
        let before = sent.load(ordering: .relaxed)
        var count = before
        send(-count - 1)
        repeat {
            count += 1
            sent.store(count, ordering: .relaxed)
            if isOver.load(ordering: .relaxed) { break }
            send(count + 1)
        } while true
        ProgressWatchdog.sleep(until: count) { delivered.load(ordering: .acquiring) }
        timed = TimedRun(events: count - before, nanoseconds: Clock.now() - start)
    }

    func verify() throws {
        try CheckFailure.unless(
            "values that arrived", is: sent.load(ordering: .relaxed), got: delivered.load(ordering: .acquiring))
        try CheckFailure.unless("values out of order", is: 0, got: misplaced)
        if mostWaiting <= 0 { throw CheckFailure("no value was queued during the stall") }
    }

    var counts: [String: Int] {
        let capacities = 1 + milliseconds / Stall.timeoutMilliseconds
        return [Stall.waiting: mostWaiting, "bound": capacities * Stall.capacity]
    }
}

private final class StallCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let sink = StallingSink()

    init() {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        output.observe(on: QueueScheduler(qos: .userInitiated, name: "corinth-bench.stall"))
            .observeValues { [sink] in sink.add($0) }
    }

    var granularity: Int { Stall.milliseconds }

    func run(events: Int) { sink.play(milliseconds: events) { input.send(value: $0) } }

    func takeTimedRun() -> TimedRun? { sink.timed }

    func verify() throws { try sink.verify() }

    var counts: [String: Int] { sink.counts }

    func tearDown() { input.sendCompleted() }
}

/// One `async` for each value, bounded by a semaphore.
private final class StallDirect: Scenario {
    private let queue = DispatchQueue(label: "corinth-bench.stall", qos: .userInitiated)
    private let permits = DispatchSemaphore(value: Stall.capacity)
    private let sink = StallingSink()

    var granularity: Int { Stall.milliseconds }

    func run(events: Int) {
        let observe = opaqueObserver { [sink] in sink.add($0) }
        sink.play(milliseconds: events) { [queue, permits] value in
            permits.wait()
            queue.async {
                // A value that is being delivered no longer needs a permit.
                permits.signal()
                observe(value)
            }
        }
    }

    func takeTimedRun() -> TimedRun? { sink.timed }

    func verify() throws { try sink.verify() }

    var counts: [String: Int] { sink.counts }
}
