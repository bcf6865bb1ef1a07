/// Counts the values sent to, delivered by and dropped by a buffer.
///
/// ```swift
/// let statistics = BufferStatistics()
/// ticks.observe(on: slow, bufferingPolicy: .dropOldest(capacity: 64), statistics: statistics)
/// …
/// log("\(statistics.dropped) ticks of \(statistics.sent) were dropped")
/// ```
///
/// Several buffers may share one instance. Each number is exact. While values are sent, one number may be newer than another.
public final class BufferStatistics: @unchecked Sendable {  // The words are atomic.
    private let sentWord = AtomicWord()
    private let deliveredWord = AtomicWord()
    private let droppedWord = AtomicWord()
    private let replacedWord = AtomicWord()

    /// How many values are held by senders that wait for capacity.
    let heldWord = AtomicWord()

    /// Creates statistics with all counts at 0.
    public init() {
    }

    // relaxed in all of them: each number is independent and publishes nothing.

    /// How many values were sent to the buffer and then stored or dropped. A value whose sender waits for capacity isn't
    /// counted yet.
    public var sent: Int { Int(sentWord.load(.relaxed)) - Int(heldWord.load(.relaxed)) }

    /// How many values were delivered to the observers.
    public var delivered: Int { Int(deliveredWord.load(.relaxed)) }

    /// How many values were dropped, because of an overflow or because the stream ended first.
    public var dropped: Int { Int(droppedWord.load(.relaxed)) }

    /// How many of the dropped values were replaced by a newer one of the same key. See ``Signal/observe(on:latestBy:statistics:)``.
    public var replaced: Int { Int(replacedWord.load(.relaxed)) }

    /// How many values are buffered: sent, but neither delivered nor dropped.
    public var waiting: Int { sent - delivered - dropped }

    @usableFromInline
    func countSent() { sentWord.fetchAdd(1, .relaxed) }

    /// Uncounts a value that was counted as sent and then refused.
    @usableFromInline
    func takeBack() { sentWord.fetchSubtract(1, .relaxed) }

    /// A sender with a value that was counted as sent waits for capacity.
    func hold() { heldWord.fetchAdd(1, .relaxed) }

    /// The sender stops waiting.
    func release() { heldWord.fetchSubtract(1, .relaxed) }

    @usableFromInline
    func countDelivered(_ count: Int = 1) { deliveredWord.fetchAdd(UInt64(count), .relaxed) }

    @usableFromInline
    func countDropped(_ count: Int = 1) { droppedWord.fetchAdd(UInt64(count), .relaxed) }

    @usableFromInline
    func countReplaced() {
        replacedWord.fetchAdd(1, .relaxed)
        countDropped()
    }
}
