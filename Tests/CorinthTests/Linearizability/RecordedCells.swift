import Corinth
import CorinthTesting

/// A value that is read and replaced. If its changes are observed, the model lists them.
struct CellModel: SequentialModel {
    enum Operation: Hashable, Sendable {
        case read, withValue, set(Int), swap(Int)
        /// Adds to the value and returns the sum.
        case add(Int)
        /// All changes, in the order of their delivery.
        case changes
    }

    var value: Int
    var changes: [Int]?

    mutating func apply(_ operation: Operation) -> OperationResult? {
        switch operation {
        case .read, .withValue: return .number(value)
        case .set(let number):
            change(number)
            return .done
        case .swap(let number):
            let old = value
            change(number)
            return .number(old)
        case .add(let number):
            change(value + number)
            return .number(value)
        case .changes: return .numbers(changes ?? [])
        }
    }

    private mutating func change(_ number: Int) {
        value = number
        changes?.append(number)
    }

    /// Three or four operations for each thread.
    static func program(threads: Int, _ dice: inout SeededGenerator) -> [[Operation]] {
        (0..<threads).map { thread in
            (0..<(threads == 2 ? 4 : 3)).map { index in
                let number = 10 * (thread + 1) + index
                switch Int.random(in: 0...7, using: &dice) {
                case 0, 1: return .read
                case 2: return .withValue
                case 3: return .set(number)
                case 4, 5: return .swap(number)
                default: return .add(100 * number)
                }
            }
        }
    }
}

/// What the atomic values and properties have in common.
protocol RecordedCell: RecordedObject where Model == CellModel {
    func outcome(of operation: CellModel.Operation) -> OperationResult
}

extension RecordedCell {
    func program(threads: Int, _ dice: inout SeededGenerator) -> [[CellModel.Operation]] {
        CellModel.program(threads: threads, &dice)
    }

    func perform(_ operation: CellModel.Operation, _ log: CallLog<CellModel.Operation>) {
        log.record(operation) { outcome(of: operation) }
    }
}

/// An `Atomic` whose value fits a word.
final class RecordedAtomic: RecordedCell {
    let model: CellModel
    private let atomic: Atomic<Int>

    init(_ dice: inout SeededGenerator) {
        model = CellModel(value: Int.random(in: 0...1, using: &dice))
        atomic = Atomic(model.value)
    }

    func outcome(of operation: CellModel.Operation) -> OperationResult {
        switch operation {
        case .read: return .number(atomic.value)
        case .withValue: return .number(atomic.withValue { $0 })
        case .set(let number):
            atomic.value = number
            return .done
        case .swap(let number): return .number(atomic.swap(number))
        case .add(let number):
            return .number(
                atomic.modify { value in
                    value += number
                    return value
                })
        case .changes: return .numbers([])
        }
    }
}

/// An `Atomic` whose value is larger than a word: its two parts must match.
final class RecordedLargeAtomic: RecordedCell {
    private struct Pair {
        var number: Int
        var negative: Int

        init(_ number: Int) {
            self.number = number
            negative = -number
        }

        var outcome: OperationResult { number == -negative ? .number(number) : .numbers([number, negative]) }
    }

    let model: CellModel
    private let atomic: Atomic<Pair>

    init(_ dice: inout SeededGenerator) {
        model = CellModel(value: Int.random(in: 0...1, using: &dice))
        atomic = Atomic(Pair(model.value))
    }

    func outcome(of operation: CellModel.Operation) -> OperationResult {
        switch operation {
        case .read: return atomic.value.outcome
        case .withValue: return atomic.withValue { $0.outcome }
        case .set(let number):
            atomic.value = Pair(number)
            return .done
        case .swap(let number): return atomic.swap(Pair(number)).outcome
        case .add(let number):
            return atomic.modify { pair in
                pair.number += number
                pair.negative -= number
                return pair.outcome
            }
        case .changes: return .numbers([])
        }
    }
}

/// A property, and the changes that an observer receives: law R3 demands the order in which they were made.
final class RecordedProperty: RecordedCell, @unchecked Sendable {  // The log is owned by the property's strand.
    let model: CellModel
    private let property: MutableProperty<Int>
    private var changes: [Int] = []

    /// How many changes were made, and how many were delivered.
    private let made = Counter()
    private let delivered = Counter()

    init(_ dice: inout SeededGenerator) {
        model = CellModel(value: Int.random(in: 0...1, using: &dice), changes: [])
        property = MutableProperty(model.value)
        property.signal.observeValues { [unowned self] in
            changes.append($0)
            delivered.increment()
        }
    }

    var last: [CellModel.Operation] { [.read, .changes] }

    func outcome(of operation: CellModel.Operation) -> OperationResult {
        switch operation {
        case .read: return .number(property.value)
        case .withValue: return .number(property.withValue { $0 })
        case .set(let number):
            made.increment()
            property.value = number
            return .done
        case .swap(let number):
            made.increment()
            return .number(property.swap(number))
        case .add(let number):
            made.increment()
            return .number(
                property.modify { value in
                    value += number
                    return value
                })
        case .changes:
            // A worker may still deliver.
            _ = Stress.eventually { delivered.value >= made.value }
            return .numbers(changes)
        }
    }
}
