import BenchmarkKit
import Corinth
import CorinthServices
import Dispatch
import Synchronization

/// `services/jobs…`: jobs with a time at which they are due, a priority, and 20 µs of work; at most two run at once, the most urgent
/// first.
///
/// The loop is open: 10,000 jobs a second come, each due 5 to 20 ms later, so that about 125 timers are pending. The latency is from when a
/// job was due until its work begins. Each job must be done once, and never three at once.
enum Jobs {
    static let perSecond = 10_000
    static let atOnce = 2
    static let workMicroseconds = 20

    static let entries = [
        entry("services/jobs") { JobsScenario(DispatchJobs.init, $0.spin) },
        entry("services/jobs/tasks") { JobsScenario(TaskJobs.init, $0.spin) },
    ]

    private static func entry(_ name: String, direct: @escaping ScenarioEntry.Making) -> ScenarioEntry {
        .service(name, direct: direct) { JobsScenario(CorinthJobs.init, $0.spin) }
    }
}

private struct Job: Sendable {
    let priority: Int
    let delay: Int  // µs
    let due: UInt64

    init(number: Int, due: UInt64) {
        priority = number % 4
        delay = 5_000 + number * 7_919 % 15_000
        self.due = due + UInt64(delay * 1000)
    }
}

/// The work of the jobs, and what is counted of it.
private final class JobSink: Sendable {
    private let spin: Spin
    private let latencies = Mutex(Histogram())
    private let running = Atomic<Int>(0)
    let most = Atomic<Int>(0)
    let done = Atomic<Int>(0)

    init(_ spin: Spin) { self.spin = spin }

    func work(_ job: Job) {
        let now = Clock.now()
        let running = running.add(1, ordering: .relaxed).newValue
        most.max(running, ordering: .relaxed)
        latencies.withLock { $0.record(now > job.due ? now - job.due : 0) }
        spin.burn(microseconds: Jobs.workMicroseconds)
        self.running.subtract(1, ordering: .relaxed)
        done.add(1, ordering: .relaxed)
    }

    func takeLatencies() -> Histogram {
        latencies.withLock { latencies in
            defer { latencies.reset() }
            return latencies
        }
    }
}

private protocol JobQueue: AnyObject {
    func submit(_ job: Job)
    func stop()
}

private final class JobsScenario: Scenario {
    private let sink: JobSink
    private let queue: any JobQueue
    private var sent = 0

    init(_ make: (JobSink) -> any JobQueue, _ spin: Spin) {
        sink = JobSink(spin)
        queue = make(sink)
    }

    func run(events: Int) {
        OpenLoop(eventsPerSecond: Double(Jobs.perSecond)).run(events: events) { number, due, _ in
            queue.submit(Job(number: sent + number, due: due))
        }
        sent += events
        ProgressWatchdog.sleep(until: sent) { sink.done.load(ordering: .relaxed) }
    }

    func verify() throws {
        try CheckFailure.unless("jobs done", is: sent, got: sink.done.load(ordering: .relaxed))
        try CheckFailure.unless(
            "more jobs at once than may run", is: 0, got: max(0, sink.most.load(ordering: .relaxed) - Jobs.atOnce))
    }

    func takeLatencies() -> Histogram? { sink.takeLatencies() }

    func tearDown() { queue.stop() }
}

private final class CorinthJobs: JobQueue {
    private let input: Signal<Job, Never>.Observer

    init(_ sink: JobSink) {
        let (output, input) = Signal<Job, Never>.pipe()
        self.input = input
        let timers = QueueScheduler(qos: .userInitiated, name: "corinth-bench.timers")
        let workers = DispatchQueue(label: "corinth-bench.workers", qos: .userInitiated, attributes: .concurrent)
        let limit = Bulkhead(limit: Jobs.atOnce)
        output.promoteError(Bulkhead.Full.self).flatMap(.merge) { job in
            SignalProducer<Void, Bulkhead.Full> { observer, _ in
                workers.async {
                    sink.work(job)
                    observer.sendCompleted()
                }
            }
            .limited(by: limit, priority: job.priority, raising: .init())
            .delaySubscription(.microseconds(job.delay), on: timers)
        }
        .observe { _ in }
    }

    func submit(_ job: Job) { input.send(value: job) }

    func stop() { input.sendInterrupted() }
}

/// The jobs that wait for one of the places.
private struct WaitingJobs<Waiting> {
    private var waiting: [[Waiting]] = Array(repeating: [], count: 4)
    private var heads = [0, 0, 0, 0]
    private var running = 0

    /// - Returns: Whether it may run.
    mutating func enter(_ job: Waiting, _ priority: Int) -> Bool {
        if running < Jobs.atOnce {
            running += 1
            return true
        }
        waiting[priority].append(job)
        return false
    }

    /// - Returns: The one that has the place now.
    mutating func leave() -> Waiting? {
        for priority in (0..<4).reversed() where heads[priority] < waiting[priority].count {
            let next = waiting[priority][heads[priority]]
            heads[priority] += 1
            if heads[priority] == waiting[priority].count {
                waiting[priority].removeAll(keepingCapacity: true)
                heads[priority] = 0
            }
            return next
        }
        running -= 1
        return nil
    }
}

private final class DispatchJobs: JobQueue, Sendable {
    private let sink: JobSink
    private let waiting = Mutex(WaitingJobs<Job>())
    private let timers = DispatchQueue(label: "corinth-bench.timers", qos: .userInitiated)
    private let workers = DispatchQueue(label: "corinth-bench.workers", qos: .userInitiated, attributes: .concurrent)

    init(_ sink: JobSink) { self.sink = sink }

    func submit(_ job: Job) {
        timers.asyncAfter(deadline: .now() + .microseconds(job.delay)) { [self] in
            if waiting.withLock({ $0.enter(job, job.priority) }) { run(job) }
        }
    }

    private func run(_ job: Job) {
        workers.async { [self] in
            sink.work(job)
            if let next = waiting.withLock({ $0.leave() }) { run(next) }
        }
    }

    func stop() {}
}

private final class TaskJobs: JobQueue, Sendable {
    private let sink: JobSink
    private let waiting = Mutex(WaitingJobs<CheckedContinuation<Void, Never>>())

    init(_ sink: JobSink) { self.sink = sink }

    func submit(_ job: Job) {
        Task.detached(priority: .userInitiated) { [self] in
            try? await Task.sleep(for: .microseconds(job.delay))
            await withCheckedContinuation { continuation in
                if waiting.withLock({ $0.enter(continuation, job.priority) }) { continuation.resume() }
            }
            sink.work(job)
            waiting.withLock { $0.leave() }?.resume()
        }
    }

    func stop() {}
}
