import CorinthTesting
import Foundation

@testable import Corinth

// Objects with seeded bugs. Each of them is free of data races, so that only its histories show the bug. Where a thread has to
// come in between, the object yields.

/// Loses an update: between the read and the write of an addition, other threads may write.
final class LosingCounter: RecordedCell {
    let model = CellModel(value: 0)
    private let atomic = Atomic(0)

    init(_ dice: inout SeededGenerator) {}

    func outcome(of operation: CellModel.Operation) -> OperationResult {
        switch operation {
        case .set(let number):
            atomic.value = number
            return .done
        case .swap(let number): return .number(atomic.swap(number))
        case .add(let number):
            let sum = atomic.value + number
            Work.yield()
            atomic.value = sum
            return .number(sum)
        default: return .number(atomic.value)
        }
    }
}

/// Tells its observers of a change after the change has ended, so that they may see two changes in the wrong order.
final class LateProperty: RecordedCell {
    let model = CellModel(value: 0, changes: [])
    private let atomic = Atomic(0)
    private let changes = Atomic<[Int]>([])

    init(_ dice: inout SeededGenerator) {}

    var last: [CellModel.Operation] { [.changes] }

    func outcome(of operation: CellModel.Operation) -> OperationResult {
        switch operation {
        case .set(let number):
            change { $0 = number }
            return .done
        case .swap(let number): return .number(change { $0 = number }.old)
        case .add(let number): return .number(change { $0 += number }.new)
        case .changes: return .numbers(changes.value)
        default: return .number(atomic.value)
        }
    }

    @discardableResult
    private func change(_ body: (inout Int) -> Void) -> (old: Int, new: Int) {
        let result = atomic.modify { value in
            let old = value
            body(&value)
            return (old: old, new: value)
        }
        Work.yield()
        changes.modify { $0.append(result.new) }
        return result
    }
}

/// Two threads that remove the same element may both receive it.
final class GenerousBag: RecordedObject {
    let model = BagModel()
    private let contents = Atomic(BagModel())

    init(_ dice: inout SeededGenerator) {}

    func program(threads: Int, _ dice: inout SeededGenerator) -> [[BagModel.Operation]] {
        BagModel.program(threads: threads, &dice)
    }

    func perform(_ operation: BagModel.Operation, _ log: CallLog<BagModel.Operation>) {
        log.record(operation) {
            if case .remove = operation {
                var copy = contents.value
                let removed = copy.apply(operation) ?? .done
                Work.yield()
                contents.modify { _ = $0.apply(operation) }
                return removed
            }
            return contents.modify { $0.apply(operation) ?? .done }
        }
    }
}

/// Looks for a permit and takes it later, when another thread may have taken it.
final class OverfullPermits: RecordedObject {
    let model: PermitsModel
    private let count = Atomic(0)

    init(_ dice: inout SeededGenerator) {
        model = PermitsModel(&dice)
    }

    func program(threads: Int, _ dice: inout SeededGenerator) -> [[PermitsModel.Operation]] {
        (0..<threads).map { _ in [.tryTake, .tryTake] }
    }

    func perform(_ operation: PermitsModel.Operation, _ log: CallLog<PermitsModel.Operation>) {
        log.record(operation) {
            if count.value >= model.capacity { return .flag(false) }
            Work.yield()
            count.modify { $0 += 1 }
            return .flag(true)
        }
    }
}

/// Gives out the second element now and then, before the first.
final class SwappingQueue: RecordedQueue, @unchecked Sendable {  // See the superclass.
    private final class Queue: TestedQueue {
        private let contents = Atomic<(elements: [Int], takes: Int)>(([], 0))

        func post(_ element: Int, mayWait: Bool) -> Bool {
            contents.modify { $0.elements.append(element) }
            return true
        }

        func postByTaker(_ element: Int) { contents.modify { $0.elements.append(element) } }

        func take() -> Int? {
            contents.modify { contents in
                contents.takes += 1
                let swaps = contents.takes.isMultiple(of: 3) && contents.elements.count > 1
                if swaps { return contents.elements.remove(at: 1) }
                return contents.elements.isEmpty ? nil : contents.elements.removeFirst()
            }
        }
    }

    required convenience init(_ dice: inout SeededGenerator) { self.init(Queue(), capacity: .max, mayWait: false) }
}

/// Delivers two elements in the wrong order now and then.
final class SwappingMailbox: RecordedMailbox, @unchecked Sendable {  // See the superclass.
    private var held: Int?

    required convenience init(_ dice: inout SeededGenerator) {
        self.init(MailboxModel(capacity: .max, dropsOldest: false))
        setUnboundedMailbox { [unowned self] in swap($0) }
    }

    /// Holds the first element until the second one is there. There are at least two.
    private func swap(_ element: Int) {
        if element == 0 {
            held = element
        } else {
            deliver(element)
            if let held = held.take() { deliver(held) }
        }
    }
}

/// Doesn't say that an element was dropped.
final class SilentMailbox: RecordedMailbox, @unchecked Sendable {  // See the superclass.
    required convenience init(_ dice: inout SeededGenerator) {
        self.init(MailboxModel(capacity: 1, dropsOldest: true))
        let mailbox = DroppingMailbox<Int>(
            on: scheduler.runningWorkItems, through: strand, capacity: 1, dropsOldest: true
        ) { [unowned self] in deliver($0) }
        setPost { [unowned self] element in
            if !mailbox.post(element) { countDelivery() }
            return true
        }
    }
}

/// Looks whether it has been disposed of, and adds later. Then the action never runs.
final class ForgetfulComposite: RecordedComposite, @unchecked Sendable {  // See the superclass.
    private final class Composite: TestedComposite {
        private let flag = Atomic(false)
        private let contents = CompositeDisposable()
        private let late = CompositeDisposable()

        var isDisposed: Bool { flag.value }

        func dispose() {
            flag.value = true
            contents.dispose()
        }

        func addAction(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
            if isDisposed {
                action()
                return nil
            }
            Work.yield()
            return isDisposed ? late.add(action) : contents.add(action)
        }
    }

    required convenience init(_ dice: inout SeededGenerator) { self.init(Composite()) }
}
