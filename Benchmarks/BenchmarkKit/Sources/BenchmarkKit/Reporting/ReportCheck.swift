extension Report {
    /// What is wrong with the figures of a file that has the form of a report; nil if nothing is.
    ///
    /// A report that a run has written has nothing wrong. One that was edited, or put together, may have figures that no run can
    /// have, and the commands rely on that.
    var problem: String? {
        if let seconds, !Self.isPlausible(seconds) { return "seconds is \(seconds)" }
        if !Self.isCount(host.cores) { return "host.cores is \(host.cores)" }
        var names: Set<String> = []
        for scenario in scenarios {
            if !names.insert(scenario.name).inserted {
                return "scenario '\(Printable.text(scenario.name))' is there twice"
            }
            if let problem = scenario.problem { return "scenario '\(Printable.text(scenario.name))': \(problem)" }
        }
        return nil
    }

    /// Larger counts can't be written as a number of JSON that every reader reads exactly.
    static let largestCount = 1 << 53

    static func isCount(_ value: Int) -> Bool { (0...largestCount).contains(value) }

    static func isPlausible(_ value: Double) -> Bool { value >= 0 && value <= Double(largestCount) }
}

extension ScenarioReport {
    fileprivate var problem: String? {
        if let threads, !Report.isCount(threads) { return "threads is \(threads)" }
        if let amount = throughput?.perEvent, !(amount > 0 && Report.isPlausible(amount)) {
            return "throughput.perEvent is \(amount)"
        }
        for (name, build) in builds.sorted(by: { $0.key < $1.key }) {
            if let problem = build.problem { return "\(Printable.text(name)).\(problem)" }
        }
        // The builds were measured in turn.
        let shapes = Set(builds.values.compactMap(\.passesByRun).map { $0.map { $0.map(\.count) } })
        if shapes.count > 1 { return "the builds have different numbers of samples" }
        for (name, ratio) in ratios where !(0 <= ratio.low && ratio.low <= ratio.high) {
            return "the interval of \(Printable.text(name)) is from \(ratio.low) to \(ratio.high)"
        }
        if let machine, ![machine.rounds, machine.repeated, machine.disturbed].allSatisfy(Report.isCount) {
            return "machine has a number of rounds that no run can have"
        }
        if let factor = machine?.unevenness, !(factor >= 1 && factor.isFinite) {
            return "machine.unevenness is \(factor)"
        }
        return nil
    }
}

extension BuildReport {
    /// The first figure that no run can have.
    fileprivate var problem: String? {
        if !Report.isCount(samples) { return "samples is \(samples)" }
        if let outliers, !Report.isCount(outliers) { return "outliers is \(outliers)" }
        if let run = runs?.first(where: { !Report.isCount($0) }) { return "runs has \(run)" }
        if let count = counts?.first(where: { !Report.isCount($0.value) }) {
            return "counts.\(Printable.text(count.key)) is \(count.value)"
        }
        let times = [
            percentiles?.values.max(), uncorrectedPercentiles?.values.max(), curve?.map(\.nanoseconds).max(),
            passPercentiles?.flatMap(\.values).max(),
        ]
        if let time = times.compactMap(\.self).max(), time > UInt64(Report.largestCount) {
            return "a latency is \(time) ns"
        }
        let octaves = 0..<2 * UInt64.bitWidth
        let isKnown = passLatencies?.allSatisfy { octaves.contains($0.first) && $0.counts.count <= octaves.count }
        if isKnown == false { return "passLatencies has half octaves that no number of 64 bits has" }
        return nil
    }
}
