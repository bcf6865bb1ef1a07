/// Shows, in the process that will count, that N allocations are counted as N.
///
/// The counters lie without a word when another allocator took jemalloc's place, and run late when threads have
/// caches. So they are believed only after they have been seen to be right here.
public enum AllocationSelfTest {
    private final class Block {}

    /// Whether what is allocated here, in Swift and in C, on several threads, is counted exactly.
    public static func passes() -> Bool {
        let team = ThreadTeam(count: 3)
        defer { team.end() }
        // Once unmeasured: threads start, lazy things are made.
        guard exercise(team) != nil else { return false }
        return exercise(team) == expected && requests(during: {}) == 0
    }

    private static let blocks = 1000
    private static let expected = UInt64(3 * 3 * blocks + blocks)

    private static func exercise(_ team: ThreadTeam) -> UInt64? {
        requests {
            team.run { _ in
                for size in [24, 3000, 100_000] { ProcessCounters.allocate(count: blocks, size: size) }
            }
            for _ in 0..<blocks { consume(Block()) }
        }
    }

    private static func requests(during body: () -> Void) -> UInt64? {
        guard let before = ProcessCounters.allocationRequests() else { return nil }
        body()
        guard let after = ProcessCounters.allocationRequests() else { return nil }
        return after - before
    }

    @inline(never)
    private static func consume(_ block: Block) {
        _ = opaque(block)
    }
}
