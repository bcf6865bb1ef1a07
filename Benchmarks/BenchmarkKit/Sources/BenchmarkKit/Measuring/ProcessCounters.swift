import CBenchmarkSupport

/// Counters of the allocator and the kernel, for the whole process.
public enum ProcessCounters {
    /// Allocation requests so far, all threads; nil if jemalloc's statistics are unavailable.
    ///
    /// Exact if threads have no allocation caches: see ``AllocationSelfTest``.
    public static func allocationRequests() -> UInt64? {
        value(bench_allocation_requests())
    }

    /// Bytes requested so far, rounded up to size classes; as exact as the requests.
    public static func requestedBytes() -> UInt64? {
        value(bench_requested_bytes())
    }

    /// Page faults so far; nil if the kernel doesn't count them.
    public static func pageFaults() -> UInt64? {
        value(bench_page_faults())
    }

    /// Bytes that are allocated now, all threads; nil if jemalloc's statistics are unavailable.
    public static func allocatedBytes() -> UInt64? {
        value(bench_allocated_bytes())
    }

    /// Context switches so far, voluntary and not; nil if the kernel doesn't count them.
    public static func contextSwitches() -> UInt64? {
        value(bench_context_switches())
    }

    /// Starts counting system calls. Only for a process that times nothing: counting makes each call slower.
    static func openSystemCalls() {
        bench_system_calls_open()
    }

    /// System calls since ``openSystemCalls()``, of threads started since then; nil if the kernel doesn't count them.
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
