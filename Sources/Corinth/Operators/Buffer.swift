/// How much may wait in an operator, and which value goes if there is no room.
@frozen
@usableFromInline
struct BufferBound: Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline let dropsOldest: Bool

    @inlinable
    init(capacity: Int, dropsOldest: Bool = false) {
        self.capacity = capacity
        self.dropsOldest = dropsOldest
    }
}

/// What becomes of the values that wait in an operator.
@frozen
@usableFromInline
struct Buffering<Failure: Error>: Sendable {
    @usableFromInline let bound: BufferBound

    /// What the stream fails with when a value finds no room; nil if it goes on.
    @usableFromInline let failure: Failure?
    @usableFromInline let statistics: BufferStatistics?

    @inlinable
    init(_ bound: BufferBound, failure: Failure?, counting statistics: BufferStatistics?) {
        self.bound = bound
        self.failure = failure
        self.statistics = statistics
    }

    /// Everything waits, and nobody counts.
    @inlinable static var unbounded: Buffering {
        Buffering(BufferBound(capacity: .max), failure: nil, counting: nil)
    }
}

/// What waits in an operator, with a bound, and accounted for. It belongs to one thread at a time.
@frozen
@usableFromInline
struct Buffer<Element> {
    @usableFromInline let bound: BufferBound
    @usableFromInline let statistics: BufferStatistics?
    @usableFromInline var elements = Fifo<Element>()

    @inlinable
    init(_ bound: BufferBound, counting statistics: BufferStatistics? = nil) {
        self.bound = bound
        self.statistics = statistics
    }

    @inlinable
    var isEmpty: Bool { elements.isEmpty }

    @inlinable
    var count: Int { elements.count }

    /// Has an element wait that was sent. If there is no room, it is dropped, or the oldest is.
    ///
    /// - Returns: What was dropped, or nil. Its release may run code of the user's.
    @inlinable
    mutating func append(_ element: Element) -> Element? {
        statistics?.countSent()
        if elements.count < bound.capacity {
            elements.append(element)
            return nil
        }
        statistics?.countDropped()
        if !bound.dropsOldest { return element }
        let dropped = elements.popFirst()
        elements.append(element)
        return dropped
    }

    /// Takes out the element whose turn it is.
    @inlinable
    mutating func popFirst() -> Element? {
        guard let element = elements.popFirst() else { return nil }
        statistics?.countDelivered()
        return element
    }

    /// Counts an element that was sent, and needs not wait.
    @inlinable
    func pass() {
        statistics?.countSent()
        statistics?.countDelivered()
    }

    /// Counts an element that was sent when there was no use in it any more.
    @inlinable
    func refuse() {
        statistics?.countSent()
        statistics?.countDropped()
    }

    /// Drops what waits.
    ///
    /// - Returns: What was dropped. Its release may run code of the user's.
    @inlinable
    @discardableResult
    mutating func dropAll() -> Fifo<Element>? {
        if elements.isEmpty { return nil }
        let dropped = elements
        elements = Fifo()
        statistics?.countDropped(dropped.count)
        return dropped
    }
}
