import Corinth
import CorinthTesting

/// Actions that run together when they are disposed of. A disposal closes the composite and then takes one action after
/// another: until its turn, an action may be removed.
struct CompositeModel: SequentialModel {
    enum Operation: Hashable, Sendable {
        /// Returns whether it was added. Otherwise it has run.
        case add(Int)
        case remove(Int)
        case isDisposed
        /// Each disposal has a number.
        case dispose(Int)
        case close(Int), takeNext(Int)
        /// The actions that were added and ran, in this order.
        case ran
    }

    /// How many actions there are in a history at most.
    static let limit = 9

    private var actions: [Int] = []
    private var disposal: Int?
    private var ran: [Int] = []

    static func steps(of operation: Operation) -> [Operation] {
        guard case .dispose(let number) = operation else { return [operation] }
        return [.close(number)] + Array(repeating: .takeNext(number), count: limit)
    }

    mutating func apply(_ operation: Operation) -> OperationResult? {
        switch operation {
        case .add(let action):
            if disposal != nil { return .flag(false) }
            actions.append(action)
            return .flag(true)
        case .remove(let action): actions.removeAll { $0 == action }
        case .isDisposed: return .flag(disposal != nil)
        case .close(let number): disposal = disposal ?? number
        case .takeNext(let number): if disposal == number, !actions.isEmpty { ran.append(actions.removeFirst()) }
        case .ran: return .numbers(ran)
        case .dispose: return nil
        }
        return .done
    }
}

/// What a recorded composite is.
protocol TestedComposite: AnyObject, Sendable {
    var isDisposed: Bool { get }
    func dispose()
    func addAction(_ action: @escaping @Sendable () -> Void) -> (any Disposable)?
}

extension CompositeDisposable: TestedComposite {
    func addAction(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { add(action) }
}

/// A composite with three actions at first, which any thread may remove. A thread removes what it has added, too.
class RecordedComposite: RecordedObject, @unchecked Sendable {  // Each handle is owned by the thread that adds it.
    let model: CompositeModel
    private let composite: any TestedComposite
    private let handles = (0..<CompositeModel.limit).map { _ in Holder<(any Disposable)?>(nil) }
    private let ran = Atomic<[Int]>([])
    private let refused = Atomic<Set<Int>>([])

    init(_ composite: any TestedComposite) {
        self.composite = composite
        var model = CompositeModel()
        for number in 0..<3 {
            handles[number].held = composite.addAction { [ran] in ran.modify { $0.append(number) } }
            _ = model.apply(.add(number))
        }
        self.model = model
    }

    required convenience init(_ dice: inout SeededGenerator) { self.init(CompositeDisposable()) }

    var last: [CompositeModel.Operation] { [.isDisposed, .dispose(9), .ran] }

    func program(threads: Int, _ dice: inout SeededGenerator) -> [[CompositeModel.Operation]] {
        var next = 3
        // At most two threads dispose, each once: a disposal has many steps.
        let disposers = Int.random(in: 1...2, using: &dice)
        return (0..<threads).map { thread in
            var mine: [Int] = []
            var operations = (0..<3).map { _ -> CompositeModel.Operation in
                switch Int.random(in: 0...5, using: &dice) {
                case 0...2 where next < CompositeModel.limit:
                    mine.append(next)
                    next += 1
                    return .add(next - 1)
                case 3: return .isDisposed
                default: return .remove(([0, 1, 2] + mine).randomElement(using: &dice) ?? 0)
                }
            }
            if thread < disposers { operations.insert(.dispose(thread), at: Int.random(in: 0...3, using: &dice)) }
            return operations
        }
    }

    func perform(_ operation: CompositeModel.Operation, _ log: CallLog<CompositeModel.Operation>) {
        log.record(operation) {
            switch operation {
            case .add(let number):
                let handle = composite.addAction { [ran] in ran.modify { $0.append(number) } }
                handles[number].held = handle
                if handle != nil { return .flag(true) }
                refused.modify { _ = $0.insert(number) }
                return ran.value.contains(number) ? .flag(false) : .done
            case .remove(let number): handles[number].held?.dispose()
            case .isDisposed: return .flag(composite.isDisposed)
            case .dispose: composite.dispose()
            default: return .numbers(ran.value.filter { !refused.value.contains($0) })
            }
            return .done
        }
    }
}
