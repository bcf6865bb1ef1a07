import CTestSupport
import Testing

@testable import Corinth

@Suite("The library's own threads")
struct ThreadTests {
    private final class Captured: Sendable {
        let runs = Atomic(0)
    }

    @Test(.enabled(if: test_counts_allocations()))
    func `A thread for which there is no memory isn't started, and what it would have run is released`() {
        weak var released: Captured?
        do {
            let captured = Captured()
            released = captured
            let body = { @Sendable in captured.runs.modify { $0 += 1 } }
            test_fail_next_calloc()
            #expect(!Thread.tryStart(named: "corinth.test", body))
            #expect(captured.runs.value == 0)
        }
        #expect(released == nil)
    }
}
