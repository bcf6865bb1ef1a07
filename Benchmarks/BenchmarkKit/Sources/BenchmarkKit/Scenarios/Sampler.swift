/// One sample.
public struct Sample: Codable, Equatable, Sendable {
    /// The number of events of the run.
    public var events: Int
    /// The duration of the run.
    public var nanoseconds: UInt64
    /// The processor time of the run, if it is the figure.
    public var processorNanoseconds: UInt64?
    /// Whether the run had a given time and not a given number of events.
    public var isTimed: Bool?
    /// The figure: nanoseconds per event, a percentile of latencies, or a count.
    public var value: Double
    /// Context switches of the process during the run.
    public var contextSwitches: UInt64?
    /// Page faults of the process during the run.
    public var pageFaults: UInt64?
    /// The processor's counters during the run.
    public var hardware: HardwareCounters
    /// How the machine disturbed the run; nil if it didn't.
    public var disturbance: Disturbance?
    /// The time of a loop that never changes, beside the run, in nanoseconds.
    public var loopNanoseconds: Double?
    /// The part of the figure's time that the machine took away: see ``MachineWatch``.
    var lostShare: Double?
}

extension Sample {
    /// The sample whose run was taken in these parts; nil without any. That the machine's speed changes from one to the next
    /// disturbs nothing as such: builds that take turns share that, and the means of their loops show what they don't share.
    init?(joining parts: [Sample]) {
        guard var joined = parts.first else { return nil }
        guard parts.count > 1 else {
            self = joined
            return
        }
        func sum(_ count: KeyPath<Sample, UInt64?>) -> UInt64? {
            parts.reduce(0) { sum, part in sum.flatMap { sum in part[keyPath: count].map { sum + $0 } } }
        }
        func mean(_ figure: KeyPath<Sample, Double?>) -> Double? {
            let known = parts.compactMap { $0[keyPath: figure] }
            return known.count == parts.count ? Statistics.mean(known) : nil
        }
        joined.events = parts.reduce(0) { $0 + $1.events }
        joined.nanoseconds = parts.reduce(0) { $0 + $1.nanoseconds }
        joined.processorNanoseconds = sum(\.processorNanoseconds)
        joined.contextSwitches = sum(\.contextSwitches)
        joined.pageFaults = sum(\.pageFaults)
        joined.hardware = parts.dropFirst().reduce(joined.hardware) { $0.adding($1.hardware) }
        joined.value = Double(joined.processorNanoseconds ?? joined.nanoseconds) / Double(max(1, joined.events))
        joined.disturbance = parts.compactMap(\.disturbance).first { $0 != .speed }
        joined.loopNanoseconds = mean(\.loopNanoseconds)
        joined.lostShare = mean(\.lostShare)
        self = joined
    }
}

/// What a side reports after its last sample.
public struct Summary: Codable, Equatable, Sendable {
    /// All latencies, in nanoseconds, if the scenario records them.
    public var latencies: Histogram?
    /// The uncorrected latencies, if they differ.
    public var uncorrectedLatencies: Histogram?
    /// The scenario's own counts.
    public var counts: [String: Int]
}

/// Runs one scenario: warms it up, chooses the number of events of a run, takes samples, checks every run.
final class Sampler {
    private let entry: ScenarioEntry
    private let scenario: any Scenario
    /// The number of events of a run.
    private(set) var events: Int
    /// The events of the next batch: all of a run, or as many as are prepared at once.
    private var batch: Int
    /// Whether a run takes a given time.
    private var isTimed = false
    private var latencies: Histogram?
    private var uncorrected: Histogram?

    init(_ entry: ScenarioEntry, _ scenario: any Scenario) {
        self.entry = entry
        self.scenario = scenario
        events = scenario.granularity
        batch = scenario.largestBatch == .max ? .max : scenario.granularity
    }

    /// Doubles the events of a run until it takes long enough. Then runs until the times are steady: at most six times, or
    /// three if the runs take long.
    ///
    /// - Parameters:
    ///   - singly: Whether a run is one unit of the granularity without warm-up, for work of a given length, such as a
    ///     recording that is played at its own speed.
    ///   - share: The part of the entry's time that a run should take.
    func prepare(singly: Bool = false, share: Double = 1) throws {
        guard !singly else { return }
        let target = UInt64(Double(entry.sampleMilliseconds) * share * 1_000_000)
        let taken = try grow(to: target)
        let fitting = Double(events) * Double(target) / Double(max(1, taken))
        events = max(1, Int(fitting) / scenario.granularity) * scenario.granularity
        var recent: [UInt64] = []
        while recent.count < 6 {
            recent.append(try timedRun().size)
            if Self.isSteady(recent) || recent.count >= 3 && recent.reduce(0, +) > 200_000_000 { break }
        }
        _ = scenario.takeLatencies()
        _ = scenario.takeUncorrectedLatencies()
    }

    /// Doubles the events of a run until its size is half of `target`. Returns the size.
    private func grow(to target: UInt64) throws -> UInt64 {
        var taken = try shortestRun(of: target)
        while taken < target / 2 {
            guard events < Self.mostEvents else { throw CheckFailure(Self.folded(taken, events)) }
            events *= 2
            taken = try shortestRun(of: target)
        }
        return taken
    }

    /// The size of a run. If it is half of `target`, that of the shortest of three: one may take so long only because another
    /// program had the processor, and a few events would then pass for many.
    private func shortestRun(of target: UInt64) throws -> UInt64 {
        var run = try timedRun()
        var tries = 1
        // What takes longer than the longest time slices isn't repeated, nor what takes a given time.
        while tries < 3, !run.isTimed, (target / 2..<Self.longestInterruption).contains(run.size) {
            let again = try timedRun()
            if again.size < run.size { run = again }
            tries += 1
        }
        return run.size
    }

    private static let longestInterruption: UInt64 = 500_000_000

    /// No work of this many events takes less than some milliseconds.
    private static let mostEvents = 1 << 40

    private static func folded(_ taken: UInt64, _ events: Int) -> String {
        "\(Figures.grouped(events)) events took \(Figures.duration(nanoseconds: Double(taken))): the compiler has folded the "
            + "work away; hide values from it with opaque()"
    }

    /// Warms up a process whose number of events of a run is known: it is given, or an earlier process of this side has found it.
    /// Runs until two times are steady: at most three times.
    ///
    /// - Parameters:
    ///   - events: Rounded up to the granularity.
    ///   - isGiven: Whether the number remains as it is. Otherwise it grows if all of these runs are much too short: then the
    ///     earlier process was interrupted each time that it searched.
    func prepare(events: Int, isGiven: Bool) throws {
        let granularity = scenario.granularity
        self.events = (events + granularity - 1) / granularity * granularity
        var recent: [UInt64] = []
        while recent.count < 3, !Self.isSteady(recent, 2) { recent.append(try timedRun().size) }
        let target = UInt64(entry.sampleMilliseconds) * 1_000_000
        if !isGiven, let shortest = recent.min(), shortest < target / 4 { _ = try grow(to: target) }
        _ = scenario.takeLatencies()
        _ = scenario.takeUncorrectedLatencies()
    }

    /// Runs for this time.
    func warmUp(seconds: Double) throws {
        let end = Clock.now() + UInt64(min(seconds, 86_400) * 1e9)
        while Clock.now() < end { _ = try timedRun() }
        _ = scenario.takeLatencies()
        _ = scenario.takeUncorrectedLatencies()
    }

    /// Whether the last `count` of `times` are within 5 % of each other.
    static func isSteady(_ times: [UInt64], _ count: Int = 3) -> Bool {
        let last = times.suffix(count)
        guard last.count == count, let least = last.min(), let most = last.max() else { return false }
        return Double(most) <= 1.05 * Double(least)
    }

    /// Into how many parts a run can be divided, so that builds take turns within a sample: each takes 2 ms at least, which is
    /// much longer than a process needs to get its memory back into the caches. Threads need longer to come into step.
    var parts: Int {
        guard entry.isProcessorTimed, !isTimed else { return 1 }
        return max(1, min(entry.sampleMilliseconds / 2, events / scenario.granularity))
    }

    /// - Parameter parts: The run has this part of the events: at least 1.
    func sample(parts: Int = 1) throws -> Sample {
        let watch = MachineWatch()
        let granularity = scenario.granularity
        let run = try timedRun(events: max(granularity, events / parts / granularity * granularity))
        let (disturbance, lost) = watch.end(countsDescheduling: !entry.isThreaded && !entry.isProcessorTimed)
        let recorded = scenario.takeLatencies()
        Self.merge(recorded, into: &latencies)
        Self.merge(scenario.takeUncorrectedLatencies(), into: &uncorrected)
        let value =
            switch entry.measure {
            case .timePerEvent: run.processorNanosecondsPerEvent ?? run.nanosecondsPerEvent
            case .latency(let percentile): Double(recorded?.percentile(percentile) ?? 0)
            case .count(let name): Double(scenario.counts[name] ?? 0)
            }
        return Sample(
            events: run.events, nanoseconds: run.nanoseconds, processorNanoseconds: run.processorNanoseconds,
            isTimed: run.isTimed, value: value,
            contextSwitches: run.contextSwitches, pageFaults: run.measured.pageFaults,
            hardware: run.measured.hardware ?? HardwareCounters(),
            disturbance: disturbance, loopNanoseconds: watch.loop, lostShare: lost)
    }

    private static func merge(_ recorded: Histogram?, into all: inout Histogram?) {
        guard let recorded else { return }
        if all == nil { all = recorded } else { all?.merge(recorded) }
    }

    /// Allocation requests, bytes and system calls per event, of all threads: the median of three tries, or of as many as fit
    /// into half a second. nil if allocations can't be counted.
    ///
    /// The smallest possible run is subtracted: waking threads for a run may allocate, too, and is no part of an event.
    func allocationsPerEvent() throws -> AllocationsPerEvent? {
        let fewest = scenario.granularity
        let many = max(events, 2 * fewest)
        var tries: [(requests: Double, bytes: Double, systemCalls: Double?)] = []
        // The events that a run of a given time had.
        func done(_ counted: Counted, _ asked: Int) -> Double { Double(counted.timed?.events ?? asked) }
        let start = Clock.now()
        while tries.isEmpty || tries.count < 3 && Clock.now() - start < 500_000_000 {
            guard let small = try counted(fewest), let large = try counted(many) else { return nil }
            let more = max(1, done(large, many) - done(small, fewest))
            func perEvent(_ few: UInt64, _ all: UInt64) -> Double { Double(max(few, all) - few) / more }
            let calls = small.systemCalls.flatMap { few in large.systemCalls.map { perEvent(few, $0) } }
            tries.append(
                (
                    perEvent(small.allocations.requests, large.allocations.requests),
                    perEvent(small.allocations.bytes, large.allocations.bytes), calls
                ))
        }
        guard let requests = Statistics.median(tries.map(\.requests)), let bytes = Statistics.median(tries.map(\.bytes))
        else { return nil }
        let calls = tries.compactMap(\.systemCalls)
        return AllocationsPerEvent(
            requests: requests, bytes: bytes, systemCalls: calls.count == tries.count ? Statistics.median(calls) : nil)
    }

    private typealias Counted = (allocations: AllocationCount, systemCalls: UInt64?, timed: TimedRun?)

    private func counted(_ events: Int) throws -> Counted? {
        var allocations: AllocationCount? = AllocationCount(requests: 0, bytes: 0)
        var calls: UInt64? = 0
        scenario.forEachBatch(of: events, scenario.largestBatch) { count in
            let before = AllocationCount.now()
            let callsBefore = ProcessCounters.systemCalls()
            scenario.run(events: count)
            calls = MeasuredWork.sum(calls, ProcessCounters.systemCalls(), since: callsBefore)
            let after = AllocationCount.now()
            allocations = allocations.flatMap { sum in
                before.flatMap { before in after.map { sum.adding($0.since(before)) } }
            }
        }
        guard let allocations else { return nil }
        let timed = scenario.takeTimedRun()
        try scenario.verify()
        return (allocations, calls, timed)
    }

    func finish() -> Summary {
        let counts = scenario.counts
        scenario.tearDown()
        return Summary(latencies: latencies, uncorrectedLatencies: uncorrected, counts: counts)
    }

    /// The result of a run, whether its length was a time or a number of events.
    private struct Run {
        var events: Int
        var nanoseconds: UInt64
        var processorNanoseconds: UInt64?
        var contextSwitches: UInt64?
        var isTimed = false
        var nanosecondsPerEvent: Double
        var measured: MeasuredWork
        /// The time of the run with what prepares its events, in nanoseconds.
        var all: UInt64

        /// What the number of events is chosen by: the time, or a tenth of all of it, if preparing takes most.
        var size: UInt64 { max(nanoseconds, all / 10) }

        var processorNanosecondsPerEvent: Double? { processorNanoseconds.map { Double($0) / Double(events) } }
    }

    private func timedRun(events asked: Int? = nil) throws -> Run {
        let events = asked ?? events
        var measured = MeasuredWork()
        let start = Clock.now()
        scenario.forEachBatch(of: events, batch) { count in
            let taken = measured.add { scenario.run(events: count) }
            if taken < Self.shortestBatch, count == batch { batch = min(2 * batch, scenario.largestBatch) }
        }
        let all = Clock.now() - start
        let timed = scenario.takeTimedRun()
        isTimed = timed != nil
        try scenario.verify()
        guard let timed else {
            return Run(
                events: events, nanoseconds: measured.nanoseconds,
                processorNanoseconds: entry.isProcessorTimed ? measured.processorNanoseconds : nil,
                contextSwitches: measured.contextSwitches,
                nanosecondsPerEvent: Double(measured.nanoseconds) / Double(events), measured: measured, all: all)
        }
        return Run(
            events: timed.events, nanoseconds: timed.nanoseconds,
            contextSwitches: timed.contextSwitches ?? measured.contextSwitches, isTimed: true,
            nanosecondsPerEvent: timed.nanosecondsPerEvent, measured: measured, all: all)
    }

    /// A batch that takes less grows, in nanoseconds: reading the clocks takes some of the first thousandth of this.
    private static let shortestBatch: UInt64 = 200_000
}
