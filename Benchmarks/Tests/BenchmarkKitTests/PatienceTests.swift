import Dispatch
import Foundation
import Testing

@testable import BenchmarkKit

struct PatienceTests {
    // What is waited for goes on whenever it is looked at: no thread has to come in time.

    @Test func whatGoesOnIsWaitedForHoweverLongItTakes() {
        let signal = DispatchSemaphore(value: 0)
        var count = 0
        let came = Patience.wait(for: signal, seconds: 0.01) {
            count += 1
            if count == 12 { signal.signal() }
            return count
        }
        #expect(came)
        #expect(count == 12)
    }

    @Test func whatIsCountedIsWaitedForHoweverLongItTakes() {
        var count = 0
        let reached = Patience.yield(until: 12, seconds: 0.01) {
            usleep(20_000)
            count += 1
            return count
        }
        #expect(reached)
        #expect(count == 12)
    }

    @Test func whatStandsStillIsGivenUp() {
        #expect(!Patience.wait(for: DispatchSemaphore(value: 0), seconds: 0.05) { 7 })
        #expect(!Patience.yield(until: 1, seconds: 0.05) { 0 })
    }

    @Test func whatIsThereIsNotWaitedFor() {
        let signal = DispatchSemaphore(value: 0)
        signal.signal()
        #expect(Patience.wait(for: signal, seconds: 0) { 0 })
        #expect(Patience.yield(until: 0, seconds: 0) { 0 })
    }
}
