import Foundation
import Testing

/// A deliberate hang. It checks that a hanging test is named, so that a hang can be attributed.
@Suite("Stress: seeded hang")
struct SeededHangTests {
    /// `Tests/run` stops this test and expects its name in the output.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CORINTH_SEEDED_HANG"] != nil))
    func `A test that never ends`() { DispatchSemaphore(value: 0).wait() }

    @Test func `A thread that doesn't end is named in the message`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            soon()
            ThreadGroup.run(3) { if $0 == 1 { DispatchSemaphore(value: 0).wait() } }
        }
        try expect(result, says: "of 3 threads, these (counted from 0) have not ended: 1")
    }

    @Test func `A barrier reports how many threads have arrived`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            soon()
            let barrier = Barrier(3)
            Thread { barrier.arrive() }.start()
            barrier.arrive()
        }
        try expect(result, says: "only 2 of 3 threads have arrived at a barrier")
    }

    private func expect(_ result: ExitTest.Result?, says message: String) throws {
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains(message), "\(output)")
    }
}

/// Limits every wait in this process to less than half a second. The process belongs to an exit test.
private func soon() {
    unsafe setenv("CORINTH_TEST_SECONDS", "0.2", 1)
    unsafe setenv("CORINTH_STRESS_SECONDS", "0.01", 1)
}
