import BenchmarkKit

/// Requests by a column, which is a span of time or a route, and by a band of latencies.
struct LatencyBands {
    /// The bands, from the lowest one.
    let rows: [String]
    /// By column, then by row.
    let counts: [[UInt64]]
    /// The first minutes of the columns, since 1970, if they are spans of time.
    let minutes: [Int]

    init(_ spans: [(minute: Int, group: LogAnalysis.Group)]) {
        self.init(spans.map(\.group), spans.map(\.minute))
    }

    /// Bands begin at 1, 2 and 5 times a power of ten, as far as there are latencies. What a log has rounded to 0 is in one band below
    /// these.
    init(_ groups: [LogAnalysis.Group], _ minutes: [Int] = []) {
        let powers = (0...12).map { power in (0..<power).reduce(1) { product, _ in product * 10 } }
        let bounds = powers.flatMap { [$0, 2 * $0, 5 * $0] }
        let counts = groups.map { $0.latencies.bands(bounds) }
        let used = (1...bounds.count).filter { row in counts.contains { $0[row] > 0 } }
        let range = used.first.flatMap { first in used.last.map { first..<$0 + 1 } } ?? 1..<1
        let hasZeros = used.isEmpty || counts.contains { $0[0] > 0 }
        let lowest = used.first.map { "< " + Self.name(bounds[$0 - 1]) } ?? "0"
        rows = (hasZeros ? [lowest] : []) + range.map { "≥ " + Self.name(bounds[$0 - 1]) }
        self.counts = counts.map { (hasZeros ? [$0[0]] : []) + $0[range] }
        self.minutes = minutes
    }

    private static func name(_ nanoseconds: Int) -> String {
        let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1000, "µs"), (1, "ns")]
        let (size, unit) = units.first { nanoseconds >= $0.0 } ?? (1, "ns")
        return "\(nanoseconds / size) \(unit)"
    }
}
