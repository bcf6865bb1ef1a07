import CorinthTesting

@testable import Corinth

/// A count of permits with a bound.
struct PermitsModel: SequentialModel {
    enum Operation: Hashable, Sendable {
        /// Counts a value, even beyond the bound; waits until the count is within the bound; counts a value less.
        case enter, wait, leave
        /// Takes a permit, if there is one; takes one and waits for it; gives one back and returns how many are left.
        case tryTake, take, giveBack
        case close
        /// How many are taken.
        case taken
    }

    let capacity: Int
    var count = 0
    var isClosed = false

    mutating func apply(_ operation: Operation) -> OperationResult? {
        switch operation {
        case .enter: count += 1
        case .leave:
            if count == 0 { return nil }
            count -= 1
        case .wait: if count > capacity, !isClosed { return nil }
        case .tryTake:
            if count >= capacity { return .flag(false) }
            count += 1
            return .flag(true)
        case .take:
            if count >= capacity { return nil }
            count += 1
        case .giveBack:
            count -= 1
            return .number(count)
        case .close: isClosed = true
        case .taken: return .number(count)
        }
        return .done
    }

    init(_ dice: inout SeededGenerator) {
        capacity = Int.random(in: 1...2, using: &dice)
    }
}

/// Permits of values that are stored elsewhere: senders count a value and wait, one thread counts the values that it takes.
final class RecordedCountedPermits: RecordedObject {
    let model: PermitsModel
    private let permits: Permits
    private let strand = Strand()

    /// How many values were counted. Not a part of the history.
    private let entered = Counter()

    init(_ dice: inout SeededGenerator) {
        model = PermitsModel(&dice)
        permits = Permits(MailboxBound(capacity: model.capacity, stallTimeout: .max), servedBy: nil)
    }

    func program(threads: Int, _ dice: inout SeededGenerator) -> [[PermitsModel.Operation]] {
        let each = threads == 2 ? 4 : 2
        let sent = each * (threads - 1)
        // Either all values leave, or the bound is removed before.
        let closes = Int.random(in: 0...3, using: &dice) == 0
        let left = closes ? Int.random(in: 0..<sent, using: &dice) : sent
        let server = Array(repeating: PermitsModel.Operation.leave, count: left) + (closes ? [.close] : [])
        return [server] + (1..<threads).map { _ in Array(repeatElement([.enter, .wait], count: each).joined()) }
    }

    func perform(_ operation: PermitsModel.Operation, _ log: CallLog<PermitsModel.Operation>) {
        // Only a value that was counted can leave. This thread is the only one that counts those that have left.
        let left = log.calls.count
        if operation == .leave, !Stress.eventually({ entered.value > left }) { return }
        log.record(operation) {
            switch operation {
            case .enter: permits.enter()
            case .wait: permits.waitIfBeyondBound(outside: strand)
            case .leave: permits.leave(1)
            default: permits.close()
            }
            return .done
        }
        if operation == .enter { entered.increment() }
    }
}

#if !NaiveLocks
    /// Permits that threads take and give back. Either they try, or they wait.
    final class RecordedTakenPermits: RecordedObject {
        let model: PermitsModel
        private let permits: Permits

        /// How many permits are known to be taken. Not a part of the history.
        private let known = Atomic(0)

        init(_ dice: inout SeededGenerator) {
            model = PermitsModel(&dice)
            permits = Permits(capacity: UInt64(model.capacity), stallTimeout: .max)
        }

        var last: [PermitsModel.Operation] { [.taken] }

        func program(threads: Int, _ dice: inout SeededGenerator) -> [[PermitsModel.Operation]] {
            let each = threads == 2 ? 4 : 3
            if Bool.random(using: &dice) {
                // Everything that is taken is given back by one thread.
                let server = Array(repeating: PermitsModel.Operation.leave, count: each * (threads - 1))
                return [server] + (1..<threads).map { _ in Array(repeating: .take, count: each) }
            }
            return (0..<threads).map { _ in (0..<each).map { _ in Bool.random(using: &dice) ? .tryTake : .giveBack } }
        }

        func perform(_ operation: PermitsModel.Operation, _ log: CallLog<PermitsModel.Operation>) {
            switch operation {
            case .leave:
                if Stress.eventually({ takeKnown() }) { giveBack(log) }
            case .giveBack: if takeKnown() { giveBack(log) }
            case .take:
                log.record(.take) {
                    permits.blockingTake()
                    return .done
                }
                known.modify { $0 += 1 }
            case .tryTake:
                var isTaken = false
                log.record(.tryTake) {
                    isTaken = permits.tryTake()
                    return .flag(isTaken)
                }
                if isTaken { known.modify { $0 += 1 } }
            default: log.record(.taken) { .number(Int(permits.state.taken(.relaxed))) }
            }
        }

        private func takeKnown() -> Bool {
            known.modify { count in
                if count == 0 { return false }
                count -= 1
                return true
            }
        }

        private func giveBack(_ log: CallLog<PermitsModel.Operation>) {
            log.record(.giveBack) { .number(Int(permits.giveBack(1))) }
        }
    }
#endif
