import Foundation
import Testing

/// Hangs on purpose: what hangs is told of, or it would only be known that something does.
@Suite("Stress: seeded hang")
struct SeededHangTests {
    /// `Tests/run` stops it, and expects to read its name.
    @Test(
        "A test that never ends",
        .enabled(if: ProcessInfo.processInfo.environment["CORINTH_SEEDED_HANG"] != nil))
    func test() { DispatchSemaphore(value: 0).wait() }

    @Test("A thread that never ends is named")
    func thread() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            soon()
            Crew.run(3) { if $0 == 1 { DispatchSemaphore(value: 0).wait() } }
        }
        try expect(result, says: "these of 3 threads, counted from 0, have not ended: 1")
    }

    @Test("A barrier says how many have come")
    func barrier() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            soon()
            let barrier = Barrier(3)
            Thread { barrier.arrive() }.start()
            barrier.arrive()
        }
        try expect(result, says: "2 of 3 threads have come to a barrier, and no more")
    }

    private func expect(_ result: ExitTest.Result?, says message: String) throws {
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains(message), "\(output)")
    }
}

/// Makes this process, which is an exit test's own, wait less than half a second for anything.
private func soon() {
    unsafe setenv("CORINTH_TEST_SECONDS", "0.2", 1)
    unsafe setenv("CORINTH_STRESS_SECONDS", "0.01", 1)
}
