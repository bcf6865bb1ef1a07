/// Tests, in the process that counts, that N allocations are counted as N.
///
/// The counters are silently wrong if another allocator replaces jemalloc, and late if threads have caches. So a process
/// uses them only after this test has passed.
public enum AllocationSelfTest {
    private final class Block {}

    private static let threads = 3
    private static let sizes = [24, 3000, 100_000]

    /// Whether allocations by Swift and by C, on several threads, are counted exactly.
    public static func passes() -> Bool {
        let team = ThreadTeam(count: threads)
        defer { team.end() }
        // Starting threads and lazy initialisation allocate once. After some rounds they are complete.
        for _ in 0..<8 {
            let few = requests(team, blocks: 1000)
            let many = requests(team, blocks: 3000)
            guard let few, let many else { return false }
            // A difference, because waking the team may allocate, the same amount each time.
            if many &- few == UInt64(2000 * (threads * sizes.count + 1)) { return true }
        }
        return false
    }

    /// The requests while each thread allocates `blocks` blocks of each size, and the calling thread as many objects.
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
