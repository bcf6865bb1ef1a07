/// An operator's bounded buffer with statistics. At most one thread at a time may use it.
@frozen
@usableFromInline
struct Buffer<Element> {
    @usableFromInline let bound: BufferBound
    @usableFromInline let statistics: BufferStatistics?
    @usableFromInline var elements = Deque<Element>()

    @inlinable
    init(_ bound: BufferBound, counting statistics: BufferStatistics? = nil) {
        self.bound = bound
        self.statistics = statistics
    }

    @inlinable
    var isEmpty: Bool { elements.isEmpty }

    @inlinable
    var count: Int { elements.count }

    /// Appends an element that was sent. If the buffer is full, drops the new element or the oldest one.
    ///
    /// - Returns: The dropped element, or nil. Releasing it may run user code.
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

    /// Removes and returns the oldest element.
    @inlinable
    mutating func popFirst() -> Element? {
        guard let element = elements.popFirst() else { return nil }
        statistics?.countDelivered()
        return element
    }

    /// Counts an element that is delivered without being buffered.
    @inlinable
    func pass() {
        statistics?.countSent()
        statistics?.countDelivered()
    }

    /// Counts an element that arrived too late and is dropped.
    @inlinable
    func refuse() {
        statistics?.countSent()
        statistics?.countDropped()
    }

    /// Drops all elements.
    ///
    /// - Returns: The dropped elements. Releasing them may run user code.
    @inlinable
    @discardableResult
    mutating func dropAll() -> Deque<Element>? {
        if elements.isEmpty { return nil }
        let dropped = elements
        elements = Deque()
        statistics?.countDropped(dropped.count)
        return dropped
    }
}
