/// Whether the passes of a run have one time or two.
///
/// The linker, the allocator and the neighbours of a processor decide some things once per process, so that some processes take one
/// time and the others another one. Their median is then one of the two by chance.
enum Modes {
    /// A mode has at least so many of the values, and at least two.
    private static let smallestShare = 0.2

    /// The next mode is farther away than this, and than the values of either mode are from each other.
    private static let smallestGap = 0.15

    /// The medians of the modes: one or two, in ascending order; none without values.
    ///
    /// - Parameter values: One for each pass; more than 0.
    /// - Complexity: O(n log n) for n values.
    static func of(_ values: [Double]) -> [Double] {
        let sorted = values.sorted()
        guard let median = Statistics.median(sorted) else { return [] }
        let least = max(2, Int((Double(sorted.count) * smallestShare).rounded(.up)))
        guard sorted.count >= 2 * least, sorted[0] > 0 else { return [median] }
        func gap(_ index: Int) -> Double { sorted[index] / sorted[index - 1] - 1 }
        func spread(_ values: ArraySlice<Double>) -> Double { (values.last ?? 1) / (values.first ?? 1) - 1 }
        let cut = (least...(sorted.count - least)).max { gap($0) < gap($1) } ?? least
        let low = sorted[..<cut]
        let high = sorted[cut...]
        guard gap(cut) > smallestGap, gap(cut) > max(spread(low), spread(high)) else { return [median] }
        return [Statistics.median(Array(low)) ?? median, Statistics.median(Array(high)) ?? median]
    }

    /// The modes of several runs: two if most of the runs have two, otherwise the median of the runs.
    ///
    /// - Parameter runs: The median and the passes of each run.
    static func of(_ runs: [(median: Double, passes: [Double])]) -> [Double] {
        let modes = runs.map { of($0.passes) }
        let two = modes.filter { $0.count == 2 }
        guard 2 * two.count > runs.count else { return Statistics.median(runs.map(\.median)).map { [$0] } ?? [] }
        return [0, 1].compactMap { mode in Statistics.median(two.map { $0[mode] }) }
    }
}
