import CorinthTesting

@testable import Corinth

/// A queue for a scheduler. Either it is unbounded, or it drops elements at its capacity.
struct MailboxModel: SequentialModel {
    enum Operation: Hashable, Sendable {
        /// Returns whether no element was dropped.
        case post(Int)
        /// The drain delivers the oldest element.
        case deliver
        /// Runs the drains that are scheduled. Their deliveries are recorded.
        case drain
        /// Takes the strand through which the elements are delivered, and leaves it. Not recorded.
        case hold
        /// After all drains, whether nothing is left.
        case isEmpty
    }

    /// `.max` if unbounded.
    let capacity: Int
    let dropsOldest: Bool
    private var elements: [Int] = []

    init(capacity: Int, dropsOldest: Bool) {
        self.capacity = capacity
        self.dropsOldest = dropsOldest
    }

    mutating func apply(_ operation: Operation) -> OperationResult? {
        switch operation {
        case .post(let element):
            if elements.count < capacity {
                elements.append(element)
                return .flag(true)
            }
            if dropsOldest {
                elements.removeFirst()
                elements.append(element)
            }
            return .flag(false)
        case .deliver: return elements.isEmpty ? nil : .number(elements.removeFirst())
        case .isEmpty: return .flag(elements.isEmpty)
        case .drain, .hold: return nil
        }
    }
}

/// A mailbox under threads. The first thread runs the drains, the second posts, the others disturb the strand.
class RecordedMailbox: RecordedObject, @unchecked Sendable {  // See the fields.
    let model: MailboxModel
    let strand = Strand()
    let scheduler = StepScheduler()

    /// Posts an element. Set by the initialiser.
    private var post: (Int) -> Bool = { _ in true }

    /// Where deliveries are recorded, and when the one in progress began. Owned by the thread that runs the drains.
    private var log: CallLog<MailboxModel.Operation>?
    private var begin = 0

    /// How many elements must be delivered, and how many were.
    private let expected = Counter()
    private let delivered = Counter()

    init(_ model: MailboxModel) {
        self.model = model
    }

    required convenience init(_ dice: inout SeededGenerator) {
        self.init(MailboxModel(capacity: .max, dropsOldest: false))
        setUnboundedMailbox { [unowned self] in deliver($0) }
    }

    /// A scheduled drain keeps the mailbox, and the mailbox its scheduler.
    deinit { scheduler.discard() }

    func setUnboundedMailbox(_ deliver: @escaping (Int) -> Void) {
        let mailbox = Mailbox<Int>(on: scheduler.runningWorkItems, through: strand, deliver: deliver)
        setPost { element in
            mailbox.post(element)
            return true
        }
    }

    func setPost(_ post: @escaping (Int) -> Bool) { self.post = post }

    func deliver(_ element: Int) {
        log?.append(.deliver, .number(element), from: begin)
        begin = log?.tick() ?? 0
        countDelivery()
    }

    /// Counts a delivery that isn't recorded, too: of an element that a wrong mailbox has dropped in silence.
    func countDelivery() { delivered.increment() }

    var last: [MailboxModel.Operation] { [.isEmpty] }

    func program(threads: Int, _ dice: inout SeededGenerator) -> [[MailboxModel.Operation]] {
        let posts = (0..<Int.random(in: 2...8, using: &dice)).map { MailboxModel.Operation.post($0) }
        let drains = Array(repeating: MailboxModel.Operation.drain, count: 4)
        return [drains, posts] + (2..<threads).map { _ in [.hold, .hold, .hold] }
    }

    func perform(_ operation: MailboxModel.Operation, _ log: CallLog<MailboxModel.Operation>) {
        switch operation {
        case .post(let element):
            var isKept = false
            log.record(operation) {
                isKept = post(element)
                return .flag(isKept)
            }
            // A drop means one delivery less, of this element or of another one.
            if isKept { expected.increment() }
        case .hold: strand.enter {}
        case .isEmpty:
            let isComplete = Stress.eventually {
                drain(log)
                return delivered.value >= expected.value
            }
            log.record(operation) { .flag(isComplete) }
        default:
            for _ in 0..<100 where scheduler.count == 0 { Work.spin(10) }
            drain(log)
        }
    }

    private func drain(_ log: CallLog<MailboxModel.Operation>) {
        self.log = log
        begin = log.tick()
        scheduler.run()
    }
}

/// A mailbox with a capacity of one or two elements.
class RecordedDroppingMailbox: RecordedMailbox, @unchecked Sendable {  // See the superclass.
    required convenience init(_ dice: inout SeededGenerator) {
        let capacity = Int.random(in: 1...2, using: &dice)
        let dropsOldest = Bool.random(using: &dice)
        self.init(MailboxModel(capacity: capacity, dropsOldest: dropsOldest))
        let mailbox = DroppingMailbox<Int>(
            on: scheduler.runningWorkItems, through: strand, capacity: capacity, dropsOldest: dropsOldest
        ) { [unowned self] in deliver($0) }
        setPost { mailbox.post($0) }
    }
}
