/// A FIFO queue in an array: appending and removing the first are O(1) amortised.
@frozen
@usableFromInline
struct Deque<Element> {
    @usableFromInline var elements: [Element?] = []

    /// How many elements at the beginning have been removed.
    @usableFromInline var removed = 0

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { removed == elements.count }

    @inlinable
    var count: Int { elements.count - removed }

    @inlinable
    mutating func append(_ element: Element) {
        elements.append(element)
    }

    @inlinable
    mutating func popFirst() -> Element? {
        if isEmpty { return nil }
        let element = elements[removed]
        elements[removed] = nil
        removed += 1
        if removed == elements.count {
            elements.removeAll(keepingCapacity: true)
            removed = 0
        } else if removed >= 32, removed * 2 > elements.count {
            elements.removeFirst(removed)
            removed = 0
        }
        return element
    }

    /// Appends an element if there are fewer than `capacity`. Otherwise the element is refused, or replaces the oldest one.
    ///
    /// - Returns: Whether the element was appended, and the one that it replaced.
    mutating func append(_ element: Element, capacity: Int, dropsOldest: Bool) -> (isAccepted: Bool, dropped: Element?)
    {
        if count < capacity {
            append(element)
            return (true, nil)
        }
        guard dropsOldest else { return (false, nil) }
        let dropped = popFirst()
        append(element)
        return (true, dropped)
    }
}
