import CBenchmarkSupport

/// What the process has asked of the allocator and of the kernel.
public enum ProcessCounters {
    /// Allocation requests so far, all threads; nil where jemalloc's statistics can't be had.
    ///
    /// Exact where threads have no caches of their own: see ``AllocationSelfTest``.
    public static func allocationRequests() -> UInt64? {
        value(bench_allocation_requests())
    }

    /// Bytes asked of the allocator so far, in its size classes; as exact as the requests.
    public static func requestedBytes() -> UInt64? {
        value(bench_requested_bytes())
    }

    /// Page faults so far; nil where the kernel doesn't say.
    public static func pageFaults() -> UInt64? {
        value(bench_page_faults())
    }

    /// Bytes that are allocated now, all threads; nil where jemalloc's statistics can't be had.
    public static func allocatedBytes() -> UInt64? {
        value(bench_allocated_bytes())
    }

    /// Context switches so far, voluntary and not; nil where the kernel doesn't say.
    public static func contextSwitches() -> UInt64? {
        value(bench_context_switches())
    }

    /// Starts counting system calls, in a process that times nothing: a call that is counted takes longer.
    static func openSystemCalls() {
        bench_system_calls_open()
    }

    /// System calls since ``openSystemCalls()``, of threads started since; nil where the kernel doesn't say.
    static func systemCalls() -> UInt64? {
        value(bench_system_calls())
    }

    /// Allocates and frees `count` blocks of `size` bytes.
    public static func allocate(count: Int, size: Int) {
        bench_allocate(UInt64(count), UInt64(size))
    }

    private static func value(_ count: bench_count) -> UInt64? {
        count.available ? count.value : nil
    }
}
