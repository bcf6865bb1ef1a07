import CorinthTesting

@testable import Corinth

/// A queue to one thread. A post first claims a place and then publishes its element. An element that was claimed and not
/// published hides the ones behind it, as in Vyukov's queue: ``Ring/take()`` returns nil.
struct QueueModel: SequentialModel {
    enum Operation: Hashable, Sendable {
        case post(Int), postByTaker(Int)
        case claim(Int), publish(Int)
        case take
        /// Takes until there is an element, unless all have been taken.
        case takeOne
        /// Takes until there is none.
        case takeAll
    }

    private struct Place: Hashable {
        let element: Int
        var isPublished = false
    }

    /// `.max` if posts don't wait.
    let capacity: Int
    private var places: [Place] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    static func steps(of operation: Operation) -> [Operation] {
        switch operation {
        case .post(let element), .postByTaker(let element): [.claim(element), .publish(element)]
        default: [operation]
        }
    }

    mutating func apply(_ operation: Operation) -> OperationResult? {
        switch operation {
        case .claim(let element):
            if places.count >= capacity { return nil }
            places.append(Place(element: element))
            return .done
        case .publish(let element):
            guard let index = places.firstIndex(where: { $0.element == element }) else { return nil }
            places[index].isPublished = true
            return .done
        case .take: return .number(places.first?.isPublished == true ? places.removeFirst().element : nil)
        default: return nil
        }
    }
}

/// What a recorded queue is.
protocol TestedQueue: AnyObject, Sendable {
    func post(_ element: Int, mayWait: Bool) -> Bool
    func postByTaker(_ element: Int)
    func take() -> Int?
}

extension Ring<Int>: TestedQueue {}

/// A queue under threads. The first thread takes, the others post.
class RecordedQueue: RecordedObject, @unchecked Sendable {  // The mutable fields are owned by the taking thread.
    let model: QueueModel
    private let queue: any TestedQueue
    private let mayWait: Bool

    /// How many elements are posted in all, and how many have been taken.
    private var posts = 0
    private var taken = 0

    init(_ queue: any TestedQueue, capacity: Int, mayWait: Bool) {
        self.queue = queue
        self.mayWait = mayWait
        model = QueueModel(capacity: capacity)
    }

    required convenience init(_ dice: inout SeededGenerator) {
        let mayWait = Bool.random(using: &dice)
        let ring = Ring<Int>(
            capacity: 2, isForOne: !mayWait && Bool.random(using: &dice), isParking: Bool.random(using: &dice))
        #if NaiveLocks  // This build's ring is unbounded.
            let capacity = Int.max
        #else
            let capacity = mayWait ? Int(ring.capacity) : .max
        #endif
        self.init(ring, capacity: capacity, mayWait: mayWait)
    }

    var last: [QueueModel.Operation] { [.takeAll] }

    func program(threads: Int, _ dice: inout SeededGenerator) -> [[QueueModel.Operation]] {
        let each = threads == 2 ? 4 : 2
        posts = each * (threads - 1)
        // If posts wait, all elements are taken. Otherwise, some remain, and the taking thread posts too.
        let taker = (0..<posts).map { index -> QueueModel.Operation in
            if mayWait { return .takeOne }
            return Int.random(in: 0...3, using: &dice) == 0 ? .postByTaker(index) : .take
        }
        return [taker] + (1..<threads).map { thread in (0..<each).map { .post(100 * thread + $0) } }
    }

    func perform(_ operation: QueueModel.Operation, _ log: CallLog<QueueModel.Operation>) {
        switch operation {
        case .post(let element):
            log.record(operation) { queue.post(element, mayWait: mayWait) ? .done : .flag(false) }
        case .postByTaker(let element):
            log.record(operation) {
                queue.postByTaker(element)
                return .done
            }
        case .takeOne:
            // Attempts that find nothing aren't recorded.
            let begin = log.tick()
            var element: Int?
            _ = Stress.eventually {
                element = queue.take()
                return element != nil || taken == posts
            }
            guard let element else { return }
            taken += 1
            log.append(.take, .number(element), from: begin)
        case .takeAll:
            var isEmpty = false
            while !isEmpty {
                log.record(.take) {
                    let element = queue.take()
                    isEmpty = element == nil
                    return .number(element)
                }
            }
        default: log.record(.take) { .number(queue.take()) }
        }
    }
}
