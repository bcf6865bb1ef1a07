import BenchmarkKit
import Foundation
import Testing

@Suite struct AllocationTests {
    @Test func allocationsOfAllThreadsAreCountedExactly() async {
        // jemalloc reads this when a process starts. The counting process is a separate one, because concurrent tests
        // allocate, too.
        unsafe setenv("MALLOC_CONF", "tcache:false", 1)
        await #expect(processExitsWith: .success) {
            if !AllocationSelfTest.passes() { exit(1) }
        }
    }
}
