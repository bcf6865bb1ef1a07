import CBenchmarkSupport
import Foundation

/// Runs one side of one scenario a fixed number of times, in its own process, for counting.
///
/// Nothing here depends on the machine's speed, so the counts repeat exactly.
public enum CountingProbe {
    /// The subcommand that calls ``run(_:direct:)``.
    public static let command = "counting-probe"

    static let defaultEvents = 400

    /// The suffixes of Callgrind's files: one for the known calls, one for each run.
    static let dumps = (known: ".1", small: ".2", large: ".3")

    /// The number of retains, of releases, and of locked instructions in the first one.
    static let knownCalls = 1000

    /// The events of the smaller and of the larger run.
    static func points(of entry: ScenarioEntry, granularity: Int) -> (small: Int, large: Int) {
        let asked = entry.countedEvents ?? defaultEvents
        let small = max(1, asked / granularity) * granularity
        return (small, asked == 1 ? 2 * small : 3 * small)
    }

    /// Creates the scenario, warms it up, and runs it twice. Under Callgrind, each run is counted. Otherwise it prints the
    /// allocations of each run.
    public static func run(_ entry: ScenarioEntry, direct: Bool) throws {
        let scenario = try entry.make(direct: direct, Settings(spin: Spin(roundsPerMicrosecond: 1000)))
        let points = points(of: entry, granularity: scenario.granularity)
        let isUnderValgrind = bench_under_valgrind()
        let countsAllocations = !isUnderValgrind && AllocationSelfTest.passes()
        for events in [points.small, points.large] { try runOnce(scenario, events) }
        bench_callgrind_start()
        bench_callgrind_zero()
        if isUnderValgrind {
            bench_retain_release(UInt64(knownCalls))
            bench_locked_instructions(UInt64(knownCalls))
        }
        bench_callgrind_dump()
        var counted: [AllocationCount] = []
        for events in [points.small, points.large] {
            if let count = count(scenario, events, allocations: countsAllocations) { counted.append(count) }
            try scenario.verify()
        }
        scenario.tearDown()
        var words = ["\(points.small)", "\(points.large)"]
        for count in counted { words += ["\(count.requests)", "\(count.bytes)"] }
        print(words.joined(separator: " "))
    }

    private static func runOnce(_ scenario: any Scenario, _ events: Int) throws {
        scenario.runBatches(events: events)
        try scenario.verify()
    }

    /// Runs the scenario once, counted, but what prepares its batches.
    ///
    /// - Returns: The allocations; nil if they aren't counted.
    private static func count(_ scenario: any Scenario, _ events: Int, allocations: Bool) -> AllocationCount? {
        func now() -> AllocationCount? { allocations ? .now(keepsObjects: scenario.keepsObjects) : nil }
        var counted = AllocationCount(requests: 0, bytes: 0)
        bench_callgrind_toggle()
        bench_callgrind_zero()
        scenario.forEachBatch(of: events, scenario.largestBatch) { batch in
            let before = now()
            bench_callgrind_toggle()
            scenario.run(events: batch)
            bench_callgrind_toggle()
            if let before, let after = now() { counted = counted.adding(after.since(before)) }
        }
        bench_callgrind_toggle()
        bench_callgrind_dump()
        return allocations ? counted : nil
    }
}

/// The events of the two runs of a probe.
struct CountedPoints: Equatable {
    var small: Int
    var large: Int

    /// Parses the line of a probe: the events of both runs, then the requests and bytes of each, if counted.
    static func parse(_ line: String) -> (points: CountedPoints, allocations: AllocationsPerEvent?)? {
        let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count >= 2, numbers[1] > numbers[0] else { return nil }
        let points = CountedPoints(small: numbers[0], large: numbers[1])
        guard numbers.count == 6 else { return (points, nil) }
        let allocations = AllocationsPerEvent(
            requests: points.perEvent(numbers[2], numbers[4]), bytes: points.perEvent(numbers[3], numbers[5]))
        return (points, allocations)
    }

    /// The cost of one event. The fixed cost of a run is the same in both and cancels out.
    func perEvent(_ smallRun: Int, _ largeRun: Int) -> Double {
        Double(largeRun - smallRun) / Double(large - small)
    }
}
