/// An action that waits for its time on a ``ThreadLoop``.
///
/// It is an errand twice: when it gets to the thread, which takes it in among its timers, and when its time has come.
final class DelayedAction: Errand, Disposable, @unchecked Sendable {  // Its state settles who may touch the action.
    private enum State {
        static let waiting: UInt64 = 0
        /// Disposed of, or run for the last time.
        static let over: UInt64 = 1
        /// Being run, and to be repeated.
        static let running: UInt64 = 2
    }

    private var stateStorage: UInt64 = 0

    /// Owned by whoever ends the waiting.
    private var action: (() -> Void)?

    /// The time from one run to the next, in nanoseconds; nil if there is one run only.
    private let interval: UInt64?

    /// When it is due. Owned by the thread, as is the rest.
    private(set) var deadline: TimePoint
    private var isArmed = false
    private weak var loop: ThreadLoop?

    /// - Parameter action: Handed over.
    init(_ action: @escaping () -> Void, at deadline: TimePoint, every interval: UInt64?, on loop: ThreadLoop) {
        self.action = action
        self.interval = interval
        self.deadline = deadline
        self.loop = loop
        super.init { errand in unsafe unsafeDowncast(errand, to: DelayedAction.self).takeTurn() }
    }

    private var state: AtomicWord { AtomicWord(of: self, at: Errand.size) }

    // acquire: sees that the action is gone. Pairs with `end()` and `begin()`.
    var isDisposed: Bool { state.load(.acquire) == State.over }

    var isDue: Bool { deadline <= .now }

    func dispose() { if end() { loop?.hasDisposed() } }

    /// Disposes of it where its loop needn't know.
    func drop() { _ = end() }

    /// Ends it; false if that was done before.
    private func end() -> Bool {
        // acquireRelease: who ends the waiting sees the action as it was left, and the others that it is gone.
        let before = state.exchange(State.over, .acquireRelease)
        // If it is running, the thread lets go of the action.
        if before == State.waiting { action = nil }
        return before != State.over
    }

    // MARK: On the thread

    private func takeTurn() {
        // The thread holds its loop.
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
        // acquireRelease: as in `end()`.
        let next = interval == nil ? State.over : State.running
        return state.compareExchange(State.waiting, next, .acquireRelease).won
    }

    private func repeatLater(_ loop: ThreadLoop) {
        guard let interval else { return }
        deadline = max(deadline.adding(interval), .now)
        // release: leaves the action to whoever ends it.
        if state.compareExchange(State.running, State.waiting, .release).won {
            loop.rearm(self)
        } else {
            action = nil
            loop.forget(1)
        }
    }
}

/// Those that wait, as a heap: the earliest first, of equal times the one that came first.
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

    /// When the next one is due, by the monotonic clock, in nanoseconds; nil if that never comes.
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

    /// Takes out those whose time has come, in order. False if there are none.
    mutating func takeDue(_ take: (DelayedAction) -> Void) -> Bool {
        guard let first = heap.first else { return false }
        let now = TimePoint.now
        guard first.deadline <= now else { return false }
        while let next = heap.first, next.deadline <= now {
            removeFirst()
            take(next.action)
        }
        return true
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

    /// Takes out those that were disposed of, in O(n). Returns how many there were.
    mutating func removeDisposed() -> Int {
        let count = heap.count
        heap.removeAll { $0.action.isDisposed }
        if heap.count == count { return 0 }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
        return count - heap.count
    }

    /// Takes out all of them, and disposes of them.
    mutating func dropAll() {
        let all = heap
        heap = []
        for entry in all { entry.action.drop() }
    }
}
