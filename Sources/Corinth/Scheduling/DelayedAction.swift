internal import Foundation

/// An action that waits for its time on a ``ThreadLoop``.
///
/// It is an errand twice: when it gets to the thread, which takes it in among its timers, and when its time has come.
final class DelayedAction: Errand, Disposable, @unchecked Sendable {  // The flag settles who may touch the action.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag; by the thread, if it repeats.
    private var action: (() -> Void)?

    /// The time from one run to the next, in seconds; nil if there is one run only.
    private let interval: TimeInterval?

    /// When it is due. Owned by the thread, as is the rest.
    private(set) var date: Date
    private var isArmed = false
    private weak var loop: ThreadLoop?

    /// - Parameter action: Owned by the loop from here on.
    init(_ action: @escaping () -> Void, at date: Date, every interval: TimeInterval?, on loop: ThreadLoop) {
        self.action = action
        self.interval = interval
        self.date = date
        self.loop = loop
        super.init { errand in unsafe unsafeDowncast(errand, to: DelayedAction.self).takeTurn() }
    }

    private var flag: AtomicWord { AtomicWord(of: self, at: Errand.size) }

    // acquire: pairs with `raise()`.
    var isDisposed: Bool { flag.load(.acquire) != 0 }

    var isDue: Bool { date <= Date() }

    private func raise() -> Bool {
        // acquireRelease: the winner sees the action as it was made, and the others that it is gone.
        flag.exchange(1, .acquireRelease) == 0
    }

    func dispose() {
        guard raise() else { return }
        if interval == nil { action = nil }
        loop?.hasDisposed(isUrgent: interval != nil)
    }

    // MARK: On the thread

    private func takeTurn() {
        // The thread holds its loop.
        guard let loop else { return }
        if isDisposed {
            letGo()
            loop.forget(1)
        } else if !isArmed {
            isArmed = true
            loop.arm(self)
        } else if let interval {
            action?()
            date = max(date + interval, Date())
            loop.rearm(self)
        } else if raise() {
            let action = self.action
            self.action = nil
            action?()
        } else {
            loop.forget(1)
        }
    }

    /// Drops what a disposal has left to the thread.
    func letGo() { action = nil }

    /// Disposes of it at the end of its loop.
    func drop() {
        if raise() || interval != nil { action = nil }
    }
}

/// Those that wait, as a heap: the earliest first, of equal times the one that came first.
struct DelayedActions {
    private struct Entry {
        let date: Date
        let number: UInt64
        let action: DelayedAction

        func precedes(_ other: Entry) -> Bool {
            date == other.date ? number < other.number : date < other.date
        }
    }

    private var heap: [Entry] = []
    private var number: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }

    /// When the next one is due.
    var nextTime: WakeTime? { heap.first.map { WakeTime(since1970: $0.date.timeIntervalSince1970) } }

    /// O(log n).
    mutating func insert(_ action: DelayedAction) {
        number += 1
        heap.append(Entry(date: action.date, number: number, action: action))
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
        let now = Date()
        guard first.date <= now else { return false }
        while let next = heap.first, next.date <= now {
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
        let gone = heap.filter { $0.action.isDisposed }
        if gone.isEmpty { return 0 }
        heap.removeAll { $0.action.isDisposed }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
        for entry in gone { entry.action.letGo() }
        return gone.count
    }

    /// Takes out all of them, and disposes of them.
    mutating func dropAll() {
        let all = heap
        heap = []
        for entry in all { entry.action.drop() }
    }
}
