/// The side that compares: has the builds take turns on each scenario and works out the figures.
///
/// Turns, because a shared machine drifts: each build has one long-lived process, and for each sample they go
/// A B C, then C B A, and so on, so that the halves of a pair are neighbours in time and neither is always first.
public final class Suite {
    private let executables: [Build: String]
    private let settings: Settings
    private let samples: Int
    private let timeoutSeconds: Double
    private var workers: [Build: WorkerProcess] = [:]
    private var countingWorkers: [Build: WorkerProcess] = [:]
    private var progress = ProgressLine()

    /// Scenarios that gave no figure.
    public private(set) var failures: [Failure] = []

    /// - Parameters:
    ///   - lockfree: The executable built without the trait, which also measures `direct`.
    ///   - naive: The executable built with it.
    ///   - samples: How often each build is measured in each scenario.
    ///   - timeoutSeconds: How long a build may take to answer before it counts as hanging.
    public init(
        lockfree: String,
        naive: String,
        settings: Settings,
        samples: Int,
        timeoutSeconds: Double = 60
    ) {
        precondition(samples > 0, "At least 1 sample, not \(samples).")
        executables = [.direct: lockfree, .lockfree: lockfree, .naive: naive]
        self.settings = settings
        self.samples = samples
        self.timeoutSeconds = timeoutSeconds
    }

    /// Measures `entries` one after the other. A scenario that fails is noted, and the next one is measured.
    public func run(_ entries: [ScenarioEntry], singly: Bool = false) -> [ScenarioReport] {
        defer { progress.clear() }
        return entries.enumerated().compactMap { index, entry in
            let title = "\(index + 1)/\(entries.count) \(entry.name)"
            return measure(entry, title, singly: singly)
        }
    }

    private func measure(_ entry: ScenarioEntry, _ title: String, singly: Bool) -> ScenarioReport? {
        var current = Build.lockfree
        do {
            for build in Build.allCases {
                current = build
                progress.show("\(title): warming up \(build)")
                let request = WorkerRequest.open(
                    scenario: entry.name, direct: build == .direct, settings: settings, singly: singly)
                _ = try worker(of: build).request(request, timeoutSeconds: timeoutSeconds)
            }
            var taken: [Build: [Sample]] = [:]
            for turn in 0..<samples {
                progress.show("\(title): sample \(turn + 1)/\(samples)")
                for build in turn.isMultiple(of: 2) ? Build.allCases : Build.allCases.reversed() {
                    current = build
                    taken[build, default: []].append(try sample(build))
                }
            }
            var builds: [String: BuildReport] = [:]
            for build in Build.allCases {
                current = build
                progress.show("\(title): counting allocations of \(build)")
                builds[build.rawValue] = try report(entry, build, taken[build] ?? [], singly: singly)
            }
            return ScenarioReport(
                name: entry.name, unit: entry.unit, builds: builds, ratios: Self.ratios(of: taken))
        } catch {
            failures.append(Failure(scenario: entry.name, build: current.rawValue, message: "\(error)"))
            // Whatever state they are in, the next scenario gets fresh ones.
            workers = [:]
            countingWorkers = [:]
            return nil
        }
    }

    private func sample(_ build: Build) throws -> Sample {
        let request = WorkerRequest.sample(direct: build == .direct)
        let response = try worker(of: build).request(request, timeoutSeconds: timeoutSeconds)
        guard case .sampled(let sample) = response else { throw unexpected(response) }
        return sample
    }

    private func report(
        _ entry: ScenarioEntry,
        _ build: Build,
        _ samples: [Sample],
        singly: Bool
    ) throws -> BuildReport {
        let finish = WorkerRequest.finish(direct: build == .direct)
        let response = try worker(of: build).request(finish, timeoutSeconds: timeoutSeconds)
        guard case .finished(let summary) = response else { throw unexpected(response) }
        var report = BuildReport(values: samples.map(\.value))
        report.percentiles = summary.percentiles
        report.counts = summary.counts.isEmpty ? nil : summary.counts
        let switches = samples.compactMap(\.contextSwitches)
        if entry.isThreaded, switches.count == samples.count {
            let events = samples.reduce(0) { $0 + $1.events }
            report.contextSwitchesPerEvent = Double(switches.reduce(0, +)) / Double(events)
        }
        if !singly { report.allocationsPerEvent = try allocations(entry, build) }
        return report
    }

    private func allocations(_ entry: ScenarioEntry, _ build: Build) throws -> Double? {
        let request = WorkerRequest.countAllocations(
            scenario: entry.name, direct: build == .direct, settings: settings)
        let response = try countingWorker(of: build).request(request, timeoutSeconds: timeoutSeconds)
        guard case .counted(let allocations) = response else { throw unexpected(response) }
        return allocations
    }

    private func worker(of build: Build) throws -> WorkerProcess {
        try Self.cached(&workers, build) { try start($0) }
    }

    /// A process apart, whose threads have no allocation caches: that makes jemalloc's counters exact and
    /// allocating slower, so nothing is timed there.
    private func countingWorker(of build: Build) throws -> WorkerProcess {
        try Self.cached(&countingWorkers, build) { try start($0, ["MALLOC_CONF": "tcache:false"]) }
    }

    private func start(_ build: Build, _ environment: [String: String] = [:]) throws -> WorkerProcess {
        let executable = executables[build] ?? ""
        return try WorkerProcess(executable: executable, build: build, environment: environment)
    }

    /// The worker for `build`; `direct` and `lockfree` are measured in the same process.
    private static func cached(
        _ workers: inout [Build: WorkerProcess],
        _ build: Build,
        _ start: (Build) throws -> WorkerProcess
    ) throws -> WorkerProcess {
        let build = build == .direct ? .lockfree : build
        if let worker = workers[build] { return worker }
        let worker = try start(build)
        workers[build] = worker
        return worker
    }

    private static func ratios(of taken: [Build: [Sample]]) -> [String: RatioEstimate] {
        var ratios: [String: RatioEstimate] = [:]
        for (above, below) in [(Build.naive, Build.lockfree), (.lockfree, .direct)] {
            let numerators = taken[above, default: []].map(\.value)
            let denominators = taken[below, default: []].map(\.value)
            ratios["\(above)/\(below)"] = Statistics.ratio(of: numerators, to: denominators)
        }
        return ratios
    }

    private func unexpected(_ response: WorkerResponse) -> WorkerFailure {
        WorkerFailure(description: "unexpected answer: \(response)")
    }
}
