@testable import Corinth
import Foundation

/// Threads of the system that begin at the same moment.
enum Crew {
    /// Runs `body` on so many threads at once, and comes back when all have ended.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let start = Barrier(count)
        let ended = DispatchSemaphore(value: 0)
        let ends = (0..<count).map { _ in Flag() }
        for index in 0..<count {
            let job = Job(body)
            let thread = Thread {
                start.arrive()
                job.run(index)
                ends[index].raise()
                ended.signal()
            }
            thread.stackSize = 1 << 19
            thread.start()
        }
        for _ in 0..<count { ended.wait(orElse: missing(in: ends)) }
    }

    /// What a thread runs. It holds on to nothing of that when it says that it has ended, which is before it does.
    private final class Job: @unchecked Sendable {  // Handed to the thread.
        private var body: ((Int) -> Void)?

        init(_ body: @escaping (Int) -> Void) { self.body = body }

        func run(_ index: Int) { body.take()?(index) }
    }

    private static func missing(in ends: [Flag]) -> String {
        let missing = ends.indices.filter { !ends[$0].isRaised }.map { "\($0)" }.joined(separator: ", ")
        return "these of \(ends.count) threads, counted from 0, have not ended: \(missing)"
    }

    /// Runs each of the bodies on a thread of its own.
    static func run(_ bodies: [@Sendable () -> Void]) {
        run(bodies.count) { bodies[$0]() }
    }
}

/// Where threads wait until so many have come; then all go on, and it can be used again.
final class Barrier: @unchecked Sendable {  // Its words are atomic.
    private var arrivedStorage: UInt64 = 0
    private var roundStorage: UInt64 = 0
    private let count: UInt64

    init(_ count: Int) {
        self.count = UInt64(count)
    }

    private var arrived: AtomicWord { AtomicWord(of: self) }
    private var round: AtomicWord { AtomicWord(of: self, at: 8) }

    func arrive() {
        let current = round.load(.acquire)
        if arrived.fetchAdd(1, .acquireRelease) + 1 == count {
            arrived.store(0, .relaxed)
            round.store(current + 1, .release)
            return
        }
        var turn = 0
        let end = ContinuousClock.now + .seconds(WaitLimit.seconds)
        while round.load(.acquire) == current {
            round.spin(turn: turn)
            turn += 1
            if turn.isMultiple(of: 1024), ContinuousClock.now > end {
                WaitLimit.exceeded("\(arrived.load(.relaxed)) of \(count) threads have come to a barrier, and no more")
            }
        }
    }
}

/// A number that many threads count up.
final class Counter: @unchecked Sendable {  // One atomic word.
    private var storage: UInt64 = 0

    private var word: AtomicWord { AtomicWord(of: self) }

    /// What was counted; what the counting threads did before is seen.
    var value: Int { Int(word.load(.acquire)) }

    @discardableResult
    func increment() -> Int { Int(word.fetchAdd(1, .acquireRelease)) + 1 }
}

/// Raised once, for all threads to see.
final class Flag: Sendable {
    private let counter = Counter()

    var isRaised: Bool { counter.value > 0 }

    func raise() { counter.increment() }
}

/// What a thread does to pass the time without sleeping.
enum Work {
    /// Keeps the processor busy.
    static func spin(_ turns: Int) {
        let counter = Counter()
        for _ in 0..<turns { counter.increment() }
    }

    /// Lets other threads run.
    static func yield() { sched_yield() }
}
