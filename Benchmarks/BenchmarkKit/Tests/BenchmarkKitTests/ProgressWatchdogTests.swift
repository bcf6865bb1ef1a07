import Dispatch
import Foundation
import Testing

@testable import BenchmarkKit

struct ProgressWatchdogTests {
    // The count changes whenever it is read, so the tests depend on no other thread.

    @Test func aWaitLastsWhileThereIsProgress() {
        let signal = DispatchSemaphore(value: 0)
        var count = 0
        let came = ProgressWatchdog.wait(for: signal, stallSeconds: 0.01) {
            count += 1
            if count == 12 { signal.signal() }
            return count
        }
        #expect(came)
        #expect(count == 12)
    }

    @Test func yieldingLastsWhileTheCountGrows() {
        var count = 0
        let reached = ProgressWatchdog.yield(until: 12, stallSeconds: 0.01) {
            usleep(20_000)
            count += 1
            return count
        }
        #expect(reached)
        #expect(count == 12)
    }

    @Test func aStallEndsTheWait() {
        #expect(!ProgressWatchdog.wait(for: DispatchSemaphore(value: 0), stallSeconds: 0.05) { 7 })
        #expect(!ProgressWatchdog.yield(until: 1, stallSeconds: 0.05) { 0 })
    }

    @Test func aReachedGoalNeedsNoWait() {
        let signal = DispatchSemaphore(value: 0)
        signal.signal()
        #expect(ProgressWatchdog.wait(for: signal, stallSeconds: 0) { 0 })
        #expect(ProgressWatchdog.yield(until: 0, stallSeconds: 0) { 0 })
    }
}
