import BenchmarkKit
import Foundation
import Testing

@Suite struct AllocationTests {
    @Test func allocationsOfAllThreadsAreCountedExactly() async {
        // jemalloc reads this when a process begins. The one that counts is a process of its own, because the
        // tests that run beside this one allocate, too.
        unsafe setenv("MALLOC_CONF", "tcache:false", 1)
        await #expect(processExitsWith: .success) {
            if !AllocationSelfTest.passes() { exit(1) }
        }
    }
}
