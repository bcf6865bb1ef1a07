import Dispatch
import Foundation
import Synchronization
import Testing

@testable import BenchmarkKit

/// What is waited for: something that counts, and a thread that makes it.
private final class Progress: Sendable {
    let count = Atomic<Int>(0)
    let signal = DispatchSemaphore(value: 0)

    /// Counts to `total`, with a pause before each that is much shorter than the patience of these tests, and signals.
    func make(_ total: Int) {
        DispatchQueue.global().async { [self] in
            for _ in 0..<total {
                usleep(100_000)
                count.add(1, ordering: .relaxed)
            }
            signal.signal()
        }
    }

    func read() -> Int { count.load(ordering: .relaxed) }
}

struct PatienceTests {
    @Test func whatGoesOnIsWaitedForHoweverLongItTakes() {
        let progress = Progress()
        progress.make(12)
        #expect(Patience.wait(for: progress.signal, seconds: 1, progress: progress.read))
        #expect(progress.read() == 12)
        progress.make(12)
        #expect(Patience.yield(until: 24, seconds: 1, count: progress.read))
    }

    @Test func whatStandsStillIsGivenUp() {
        let progress = Progress()
        #expect(!Patience.wait(for: progress.signal, seconds: 0.05, progress: progress.read))
        #expect(!Patience.yield(until: 1, seconds: 0.05, count: progress.read))
    }

    @Test func whatIsThereIsNotWaitedFor() {
        let progress = Progress()
        progress.signal.signal()
        #expect(Patience.wait(for: progress.signal, seconds: 0, progress: progress.read))
        #expect(Patience.yield(until: 0, seconds: 0, count: progress.read))
    }
}
