/// Shows, in the process that will count, that N allocations are counted as N.
///
/// The counters lie without a word when another allocator took jemalloc's place, and run late when threads have
/// caches. So they are believed only after they have been seen to be right here.
public enum AllocationSelfTest {
    private final class Block {}

    private static let threads = 3
    private static let sizes = [24, 3000, 100_000]

    /// Whether what is allocated here, in Swift and in C, on several threads, is counted exactly.
    public static func passes() -> Bool {
        let team = ThreadTeam(count: threads)
        defer { team.end() }
        // Threads that start and lazy things that are made allocate once: after some rounds that is over.
        for _ in 0..<8 {
            let few = requests(team, blocks: 1000)
            let many = requests(team, blocks: 3000)
            guard let few, let many else { return false }
            // The difference, because waking the team may itself allocate a little, as much each time.
            if many &- few == UInt64(2000 * (threads * sizes.count + 1)) { return true }
        }
        return false
    }

    /// Allocation requests while each thread allocates `blocks` blocks of each size, and this one as many objects.
    private static func requests(_ team: ThreadTeam, blocks: Int) -> UInt64? {
        guard let before = ProcessCounters.allocationRequests() else { return nil }
        team.run { _ in
            for size in sizes { ProcessCounters.allocate(count: blocks, size: size) }
        }
        for _ in 0..<blocks { consume(Block()) }
        guard let after = ProcessCounters.allocationRequests() else { return nil }
        return after - before
    }

    @inline(never)
    private static func consume(_ block: Block) {
        _ = opaque(block)
    }
}
