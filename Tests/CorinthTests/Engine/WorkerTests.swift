@testable import Corinth
import Foundation
import Testing

/// Work for threads of Dispatch.
@Suite("Worker")
struct WorkerTests {
    @Test("Watched work is submitted, however much other work has ended before")
    func watched() {
        let gate = DispatchSemaphore(value: 0)
        // The queues that are used again have work all the time.
        for _ in 0..<16 { Worker.submit { gate.wait() } }
        defer { for _ in 0..<16 { gate.signal() } }
        for number in 1...200 {
            let ran = DispatchSemaphore(value: 0)
            Worker.submit { ran.signal() }
            ran.wait(orElse: "work \(number) hasn't run")
        }
        let ran = Flag()
        #expect(
            Stress.eventually {
                Worker.submit({ ran.raise() }, isWatched: true)
                return ran.isRaised
            })
    }
}
