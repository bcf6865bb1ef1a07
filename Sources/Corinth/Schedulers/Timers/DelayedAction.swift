/// A delayed action of a ``ThreadLoop``.
///
/// It is queued as a work item, so that the thread adds it to its timers. When its time has come, the thread runs it again.
final class DelayedAction: WorkItem, Disposable, @unchecked Sendable {  // Its phase decides who owns the action.
    private let phase = AtomicState<TimerPhase>(.waiting)

    /// Owned as ``TimerPhase`` says.
    private var action: (() -> Void)?

    /// The time between two runs, in nanoseconds; nil for a single run.
    private let interval: UInt64?

    /// When it is due. Owned by the thread, like the fields below.
    private(set) var deadline: TimePoint
    private var isArmed = false
    private weak var loop: ThreadLoop?

    /// - Parameter action: Handed over.
    init(_ action: @escaping () -> Void, at deadline: TimePoint, every interval: UInt64?, on loop: ThreadLoop) {
        self.action = action
        self.interval = interval
        self.deadline = deadline
        self.loop = loop
        super.init { workItem in unsafe unsafeDowncast(workItem, to: DelayedAction.self).takeTurn() }
    }

    // acquire: sees that the action is gone. Pairs with `end()` and `begin()`.
    var isDisposed: Bool { phase.load(.acquire) == .over }

    func dispose() { if end() { loop?.hasDisposed() } }

    /// Disposes of it without notifying its loop.
    func drop() { _ = end() }

    /// Ends it; false if it has already ended.
    private func end() -> Bool {
        // acquireRelease: the thread that ends the wait sees the current action; the others see that it is gone.
        let before = phase.exchange(.over, .acquireRelease)
        // If it is running, the thread releases the action.
        if before == .waiting { action = nil }
        return before != .over
    }

    // MARK: On the thread

    private func takeTurn() {
        // The thread retains its loop.
        guard let loop else { return }
        if !isArmed, !isDisposed {
            isArmed = true
            loop.arm(self)
        } else if begin() {
            let action = self.action
            if interval == nil { self.action = nil }
            action?()
            repeatLater(loop)
        } else {
            loop.forget(1)
        }
    }

    private func begin() -> Bool {
        // release: a thread that finds it over sees what this thread did before. The action was written before this was queued;
        // until it has ended, no thread changes it.
        phase.tryUpdate(from: .waiting, .release) { $0.beginning(isRepeated: interval != nil) }.won
    }

    private func repeatLater(_ loop: ThreadLoop) {
        guard let interval else { return }
        deadline = max(deadline.adding(interval), .now)
        // release: leaves the action to the thread that ends it.
        if phase.tryUpdate(from: .running, .release, { $0.finishing() }).won {
            loop.arm(self)
        } else {
            action = nil
            loop.forget(1)
        }
    }
}

/// Pending delayed actions as a heap: the earliest first; for equal times, in insertion order.
struct DelayedActions {
    private struct Entry {
        let deadline: TimePoint
        let number: UInt64
        let action: DelayedAction

        func precedes(_ other: Entry) -> Bool {
            (deadline, number) < (other.deadline, other.number)
        }
    }

    private var heap: [Entry] = []
    private var number: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }

    /// When the next action is due, on the monotonic clock, in nanoseconds; nil if none will be.
    var nextTime: UInt64? {
        guard let first = heap.first, first.deadline < .never else { return nil }
        return first.deadline.nanoseconds
    }

    /// O(log n).
    mutating func insert(_ action: DelayedAction) {
        number += 1
        heap.append(Entry(deadline: action.deadline, number: number, action: action))
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].precedes(heap[parent]) else { break }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    /// Whether an action is due at a moment.
    func hasDue(at moment: TimePoint) -> Bool {
        guard let first = heap.first else { return false }
        return first.deadline <= moment
    }

    /// Removes the earliest action if it is due at a moment. O(log n).
    mutating func removeDue(at moment: TimePoint) -> DelayedAction? {
        guard let first = heap.first, first.deadline <= moment else { return nil }
        removeFirst()
        return first.action
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        if heap.isEmpty { return }
        heap[0] = last
        sink(0)
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].precedes(heap[least]) {
                least = child
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }

    /// Removes disposed actions, in O(n). Returns how many there were.
    mutating func removeDisposed() -> Int {
        let count = heap.count
        heap.removeAll { $0.action.isDisposed }
        if heap.count == count { return 0 }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
        return count - heap.count
    }

    /// Removes and disposes of all actions.
    mutating func dropAll() {
        let all = heap
        heap = []
        for entry in all { entry.action.drop() }
    }
}
