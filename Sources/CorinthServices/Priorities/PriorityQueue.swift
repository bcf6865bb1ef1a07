public import Corinth

/// A queue that gives out the element of the greatest priority first, and of equal ones the oldest. It can also drop the one that would
/// come last, and any other one.
///
/// The elements of a priority are a doubly linked list, and the lists are sorted. All are in one array of slots. Inserting and removing
/// takes O(log *p*) comparisons for *p* different priorities that wait, and moves the list heads of those that are greater when the first
/// element of a priority comes or the last one goes.
@frozen
@usableFromInline
struct PriorityQueue<Element> {
    @frozen
    @usableFromInline
    struct Slot {
        @usableFromInline var content: (priority: Int, element: Element)?
        @usableFromInline var next: Int?
        @usableFromInline var previous: Int?

        @inlinable
        init(content: (priority: Int, element: Element)?, next: Int?, previous: Int?) {
            self.content = content
            self.next = next
            self.previous = previous
        }
    }

    @frozen
    @usableFromInline
    struct Level {
        @usableFromInline let priority: Int
        @usableFromInline var first: Int
        @usableFromInline var last: Int

        @inlinable
        init(priority: Int, first: Int, last: Int) {
            self.priority = priority
            self.first = first
            self.last = last
        }
    }

    @usableFromInline var slots: [Slot] = []

    /// The first one of the free slots, which are linked by `next`.
    @usableFromInline var free: Int?

    /// In ascending order, so that the most urgent one is cheap to remove.
    @usableFromInline var levels: [Level] = []

    @usableFromInline var count = 0

    @inlinable
    init() {}

    /// The least of the priorities that wait.
    @inlinable
    var leastPriority: Int? { levels.first?.priority }

    /// - Returns: The slot, with which the element can be removed.
    @inlinable
    @discardableResult
    mutating func insert(_ element: Element, _ priority: Int) -> Int {
        let index = index(of: priority)
        let isNew = index == levels.count || levels[index].priority != priority
        let last = isNew ? nil : levels[index].last
        let slot = take(Slot(content: (priority, element), next: nil, previous: last))
        if let last {
            slots[last].next = slot
            levels[index].last = slot
        } else {
            levels.insert(Level(priority: priority, first: slot, last: slot), at: index)
        }
        count += 1
        return slot
    }

    /// Removes the oldest one of the greatest priority.
    @inlinable
    mutating func popFirst() -> Element? { levels.last.map { remove($0.first) } }

    /// Removes the newest one of the least priority.
    @inlinable
    mutating func popLast() -> Element? { levels.first.map { remove($0.last) } }

    /// Removes the element that was inserted at a slot, if it is still there.
    ///
    /// - Parameter isIt: Whether this is the element: another one may be at its slot.
    @inlinable
    mutating func remove(_ slot: Int, if isIt: (Element) -> Bool) -> Element? {
        guard slots.indices.contains(slot), let element = slots[slot].content?.element, isIt(element) else {
            return nil
        }
        return remove(slot)
    }

    @inlinable
    mutating func remove(_ slot: Int) -> Element {
        guard let (priority, element) = slots[slot].content else {
            preconditionFailure("the slot \(slot) is free")
        }
        let (next, previous) = (slots[slot].next, slots[slot].previous)
        if next == nil || previous == nil {
            let index = index(of: priority)
            switch (next, previous) {
            case (let next?, _): levels[index].first = next
            case (nil, let previous?): levels[index].last = previous
            case (nil, nil): levels.remove(at: index)
            }
        }
        if let next { slots[next].previous = previous }
        if let previous { slots[previous].next = next }
        slots[slot] = Slot(content: nil, next: free, previous: nil)
        free = slot
        count -= 1
        if count == 0 { releaseMemory() }
        return element
    }

    @inlinable
    mutating func take(_ content: Slot) -> Int {
        guard let slot = free else {
            slots.append(content)
            return slots.count - 1
        }
        free = slots[slot].next
        slots[slot] = content
        return slot
    }

    /// The memory of a long backlog goes when the backlog has gone.
    @inlinable
    mutating func releaseMemory() {
        guard slots.capacity > 64 else { return }
        slots = []
        free = nil
    }

    /// The index of the first level whose priority isn't less.
    @inlinable
    func index(of priority: Int) -> Int {
        var (low, high) = (0, levels.count)
        while low < high {
            let middle = (low + high) / 2
            if levels[middle].priority < priority { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A priority queue that threads share. A flag guards it.
@usableFromInline
final class SharedQueue<Element>: Sendable {
    @usableFromInline let queue = Guarded(PriorityQueue<Element>())

    @inlinable
    init() {}

    @inlinable
    func insert(_ element: Element, _ priority: Int) {
        // Moved into the queue, so that nothing is released with the flag held.
        _ = queue.hold { $0.insert(element, priority) }
    }

    @inlinable
    func popFirst() -> Element? { queue.hold { $0.popFirst() } }

    @inlinable
    func popLast() -> Element? { queue.hold { $0.popLast() } }
}
