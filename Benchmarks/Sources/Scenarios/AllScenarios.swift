public import BenchmarkKit

/// All scenarios, in the order of measurement.
public enum AllScenarios {
    public static let entries: [ScenarioEntry] =
        [1, 10, 100].map { Pipe.entry(observers: $0) }
        + Chain.entries + LazyChain.entries
        + [Cold.entry, Cold.storedEntry, Start.entry, Creation.entry, LazyChain.creation]
        + [0, 1000].map { Churn.entry(present: $0) } + [Take.entry]
        + [Merge.entry, CombineLatest.entry, CombineMany.entry]
        + FlatMap.entries + Properties.entries + [Actions.entry] + Memory.entries
        + [2, 8].map { Contend.entry(threads: $0) }
        + [ContendMany.entry(threads: 64)]
        + [ContendLatency.entry(threads: 8)]
        + [Hop.entry, HopStepped.entry, PingPong.entry, PingPong.threadsEntry, Timers.entry] + Disruptor.entries
        + Async.entries
        + [1, 2, 8].map { KeyedPool.entry(keys: $0) } + Paced.entries + [Fairness.entry, replay]
        + onRequest

    /// The names of the rows of README.md's table and of the one in Benchmarks/README.md.
    public static let main = [
        "pipe/1", "pipe/100", "chain/12", "cold/map-filter-reduce", "cold/stored", "start", "create/chain/12",
        "churn/1000", "merge/8", "combineLatest/2", "flatMap/merge", "property", "action", "contend/8", "hop/burst",
        "hop/pingpong", "hop/pingpong/threads", "disruptor/1p1c", "timers/1M",
    ]

    /// Scenarios that are measured only if a filter names them.
    private static let onRequest: [ScenarioEntry] =
        ([Contend.entry(threads: 4)] + [512, 2000].map { ContendMany.entry(threads: $0) }
        + [2, 4].map { ContendLatency.entry(threads: $0) } + [KeyedPool.entry(keys: 4)]
        + [Shared.entry, Stall.entry, MergeHop.entry, ManyQueues.entry] + Busy.entries + Floods.entries
        + Neighbours.entries + Scale.entries + ServiceParts.entries + Gateway.entries + Jobs.entries + Peers.entries)
        .map { entry in
            var entry = entry
            entry.isOnRequest = true
            return entry
        }

    /// The scenarios with a number of threads that send; none for more than 2,000.
    public static func threaded(_ threads: Int) -> [ScenarioEntry] {
        guard threads <= 2000 else { return [] }
        let contend = threads < 64 ? Contend.entry(threads: threads) : ContendMany.entry(threads: threads)
        return [contend, ContendLatency.entry(threads: threads)] + Floods.entries(threads: threads)
    }

    /// Sends a log through a graph, as fast as possible.
    public static let replay = Replay.flatOut

    /// Corinth's two builds.
    public static let builds = BuildNames(main: "lockfree", alternative: "naive")

    /// Whether this is compiled with Corinth's lock-based build.
    public static var isNaive: Bool {
        #if NaiveLocks
            true
        #else
            false
        #endif
    }
}
