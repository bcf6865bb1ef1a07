import Foundation
import Synchronization

/// A counter that many threads increment.
final class Counter: Sendable {
    private let number = Atomic(0)

    /// The count. The caller also sees what the threads did before they incremented.
    var value: Int { number.load(ordering: .acquiring) }

    @discardableResult
    func increment() -> Int { number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }
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
