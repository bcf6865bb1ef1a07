import BenchmarkKit
import Synchronization

/// The events that an observer of many senders received. Checks that each sender's events are complete and in order.
///
/// Unchecked: the events of a signal are serial (law E2). Only ``count`` may be read while events arrive.
final class CountedArrivals: @unchecked Sendable {
    /// The expected number of each sender's next event. Owned by the delivering thread.
    private var next: [Int]
    private var misplaced = 0
    private let arrived = Atomic<Int>(0)

    init(senders: Int) {
        next = Array(repeating: 0, count: senders)
    }

    /// The number of events that have arrived.
    var count: Int { arrived.load(ordering: .acquiring) }

    @inline(__always)
    func add(_ value: Int) {
        let sender = Stamped.sender(of: value)
        let number = Stamped.number(of: value)
        if next[sender] != number { misplaced += 1 }
        next[sender] = number + 1
        // As in `Arrivals`.
        arrived.store(arrived.load(ordering: .relaxed) + 1, ordering: .releasing)
    }

    /// Sleeps until all events have arrived or progress stops. Throws unless they are those that were sent.
    func verify(sentByEach: [Int]) throws {
        let sent = sentByEach.reduce(0, +)
        try CheckFailure.unless(
            "events that reached the observer", is: sent, got: ProgressWatchdog.sleep(until: sent) { count })
        try CheckFailure.unless("events out of their sender's order", is: 0, got: misplaced)
        try CheckFailure.unless("whether each sender's events arrived", is: true, got: next == sentByEach)
    }
}

/// A counter for any thread.
final class Count: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    @inline(__always)
    func add() { count.add(1, ordering: .releasing) }

    /// Sleeps until the count reaches `total` or progress stops. Returns the count.
    func wait(for total: Int) -> Int { ProgressWatchdog.sleep(until: total) { value } }
}

extension CheckFailure {
    /// Throws if the threads of a run hang.
    static func unless(ended run: TimedRun?) throws {
        if run == nil {
            throw CheckFailure(
                "threads hang: no progress for \(Int(ProgressWatchdog.stallSeconds)) s")
        }
    }
}
