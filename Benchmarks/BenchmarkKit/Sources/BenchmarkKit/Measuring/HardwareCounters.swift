import CBenchmarkSupport

/// The processor's counters, in user space, for all threads started since ``open()``.
///
/// A counter is nil if the machine lacks it, as most virtual machines do, or if the kernel forbids it
/// (`perf_event_paranoid`).
public struct HardwareCounters: Codable, Equatable, Sendable {
    public var instructions: UInt64?
    public var cycles: UInt64?
    public var cacheMisses: UInt64?

    /// Starts counting. Call it once, before other threads start.
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

    /// The sum of two counts.
    func adding(_ more: HardwareCounters) -> HardwareCounters {
        func sum(_ one: UInt64?, _ other: UInt64?) -> UInt64? { one.flatMap { one in other.map { one + $0 } } }
        return HardwareCounters(
            instructions: sum(instructions, more.instructions), cycles: sum(cycles, more.cycles),
            cacheMisses: sum(cacheMisses, more.cacheMisses))
    }

    /// The counts since `earlier`.
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
