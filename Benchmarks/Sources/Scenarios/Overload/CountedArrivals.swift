import BenchmarkKit
import Synchronization

/// What an observer of any number of senders saw: that each sender's events came in its order, with none missing.
///
/// Unchecked, because the events of a signal are serial (law E2). Only ``count`` may be read while they come.
final class CountedArrivals: @unchecked Sendable {
    /// The number that each sender's next event should have. Owned by whoever delivers.
    private var next: [Int]
    private var misplaced = 0
    private let arrived = Atomic<Int>(0)

    init(senders: Int) {
        next = Array(repeating: 0, count: senders)
    }

    /// How many events have arrived.
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

    /// Waits, asleep, until so many have arrived, or until it is hopeless, and throws unless they are those that were sent.
    func verify(sentByEach: [Int]) throws {
        let sent = sentByEach.reduce(0, +)
        try CheckFailure.unless(
            "events that reached the observer", is: sent, got: Patience.sleep(until: sent) { count })
        try CheckFailure.unless("events out of their sender's order", is: 0, got: misplaced)
        try CheckFailure.unless("whether each sender's events arrived", is: true, got: next == sentByEach)
    }
}

/// How often something has happened, on any thread.
final class Count: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    @inline(__always)
    func add() { count.add(1, ordering: .releasing) }

    /// Waits, asleep, until it has happened so often, or until it is hopeless. Returns how often it has.
    func wait(for total: Int) -> Int { Patience.sleep(until: total) { value } }
}

extension CheckFailure {
    /// Throws if threads have not come back from a run.
    static func unless(cameBack run: TimedRun?) throws {
        if run == nil {
            throw CheckFailure("threads don't come back: nothing has gone on for \(Int(Patience.seconds)) s")
        }
    }
}
