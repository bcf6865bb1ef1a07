import BenchmarkKit
import Dispatch
import Synchronization

/// The destination of bursts, each of the values from 0 on: checks the order and signals the end of a burst.
///
/// Unchecked: events are serial, and the sender reads only after `complete` was signalled.
final class BurstSink: @unchecked Sendable {
    private let burst: Int
    private var misplaced = 0
    private var bursts = 0
    private var sum = 0
    private let complete = DispatchSemaphore(value: 0)

    /// The expected next value. Relaxed, because a waiting thread only needs to see that it changes.
    private let next = Atomic<Int>(0)

    init(burst: Int) {
        self.burst = burst
    }

    @inline(__always)
    func add(_ value: Int) {
        if value != next.load(ordering: .relaxed) { misplaced += 1 }
        sum &+= value
        guard value + 1 == burst else {
            next.store(value + 1, ordering: .relaxed)
            return
        }
        next.store(0, ordering: .relaxed)
        bursts += 1
        complete.signal()
    }

    /// Waits until a burst has ended or progress stops.
    func wait() {
        ProgressWatchdog.wait(for: complete) { next.load(ordering: .relaxed) }
    }

    func verify(bursts expected: Int) throws {
        try CheckFailure.unless("bursts that arrived", is: expected, got: bursts)
        try CheckFailure.unless("sum of the values", is: expected &* (burst &* (burst - 1) / 2), got: sum)
        try CheckFailure.unless("events out of order", is: 0, got: misplaced)
        try CheckFailure.unless("events after the last burst", is: 0, got: next.load(ordering: .relaxed))
    }
}
