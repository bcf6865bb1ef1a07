import CBenchmarkSupport
import Foundation

/// One side of one scenario, run a fixed number of times in a process of its own, to be counted.
///
/// Nothing that the machine's speed decides happens here, so what is counted repeats to the instruction.
public enum CountingProbe {
    /// The subcommand that an executable answers by ``run(_:direct:)``.
    public static let command = "counting-probe"

    static let defaultEvents = 400

    /// How the names of the files end that Callgrind writes: one for known calls, then one for each run.
    static let dumps = (known: ".1", small: ".2", large: ".3")

    /// How many references are taken, and given up, in the first one.
    static let knownReferences = 1000

    /// How many events the smaller and the larger run have.
    static func points(of entry: ScenarioEntry, granularity: Int) -> (small: Int, large: Int) {
        let asked = entry.countedEvents ?? defaultEvents
        let small = max(1, asked / granularity) * granularity
        return (small, asked == 1 ? 2 * small : 3 * small)
    }

    /// Makes the scenario, warms it up, and runs it twice. Under Callgrind it has each run counted; otherwise it
    /// prints what each one allocated.
    public static func run(_ entry: ScenarioEntry, direct: Bool) throws {
        let scenario = try entry.make(direct: direct, Settings(spin: Spin(roundsPerMicrosecond: 1000)))
        let points = points(of: entry, granularity: scenario.granularity)
        let isUnderValgrind = bench_under_valgrind()
        let countsAllocations = !isUnderValgrind && AllocationSelfTest.passes()
        for events in [points.small, points.large] { try runOnce(scenario, events) }
        bench_callgrind_start()
        bench_callgrind_zero()
        if isUnderValgrind { bench_retain_release(UInt64(knownReferences)) }
        bench_callgrind_dump()
        var counted: [AllocationCount] = []
        for events in [points.small, points.large] {
            let before = countsAllocations ? AllocationCount.now() : nil
            bench_callgrind_zero()
            scenario.run(events: events)
            bench_callgrind_dump()
            let after = countsAllocations ? AllocationCount.now() : nil
            try scenario.verify()
            if let before, let after { counted.append(after.since(before)) }
        }
        scenario.tearDown()
        var words = ["\(points.small)", "\(points.large)"]
        for count in counted { words += ["\(count.requests)", "\(count.bytes)"] }
        print(words.joined(separator: " "))
    }

    private static func runOnce(_ scenario: any Scenario, _ events: Int) throws {
        scenario.run(events: events)
        try scenario.verify()
    }
}

/// What the two runs of a probe came to.
struct CountedPoints: Equatable {
    var small: Int
    var large: Int

    /// Reads the line that a probe prints: the events of both runs, then requests and bytes of each, if counted.
    static func parse(_ line: String) -> (points: CountedPoints, allocations: AllocationsPerEvent?)? {
        let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count >= 2, numbers[1] > numbers[0] else { return nil }
        let points = CountedPoints(small: numbers[0], large: numbers[1])
        guard numbers.count == 6 else { return (points, nil) }
        let allocations = AllocationsPerEvent(
            requests: points.perEvent(numbers[2], numbers[4]), bytes: points.perEvent(numbers[3], numbers[5]))
        return (points, allocations)
    }

    /// What one event adds. Whatever a run costs however short it is, both have, and it drops out.
    func perEvent(_ smallRun: Int, _ largeRun: Int) -> Double {
        Double(largeRun - smallRun) / Double(large - small)
    }
}
