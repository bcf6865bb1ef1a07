import CBenchmarkSupport

/// What the processor counts, in user space, in all threads started since ``open()``.
///
/// Most virtual machines offer none of it, and a kernel may forbid it (`perf_event_paranoid`): nil, then.
public struct HardwareCounters: Codable, Equatable, Sendable {
    public var instructions: UInt64?
    public var cycles: UInt64?
    public var cacheMisses: UInt64?

    /// Starts counting. Called once, before other threads are started.
    public static func open() {
        bench_hardware_open()
    }

    /// The counts so far.
    public static func now() -> HardwareCounters {
        func read(_ kind: bench_hardware) -> UInt64? {
            let count = bench_hardware_read(Int32(kind.rawValue))
            return count.available ? count.value : nil
        }
        return HardwareCounters(
            instructions: read(bench_instructions),
            cycles: read(bench_cycles),
            cacheMisses: read(bench_cache_misses))
    }

    /// What was counted since `earlier`.
    public func since(_ earlier: HardwareCounters) -> HardwareCounters {
        func difference(_ now: UInt64?, _ then: UInt64?) -> UInt64? {
            guard let now, let then else { return nil }
            return now > then ? now - then : 0
        }
        return HardwareCounters(
            instructions: difference(instructions, earlier.instructions),
            cycles: difference(cycles, earlier.cycles),
            cacheMisses: difference(cacheMisses, earlier.cacheMisses))
    }
}
