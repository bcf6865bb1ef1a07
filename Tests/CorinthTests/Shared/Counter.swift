@testable import Corinth
import Foundation

/// A counter that many threads increment.
final class Counter: @unchecked Sendable {  // One atomic word.
    private let word = AtomicWord()

    /// The count. The caller also sees what the threads did before they incremented.
    var value: Int { Int(word.load(.acquire)) }

    @discardableResult
    func increment() -> Int { Int(word.fetchAdd(1, .acquireRelease)) + 1 }
}

/// A flag that is raised once and visible to all threads.
final class Flag: Sendable {
    private let counter = Counter()

    var isRaised: Bool { counter.value > 0 }

    func raise() { counter.increment() }
}

/// Work that takes time without sleeping.
enum Work {
    /// Keeps the processor busy.
    static func spin(_ iterations: Int) {
        let counter = Counter()
        for _ in 0..<iterations { counter.increment() }
    }

    /// Lets other threads run.
    static func yield() { sched_yield() }
}
