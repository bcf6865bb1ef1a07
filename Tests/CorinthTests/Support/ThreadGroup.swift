@testable import Corinth
import Foundation

/// System threads that begin at the same moment.
enum ThreadGroup {
    /// Runs `body` on `count` threads at once. Returns when all have ended.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        // The caller arrives, too: a `Thread` can't be given a name before the call of `start()` has returned.
        let start = Barrier(count + 1)
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
        start.arrive()
        for _ in 0..<count { ended.wait(orElse: missing(in: ends)) }
    }

    /// The work of a thread. It releases its captures before the thread reports its end.
    private final class Job: @unchecked Sendable {  // Handed to the thread.
        private var body: ((Int) -> Void)?

        init(_ body: @escaping (Int) -> Void) { self.body = body }

        func run(_ index: Int) { body.take()?(index) }
    }

    private static func missing(in ends: [Flag]) -> String {
        let missing = ends.indices.filter { !ends[$0].isRaised }.map { "\($0)" }.joined(separator: ", ")
        return "of \(ends.count) threads, these (counted from 0) have not ended: \(missing)"
    }

    /// Runs each of the bodies on its own thread.
    static func run(_ bodies: [@Sendable () -> Void]) {
        run(bodies.count) { bodies[$0]() }
    }
}

/// Blocks threads until `count` have arrived, then releases all of them. It can be used again.
final class Barrier: @unchecked Sendable {  // Its words are atomic.
    private let arrived = AtomicWord()
    private let round = AtomicWord()
    private let count: UInt64

    init(_ count: Int) {
        self.count = UInt64(count)
    }

    func arrive() {
        let current = round.load(.acquire)
        if arrived.fetchAdd(1, .acquireRelease) + 1 == count {
            arrived.store(0, .relaxed)
            round.store(current + 1, .release)
            return
        }
        var spins = 0
        let end = ContinuousClock.now + .seconds(WaitLimit.seconds)
        while round.load(.acquire) == current {
            round.spin(iteration: spins)
            spins += 1
            if spins.isMultiple(of: 1024), ContinuousClock.now > end {
                WaitLimit.exceeded("only \(arrived.load(.relaxed)) of \(count) threads have arrived at a barrier")
            }
        }
    }
}
