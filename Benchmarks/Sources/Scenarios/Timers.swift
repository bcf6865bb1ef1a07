import BenchmarkKit
import Corinth
import Dispatch
import Foundation

/// `timers/1M`: schedules timeouts and cancels them, 10,000 at a time, while a million others are pending.
enum Timers {
    /// A tenth of a million in debug builds.
    static let pending = _isDebugAssertConfiguration() ? 100_000 : 1_000_000
    static let batch = 10_000

    /// The pending timers of the direct side: a million system timers would need most of a gigabyte.
    static let pendingDirect = 10_000

    /// In seconds. No timeout fires during the measurement.
    static let timeout = 3600.0

    static let entry = ScenarioEntry(
        "timers/1M",
        unit: "ns/timeout",
        // The scheduler's timer has its own thread.
        isThreaded: true,
        direct: { _ in TimersDirect() },
        library: { _ in TimersCorinth() })
}

private final class TimersCorinth: Scenario {
    private let scheduler = QueueScheduler(qos: .userInitiated, name: "corinth-bench.timers")
    private let fired = Tally()
    private var standing: [(any Disposable)?] = []
    private var passing: [(any Disposable)?] = []

    /// The costs of a million timeouts.
    private(set) var counts: [String: Int] = [:]

    init() {
        standing.reserveCapacity(Timers.pending)
        passing.reserveCapacity(Timers.batch)
        count(for: QueueSchedulerPool(count: 1, qos: .userInitiated, name: "corinth-bench.timers").next, " of a pool")
        count(for: scheduler, "")
        fill(&standing, Timers.pending, on: scheduler)
    }

    /// Measures the costs of a million timeouts of a scheduler.
    private func count(for scheduler: any DateScheduler, _ addition: String) {
        let before = ProcessCounters.allocatedBytes()
        let scheduling = Clock.measureProcessor { fill(&standing, Timers.pending, on: scheduler) }
        let after = ProcessCounters.allocatedBytes()
        let cancelling = Clock.measureProcessor { empty(&standing) }
        counts["processor ns to schedule, each of a million" + addition] = Int(scheduling) / Timers.pending
        counts["processor ns to cancel, each of a million" + addition] = Int(cancelling) / Timers.pending
        if let before, let after {
            counts["bytes per pending timeout" + addition] = (Int(after) - Int(before)) / Timers.pending
        }
    }

    var granularity: Int { Timers.batch }

    func run(events: Int) {
        for _ in 0..<events / Timers.batch {
            fill(&passing, Timers.batch, on: scheduler)
            empty(&passing)
        }
    }

    private func fill(_ timeouts: inout [(any Disposable)?], _ count: Int, on scheduler: any DateScheduler) {
        for _ in 0..<count {
            let date = scheduler.currentDate.addingTimeInterval(Timers.timeout)
            timeouts.append(scheduler.schedule(after: date) { [fired] in fired.add(1) })
        }
    }

    private func empty(_ timeouts: inout [(any Disposable)?]) {
        for timeout in timeouts { timeout?.dispose() }
        timeouts.removeAll(keepingCapacity: true)
    }

    func verify() throws {
        // A timeout that isn't cancelled fires. The cancelled ones don't.
        let semaphore = DispatchSemaphore(value: 0)
        scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(0.000_1)) { semaphore.signal() }
        let inTime = semaphore.wait(timeout: .now() + .seconds(20)) == .success
        try CheckFailure.unless("whether a timeout that wasn't cancelled fired", is: true, got: inTime)
        try CheckFailure.unless("cancelled timeouts that fired", is: 0, got: fired.count)
    }

    func tearDown() {
        empty(&standing)
    }
}

/// A system timer for each timeout.
private final class TimersDirect: Scenario {
    private let queue = DispatchQueue(label: "corinth-bench.timers", qos: .userInitiated)
    private let fired = Tally()
    private var standing: [any DispatchSourceTimer] = []
    private var passing: [any DispatchSourceTimer] = []

    init() {
        passing.reserveCapacity(Timers.batch)
        fill(&standing, Timers.pendingDirect)
    }

    var granularity: Int { Timers.batch }

    func run(events: Int) {
        for _ in 0..<events / Timers.batch {
            fill(&passing, Timers.batch)
            empty(&passing)
        }
    }

    private func fill(_ timeouts: inout [any DispatchSourceTimer], _ count: Int) {
        for _ in 0..<count {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(wallDeadline: .now() + Timers.timeout)
            timer.setEventHandler { [fired] in fired.add(1) }
            timer.activate()
            timeouts.append(timer)
        }
    }

    private func empty(_ timeouts: inout [any DispatchSourceTimer]) {
        for timeout in timeouts { timeout.cancel() }
        timeouts.removeAll(keepingCapacity: true)
    }

    func verify() throws {
        // The system releases the timers on the queue. That is part of the cost, so the run waits for it.
        queue.sync {}
        try CheckFailure.unless("cancelled timeouts that fired", is: 0, got: fired.count)
    }

    func tearDown() {
        empty(&standing)
    }
}
