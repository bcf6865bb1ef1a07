import BenchmarkKit
import Corinth
import Dispatch

/// `overload/queues-300`: 300 serial queues, more than Dispatch has threads for, send to one signal until all events have
/// arrived. The observer works for 1 µs.
enum ManyQueues {
    static let queues = 300
    static let observerMicroseconds = 1

    static let entry = ScenarioEntry(
        "overload/queues-300",
        sampleMilliseconds: 1000,
        isThreaded: true,
        direct: { ManyQueuesDirect(spin: $0.spin) },
        library: { ManyQueuesCorinth(spin: $0.spin) })
}

/// The events that the queues sent and that arrived.
private final class QueuedSends {
    private let arrivals = CountedArrivals(senders: ManyQueues.queues)
    private var sentByEach = 0
    private let spin: Spin

    init(_ spin: Spin) {
        self.spin = spin
    }

    var observer: @Sendable (Int) -> Void {
        { [arrivals, spin] value in
            arrivals.add(value)
            spin.burn(microseconds: ManyQueues.observerMicroseconds)
        }
    }

    /// Schedules the sends of each queue and waits until all events have arrived or progress stops.
    func run(
        events: Int, _ send: @escaping @Sendable (Int) -> Void,
        schedule: (_ queue: Int, @escaping @Sendable () -> Void) -> Void
    ) {
        let numbers = sentByEach..<sentByEach + events / ManyQueues.queues
        for queue in 0..<ManyQueues.queues {
            schedule(queue) { for number in numbers { send(Stamped.value(sender: queue, number: number)) } }
        }
        sentByEach = numbers.upperBound
        ProgressWatchdog.sleep(until: sentByEach * ManyQueues.queues) { [arrivals] in arrivals.count }
    }

    func verify() throws {
        try arrivals.verify(sentByEach: Array(repeating: sentByEach, count: ManyQueues.queues))
    }
}

private final class ManyQueuesCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let sends: QueuedSends
    private let schedulers = (0..<ManyQueues.queues).map {
        QueueScheduler(qos: .userInitiated, name: "corinth-bench.queue.\($0)")
    }

    init(spin: Spin) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        sends = QueuedSends(spin)
        output.observeValues(sends.observer)
    }

    var granularity: Int { ManyQueues.queues }

    func run(events: Int) {
        sends.run(events: events) { [input] in
            input.send(value: $0)
        } schedule: { queue, work in
            schedulers[queue].schedule(work)
        }
    }

    func verify() throws { try sends.verify() }

    func tearDown() { input.sendCompleted() }
}

/// The same queues call the observer under a pthread mutex.
private final class ManyQueuesDirect: Scenario {
    private let sends: QueuedSends
    private let queues = (0..<ManyQueues.queues).map {
        DispatchQueue(label: "corinth-bench.queue.\($0)", qos: .userInitiated)
    }

    init(spin: Spin) {
        sends = QueuedSends(spin)
    }

    var granularity: Int { ManyQueues.queues }

    func run(events: Int) {
        let observe = opaqueObserver(sends.observer)
        sends.run(events: events) { value in
            PlainMutex.withLock { observe(value) }
        } schedule: { queue, work in
            queues[queue].async(execute: work)
        }
    }

    func verify() throws { try sends.verify() }
}
