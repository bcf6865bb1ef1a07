/// What has become of the values that went into a buffer.
///
/// ```swift
/// let statistics = BufferStatistics()
/// ticks.observe(on: slow, bufferingPolicy: .dropOldest(capacity: 64), statistics: statistics)
/// …
/// log("\(statistics.dropped) ticks of \(statistics.sent) were dropped")
/// ```
///
/// Several buffers may count in the same statistics. Each number is exact; while values come, one may be newer than another.
public final class BufferStatistics: @unchecked Sendable {  // Its words are atomic.
    private var sentStorage: UInt64 = 0
    private var deliveredStorage: UInt64 = 0
    private var droppedStorage: UInt64 = 0
    private var heldStorage: UInt64 = 0

    /// Makes statistics in which nothing is counted yet.
    public init() {}

    private var sentWord: AtomicWord { AtomicWord(of: self) }
    private var deliveredWord: AtomicWord { AtomicWord(of: self, at: 8) }
    private var droppedWord: AtomicWord { AtomicWord(of: self, at: 16) }

    /// How many values have no place yet: their senders wait for one, with the value in hand.
    private var heldWord: AtomicWord { AtomicWord(of: self, at: 24) }

    // relaxed in all of them: each is a number of its own, and publishes nothing.

    /// How many values were sent to the buffer, and found a place there or were dropped. One whose sender waits for a place isn't
    /// counted yet.
    public var sent: Int { Int(sentWord.load(.relaxed)) - Int(heldWord.load(.relaxed)) }

    /// How many values left it for the observers.
    public var delivered: Int { Int(deliveredWord.load(.relaxed)) }

    /// How many values were dropped, for want of room or because the stream ended before it was their turn.
    public var dropped: Int { Int(droppedWord.load(.relaxed)) }

    /// How many values wait: those that were sent, and neither delivered nor dropped.
    public var waiting: Int { sent - delivered - dropped }

    @usableFromInline
    func countSent() { sentWord.fetchAdd(1, .relaxed) }

    /// A value that was counted as sent was refused.
    @usableFromInline
    func takeBack() { sentWord.fetchSubtract(1, .relaxed) }

    /// A sender waits for a place, with a value that was counted as sent.
    func hold() { heldWord.fetchAdd(1, .relaxed) }

    /// It waits no more.
    func release() { heldWord.fetchSubtract(1, .relaxed) }

    @usableFromInline
    func countDelivered(_ count: Int = 1) { deliveredWord.fetchAdd(UInt64(count), .relaxed) }

    @usableFromInline
    func countDropped(_ count: Int = 1) { droppedWord.fetchAdd(UInt64(count), .relaxed) }
}
