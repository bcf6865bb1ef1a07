import BenchmarkKit
import Foundation
import Synchronization

/// A value with its sender and its number among the sender's values.
enum Stamped {
    private static let senderShift = 48

    static func value(sender: Int, number: Int) -> Int {
        sender << senderShift | number
    }

    static func sender(of value: Int) -> Int {
        value >> senderShift
    }

    static func number(of value: Int) -> Int {
        value & (1 << senderShift - 1)
    }
}

/// The events that an observer of several senders received. Checks that each sender's events are complete and in order.
///
/// Unchecked: the events of a signal are serial (law E2). Only ``count`` may be read while events arrive.
final class Arrivals: @unchecked Sendable {
    /// The expected number of each sender's next event. Owned by the delivering thread.
    private var next = InlineArray<8, Int>(repeating: 0)
    /// The number of events out of order.
    private var misplaced = 0
    private let arrived = Atomic<Int>(0)

    /// The number of events that have arrived.
    var count: Int { arrived.load(ordering: .acquiring) }

    @inline(__always)
    func add(_ value: Int) {
        let sender = Stamped.sender(of: value)
        let number = Stamped.number(of: value)
        if next[sender] != number { misplaced += 1 }
        next[sender] = number + 1
        // There is one writer, so a load and a store suffice. release: a reader of the count also sees `next`.
        arrived.store(arrived.load(ordering: .relaxed) + 1, ordering: .releasing)
    }

    /// Waits until `total` events have arrived or progress stops.
    ///
    /// A `send` may return while another thread is still delivering its event (law E5).
    func wait(for total: Int) {
        ProgressWatchdog.yield(until: total) { count }
    }

    func verify(sentByEach: Int, senders: Int) throws {
        try CheckFailure.unless("events that reached the observer", is: sentByEach * senders, got: count)
        try CheckFailure.unless("events out of their sender's order", is: 0, got: misplaced)
        for sender in 0..<senders {
            try CheckFailure.unless("events of sender \(sender)", is: sentByEach, got: next[sender])
        }
    }
}
