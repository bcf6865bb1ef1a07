import Foundation

/// What a service looked like at a moment, and what it has done since the sample before.
struct ServiceSample {
    /// In seconds from the beginning.
    var time: Double
    var answers: Int
    /// The latencies of ``shares``, and the longest one, in nanoseconds. Empty if there were no answers.
    var percentiles: [Double]
    /// Requests that are alive.
    var requests: Int
    /// Connections and branches that are alive.
    var objects: Int
    /// nil where the system doesn't say.
    var residentBytes: Int?
    var troubles: Int

    /// What is shown of latencies: a name, and the share of all that don't exceed it.
    static let shares = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1)]

    /// The memory of this process that is in physical memory.
    static var residentBytes: Int? {
        #if os(Linux)
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
            return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
        #else
            return nil
        #endif
    }
}

/// How a run of a service went.
struct ServiceResult {
    let run: ServiceRun
    let laws: ServiceLaws
    var samples: [ServiceSample] = []
    var latencies = ServiceLatencies()
    var requests = 0
    var connections = 0
    /// How many milliseconds of requests the clients have left out, because the service was too slow.
    var leftOut = 0
    var troubles: [Service.Trouble: Int] = [:]
    private(set) var growths: [Growth] = []

    init(run: ServiceRun, laws: ServiceLaws) {
        self.run = run
        self.laws = laws
    }

    /// How a number has grown from the end of the warm-up, a quarter of the run, to the end.
    struct Growth {
        let name: String
        /// Of the lowest values in each of six parts of the time.
        let typical: Double
        let growth: Double
        let allowed: Double
        /// Whether the run is long enough for a judgement.
        let isJudged: Bool

        /// The lowest values of a part are what stays alive when the load is low. Their growth is the median slope of all pairs
        /// of parts.
        init?(_ name: String, _ values: [Double], atLeast smallest: Double, share: Double, isJudged: Bool) {
            let steady = Array(values.dropFirst(values.count / 4))
            let parts = 6
            guard steady.count >= 2 * parts else { return nil }
            let lows = (0..<parts).map { part in
                steady[(steady.count * part / parts)..<(steady.count * (part + 1) / parts)].min() ?? 0
            }
            let slopes = lows.indices.flatMap { later in
                (0..<later).map { (lows[later] - lows[$0]) / Double(later - $0) }
            }
            self.name = name
            self.isJudged = isJudged
            typical = lows.sorted()[parts / 2]
            growth = slopes.sorted()[slopes.count / 2] * Double(parts - 1)
            allowed = max(smallest, share * typical)
        }

        var isFlat: Bool { growth <= allowed }
    }

    /// Checks that memory is flat, in a run that has the process for itself; the memory of the process only if it is long, too,
    /// and isn't that of a sanitizer, which keeps what is freed.
    mutating func judgeMemory() {
        let resident = samples.compactMap { $0.residentBytes.map { Double($0) / 1048576 } }
        let isLong = run.isAlone && run.seconds >= 60
        growths = [
            Growth(
                "live connections and branches", samples.map { Double($0.objects) }, atLeast: 32, share: 0.1,
                isJudged: run.isAlone && !isOverloaded),
            Growth(
                "live requests", samples.map { Double($0.requests) }, atLeast: 1000, share: 0.1,
                isJudged: isLong && !isOverloaded),
            Growth(
                "MiB of resident memory", resident, atLeast: 4, share: 0.05,
                isJudged: isLong && !WaitLimit.isSanitized),
        ].compactMap { $0 }
        let most = samples.map(\.requests).max() ?? 0
        laws.expect(
            .memory, most <= Service.capacity,
            "\(most) requests were alive, but the buffers have \(Service.capacity) places")
        for growth in growths where growth.isJudged {
            laws.expect(
                .memory, growth.isFlat,
                "\(growth.name) have grown by \(growth.growth.formatted(.number.precision(.fractionLength(1)))) "
                    + "from about \(growth.typical.formatted(.number.precision(.fractionLength(0))))")
        }
    }

    /// A service that is too slow fills its buffers, and ends connections late. What is alive then says nothing about leaks.
    private var isOverloaded: Bool { leftOut > 0 || samples.contains { $0.requests > Service.capacity / 4 } }

    var isLawful: Bool { laws.violations.isEmpty }

    static func milliseconds(_ nanoseconds: Double?) -> String {
        guard let nanoseconds else { return "none" }
        let value = nanoseconds / 1e6
        return value >= 100 ? "\(Int(value)) ms" : String(format: value >= 1 ? "%.1f ms" : "%.3f ms", value)
    }

    /// One line for a person.
    var verdict: String {
        let faults = troubles.values.reduce(0, +)
        let judged = isLawful ? "every law was kept" : "broken: \(laws.violations[0])"
        let percentiles = ServiceSample.shares.map { name, share in
            "\(name) \(ServiceResult.milliseconds(latencies.percentile(share)))"
        }
        let growth = growths.map { String(format: "%@ %+.1f", $0.name, $0.growth) }
        return
            "\(Int(run.seconds)) s, seed \(run.seed): \(requests) requests, \(connections) connections, \(faults) faults; "
            + "\(judged); \(growth.joined(separator: ", ")); \(percentiles.joined(separator: ", "))"
    }
}
