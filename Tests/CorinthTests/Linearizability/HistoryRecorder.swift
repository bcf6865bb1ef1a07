import CorinthTesting
import Foundation
import Testing

@testable import Corinth

/// An object whose histories are recorded.
protocol RecordedObject: Sendable {
    associatedtype Model: SequentialModel

    init(_ dice: inout SeededGenerator)

    /// The state at first.
    var model: Model { get }

    /// The operations of each thread. Every thread must be able to end, whatever the others do at which time.
    func program(threads: Int, _ dice: inout SeededGenerator) -> [[Model.Operation]]

    /// Performs an operation and records its call.
    func perform(_ operation: Model.Operation, _ log: CallLog<Model.Operation>)

    /// The operations after all threads have ended.
    var last: [Model.Operation] { get }
}

extension RecordedObject {
    var last: [Model.Operation] { [] }
}

/// The calls of one thread. No lock surrounds the operations.
final class CallLog<Operation: Sendable>: @unchecked Sendable {  // Owned by its thread.
    private let thread: Int

    /// Counts beginnings and returns of all threads' calls. Nil in a history in program order.
    private let clock: Counter?

    /// The last time, without such a clock.
    private var latest = 0
    private(set) var calls: [Call<Operation>] = []

    init(thread: Int, _ clock: Counter?) {
        self.thread = thread
        self.clock = clock
    }

    /// Advances the clock.
    ///
    /// - Returns: A time that no other event has. Without a clock of all threads, no other event of this thread has it.
    func tick() -> Int {
        if let clock { return clock.increment() }
        latest = max(latest + 1, Int(MonotonicTime.now))
        return latest
    }

    func record(_ operation: Operation, _ body: () -> OperationResult) {
        let begin = tick()
        // Some calls that are timed let other threads come in between, even if there are fewer processors than threads.
        if clock != nil, (calls.count + thread).isMultiple(of: 3) { Work.yield() }
        let outcome = body()
        append(operation, outcome, from: begin)
    }

    /// Records a call that returns now.
    func append(_ operation: Operation, _ outcome: OperationResult, from begin: Int) {
        calls.append(Call(thread: thread, operation: operation, outcome: outcome, begin: begin, end: tick()))
    }
}

/// One object, what each thread does with it, and the calls.
private final class Recording<Object: RecordedObject>: Sendable {
    typealias Log = CallLog<Object.Model.Operation>

    let seed: Int
    let object: Object
    let model: Object.Model
    private let order: History<Object.Model.Operation>.Order
    private let clock: Counter?
    private let program: [[Object.Model.Operation]]
    private let logs: [Log]

    /// How many threads have come to this object.
    private let arrived = Counter()

    init(seed: Int, threads: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        self.seed = seed
        order = seed.isMultiple(of: 2) ? .realTime : .program
        clock = order == .realTime ? Counter() : nil
        object = Object(&dice)
        model = object.model
        program = object.program(threads: threads, &dice)
        logs = program.indices.map { [clock] in Log(thread: $0, clock) }
    }

    func run(_ thread: Int) {
        guard program.indices.contains(thread) else { return }
        meet()
        for operation in program[thread] { object.perform(operation, logs[thread]) }
    }

    /// Lets the threads begin at once. This isn't a barrier: a thread doesn't wait long for one that isn't running.
    private func meet() {
        arrived.increment()
        for attempt in 1...2_000 where arrived.value < program.count {
            if attempt.isMultiple(of: 1_000) { Work.yield() }
        }
    }

    /// The calls, after all threads have ended.
    func finish() -> History<Object.Model.Operation> {
        let log = Log(thread: History<Object.Model.Operation>.after, clock)
        for operation in object.last { object.perform(operation, log) }
        return History(order: order, calls: (logs + [log]).flatMap(\.calls))
    }
}

enum HistoryRecorder {
    #if NaiveLocks
        static let build = "naive build"
    #else
        static let build = "lock-free build"
    #endif

    /// How many histories of one object are recorded: in all tests together more than ten thousand. Fewer under sanitizers.
    static let usual = max(100, Int(1_000 * Stress.seconds))

    /// Records histories of an object under two, three and four threads. Returns an explanation of the first that isn't
    /// linearizable, and the number of histories with calls at the same time.
    static func fault<Object: RecordedObject>(
        of type: Object.Type, histories: Int = usual
    ) -> (explanation: String?, histories: Int, overlapping: Int) {
        var overlapping = 0
        var recorded = 0
        while recorded < histories {
            let threads = 2 + recorded / 50 % 3
            let recordings = (recorded..<recorded + 50).map { Recording<Object>(seed: $0, threads: threads) }
            recorded += recordings.count
            ThreadGroup.run(threads) { thread in
                for recording in recordings { recording.run(thread) }
            }
            for recording in recordings {
                let history = recording.finish()
                if history.hasOverlap { overlapping += 1 }
                if LinearizabilityChecker.isLinearizable(history, from: recording.model) { continue }
                let explanation = LinearizabilityChecker.explanation(of: history, from: recording.model)
                return ("seed \(recording.seed), \(recording.model):\n\(explanation)", recorded, overlapping)
            }
        }
        return (nil, recorded, overlapping)
    }
}

extension History {
    /// Whether two calls were in progress at the same time. The times of program order don't tell.
    fileprivate var hasOverlap: Bool {
        let byBegin = calls.sorted { $0.begin < $1.begin }
        return order == .realTime && zip(byBegin, byBegin.dropFirst()).contains { $0.end > $1.begin }
    }
}

/// Expects that all recorded histories of an object are linearizable, or sequentially consistent where no clock was read.
func expectLinearizable<Object: RecordedObject>(_ type: Object.Type, at place: SourceLocation = #_sourceLocation) {
    let result = HistoryRecorder.fault(of: type)
    print(
        "linearizability: \(result.histories) histories of \(type), \(HistoryRecorder.build); calls overlap in \(result.overlapping) of "
            + "the \(result.histories / 2) that are timed")
    if let explanation = result.explanation {
        Issue.record("\(type) isn't linearizable. \(explanation)", sourceLocation: place)
    }
}

/// Expects that a history of a wrong object is found not to be linearizable.
func expectFault<Object: RecordedObject>(_ type: Object.Type, at place: SourceLocation = #_sourceLocation) {
    let result = HistoryRecorder.fault(of: type, histories: 20_000)
    #expect(result.explanation != nil, "\(result.histories) histories of \(type), and no fault", sourceLocation: place)
    if let explanation = result.explanation {
        print("linearizability, seeded bug: history \(result.histories) of \(type), \(explanation)")
    }
}
