import Corinth
import Foundation

/// A pending action of a ``TestScheduler``. Guarded by the scheduler's lock.
final class TestAction: Disposable, @unchecked Sendable {
    var action: (() -> Void)?
    let interval: TimeInterval?
    weak var scheduler: TestScheduler?
    var isOver = false

    /// When it runs next, and its place among those of the same time.
    fileprivate(set) var due = Date.distantPast
    private var number: UInt64 = 0

    /// The index in the heap. nil if it isn't there.
    fileprivate var index: Int?

    init(_ action: @escaping () -> Void, interval: TimeInterval? = nil) {
        self.action = action
        self.interval = interval
    }

    fileprivate func schedule(at date: Date, number: UInt64) {
        due = date
        self.number = number
    }

    fileprivate func precedes(_ other: TestAction) -> Bool { (due, number) < (other.due, other.number) }

    var isDisposed: Bool { scheduler?.isOver(self) ?? true }

    func dispose() { scheduler?.cancel(self) }
}

/// The pending actions in the order of their times, and of scheduling if the times are equal: a binary heap.
///
/// Each action knows its index, so that one that is disposed of is removed at once. A heap that keeps such actions until their
/// time has come would grow with each `debounce`, which replaces an action with every value.
///
/// - Complexity: Inserting and removing take O(log actions), and the first action O(1).
struct TestActions {
    private var heap: [TestAction] = []
    private var scheduledCount: UInt64 = 0

    var count: Int { heap.count }

    var first: TestAction? { heap.first }

    mutating func insert(_ action: TestAction, at date: Date) {
        scheduledCount += 1
        action.schedule(at: date, number: scheduledCount)
        heap.append(action)
        rise(action, from: heap.count - 1)
    }

    /// Does nothing if the action isn't pending.
    mutating func remove(_ action: TestAction) {
        guard let hole = action.index.take() else { return }
        let last = heap.removeLast()
        if hole == heap.count { return }
        // The last action fills the hole. It may belong above it, since it comes from another branch.
        rise(last, from: hole)
        if last.index == hole { sink(last, from: hole) }
    }

    /// Stores an action at an index or above.
    private mutating func rise(_ action: TestAction, from start: Int) {
        var hole = start
        while hole > 0 {
            let parent = (hole - 1) / 2
            if heap[parent].precedes(action) { break }
            store(heap[parent], at: hole)
            hole = parent
        }
        store(action, at: hole)
    }

    /// Stores an action at an index or below.
    private mutating func sink(_ action: TestAction, from start: Int) {
        var hole = start
        while 2 * hole + 1 < heap.count {
            let left = 2 * hole + 1
            let child = left + 1 < heap.count && heap[left + 1].precedes(heap[left]) ? left + 1 : left
            if action.precedes(heap[child]) { break }
            store(heap[child], at: hole)
            hole = child
        }
        store(action, at: hole)
    }

    private mutating func store(_ action: TestAction, at index: Int) {
        heap[index] = action
        action.index = index
    }

    /// Releases the actions. The disposables of those that are pending may live on.
    func releaseAll() {
        for action in heap { action.action = nil }
    }
}
