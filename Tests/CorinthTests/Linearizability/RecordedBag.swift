import CorinthTesting

@testable import Corinth

/// Elements in the order of insertion, which are removed by the numbers of their insertions.
struct BagModel: SequentialModel {
    enum Operation: Hashable, Sendable {
        case insert(Int), remove(Int), elements, count, first, last
    }

    var elements: [Int] = []
    var numbers: [Int] = []
    var lastNumber = 0

    mutating func apply(_ operation: Operation) -> OperationResult? {
        switch operation {
        case .insert(let element):
            lastNumber += 1
            elements.append(element)
            numbers.append(lastNumber)
            return .number(lastNumber)
        case .remove(let number):
            guard let index = numbers.firstIndex(of: number) else { return .number(nil) }
            numbers.remove(at: index)
            return .number(elements.remove(at: index))
        case .elements: return .numbers(elements)
        case .count: return .number(elements.count)
        case .first: return .number(elements.first)
        case .last: return .number(elements.last)
        }
    }

    static func program(threads: Int, _ dice: inout SeededGenerator) -> [[Operation]] {
        (0..<threads).map { thread in
            (0..<(threads == 2 ? 4 : 3)).map { index in
                switch Int.random(in: 0...8, using: &dice) {
                case 0...2: return .insert(10 * (thread + 1) + index)
                case 3...5: return .remove(Int.random(in: 1...5, using: &dice))
                case 6: return .elements
                case 7: return .count
                default: return Bool.random(using: &dice) ? .first : .last
                }
            }
        }
    }
}

/// A bag that holds up to three elements at first.
final class RecordedBag: RecordedObject {
    let model: BagModel
    private let bag = Bag<Int>()

    init(_ dice: inout SeededGenerator) {
        var model = BagModel()
        for element in 0..<Int.random(in: 0...3, using: &dice) {
            bag.insert(element)
            _ = model.apply(.insert(element))
        }
        self.model = model
    }

    var last: [BagModel.Operation] { [.elements] }

    func program(threads: Int, _ dice: inout SeededGenerator) -> [[BagModel.Operation]] {
        BagModel.program(threads: threads, &dice)
    }

    func perform(_ operation: BagModel.Operation, _ log: CallLog<BagModel.Operation>) {
        log.record(operation) {
            switch operation {
            case .insert(let element): .number(Int(bag.insert(element).number))
            case .remove(let number): .number(bag.remove(using: Bag.Token(number: UInt64(number))))
            case .elements: .numbers(bag.elements)
            case .count: .number(bag.count)
            case .first: .number(bag.first)
            case .last: .number(bag.last)
            }
        }
    }
}
