import BenchmarkKit
import Foundation
import Synchronization

/// What senders on several threads put into one value: who sent it, and the how-manieth of theirs it is.
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

/// What an observer of several senders saw: that each sender's events came in its order, with none missing.
///
/// Unchecked, because the events of a signal are serial (law E2). Only ``count`` may be read while they come.
final class Arrivals: @unchecked Sendable {
    /// The number that each sender's next event should have. Owned by whoever delivers.
    private var next = InlineArray<8, Int>(repeating: 0)
    /// How many events did not have the number that they should have had.
    private var misplaced = 0
    private let arrived = Atomic<Int>(0)

    /// How many events have arrived.
    var count: Int { arrived.load(ordering: .acquiring) }

    @inline(__always)
    func add(_ value: Int) {
        let sender = Stamped.sender(of: value)
        let number = Stamped.number(of: value)
        if next[sender] != number { misplaced += 1 }
        next[sender] = number + 1
        // Nobody else writes, so that no read-modify-write is needed. release: who sees the count sees `next`.
        arrived.store(arrived.load(ordering: .relaxed) + 1, ordering: .releasing)
    }

    /// Waits until `total` events have arrived, or until it is hopeless.
    ///
    /// A `send` may return while another thread is still delivering its event (law E5).
    func wait(for total: Int) {
        Patience.yield(until: total) { count }
    }

    func verify(sentByEach: Int, senders: Int) throws {
        try CheckFailure.unless("events that reached the observer", is: sentByEach * senders, got: count)
        try CheckFailure.unless("events out of their sender's order", is: 0, got: misplaced)
        for sender in 0..<senders {
            try CheckFailure.unless("events of sender \(sender)", is: sentByEach, got: next[sender])
        }
    }
}
