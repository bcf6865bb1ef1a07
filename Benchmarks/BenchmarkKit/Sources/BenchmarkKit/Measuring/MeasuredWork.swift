import CBenchmarkSupport

/// What the measured parts of a run took: all of it, or its batches without what prepares them.
struct MeasuredWork {
    private(set) var nanoseconds: UInt64 = 0
    private(set) var processorNanoseconds: UInt64 = 0
    /// nil if the kernel doesn't count them.
    private(set) var contextSwitches: UInt64? = 0
    private(set) var pageFaults: UInt64? = 0
    private(set) var hardware: HardwareCounters?

    /// Adds what `body` takes. Returns its time, in nanoseconds.
    mutating func add(_ body: () -> Void) -> UInt64 {
        let switches = ProcessCounters.contextSwitches()
        let faults = ProcessCounters.pageFaults()
        let before = HardwareCounters.now()
        let processor = bench_process_nanoseconds()
        let taken = Clock.measure(body)
        processorNanoseconds += bench_process_nanoseconds() - processor
        nanoseconds += taken
        let counted = HardwareCounters.now().since(before)
        hardware = hardware?.adding(counted) ?? counted
        pageFaults = Self.sum(pageFaults, ProcessCounters.pageFaults(), since: faults)
        contextSwitches = Self.sum(contextSwitches, ProcessCounters.contextSwitches(), since: switches)
        return taken
    }

    /// `sum` and the growth of a count; nil if the count isn't available.
    static func sum(_ sum: UInt64?, _ after: UInt64?, since before: UInt64?) -> UInt64? {
        guard let sum, let after, let before else { return nil }
        return sum + after - before
    }
}
