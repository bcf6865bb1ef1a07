public import BenchmarkKit

/// What the runner measures, in the order in which it does.
public enum AllScenarios {
    public static let entries: [ScenarioEntry] =
        [1, 10, 100].map { Pipe.entry(observers: $0) }
        + Chain.entries
        + [Cold.entry, Cold.storedEntry, Start.entry, Creation.entry]
        + [0, 1000].map { Churn.entry(present: $0) }
        + [Merge.entry, CombineLatest.entry, CombineMany.entry]
        + FlatMap.entries + Properties.entries + [Actions.entry]
        + [2, 4, 8].map { Contend.entry(threads: $0) }
        + [ContendMany.entry(threads: 64)]
        + [2, 4, 8].map { ContendLatency.entry(threads: $0) }
        + [Hop.entry, PingPong.entry, PingPong.threadsEntry, Timers.entry] + Disruptor.entries
        + [1, 2, 4, 8].map { KeyedPool.entry(keys: $0) } + Paced.entries + [Fairness.entry, replay]
        + onRequest

    /// What is measured only if it is asked for.
    private static let onRequest: [ScenarioEntry] =
        [512, 2000].map { ContendMany.entry(threads: $0) }
        + [Stall.entry, MergeHop.entry, ManyQueues.entry] + Floods.entries

    /// A log through a graph, as fast as it goes.
    public static let replay = Replay.flatOut

    /// The build of the library that this was compiled against.
    public static var build: Build {
        #if NaiveLocks
            .naive
        #else
            .lockfree
        #endif
    }
}
