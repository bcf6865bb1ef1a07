/// The side that compares: has the builds take turns on each scenario and works out the figures.
///
/// Turns, because a shared machine drifts: for each sample the builds go A B C, then C B A, and so on, so that the
/// halves of a pair are neighbours in time and neither is always first. Passes, because two processes of one
/// executable differ, too: the samples are spread over some passes through all scenarios, each with processes of
/// its own, and before, between and after them a loop that never changes tells how quick the machine is.
public final class Suite {
    private let executables: [Build: String]
    private let builds: [Build]
    private let settings: Settings
    private let samples: Int
    private let timeoutSeconds: Double
    private var workers: [Build: WorkerProcess] = [:]
    private var countingWorkers: [Build: WorkerProcess] = [:]
    private var progress = ProgressLine()
    private var stepsDone = 0.0
    private var steps = 1.0

    /// Scenarios that gave no figure.
    public private(set) var failures: [Failure] = []

    /// How quick the machine was.
    public private(set) var calibration = Calibration()

    /// All latencies of the scenarios that measure some, by scenario and build.
    public private(set) var histograms: [String: [Build: Histogram]] = [:]

    /// - Parameters:
    ///   - lockfree: The executable built without the trait, which also measures `direct`.
    ///   - naive: The executable built with it; nil to measure two sides only.
    ///   - earlier: The lock-free executable of another checkout, measured in turn with the others; or nil.
    ///   - samples: How often each build is measured in each scenario.
    ///   - timeoutSeconds: How long a build may take to answer before it counts as hanging.
    public init(
        lockfree: String,
        naive: String?,
        earlier: String? = nil,
        settings: Settings,
        samples: Int,
        timeoutSeconds: Double = 300
    ) {
        precondition(samples > 0, "At least 1 sample, not \(samples).")
        var executables: [Build: String] = [.direct: lockfree, .lockfree: lockfree]
        executables[.naive] = naive
        executables[.earlier] = earlier
        self.executables = executables
        builds = (Build.allCases + [.earlier]).filter { executables[$0] != nil }
        self.settings = settings
        self.samples = samples
        self.timeoutSeconds = timeoutSeconds
    }

    /// Measures `entries`, pass by pass. A scenario that fails is noted, and the others are measured.
    public func run(_ entries: [ScenarioEntry], singly: Bool = false) -> [ScenarioReport] {
        defer { progress.clear() }
        let passes = Self.samplesByPass(samples)
        steps = Double(max(1, entries.count * passes.count))
        stepsDone = 0
        var collected: [String: CollectedSamples] = [:]
        calibration.mark()
        for (pass, samples) in passes.enumerated() {
            // Other processes: what differs between two of them should show within a run.
            workers = [:]
            for (index, entry) in entries.enumerated() where !hasFailed(entry) {
                let title = "pass \(pass + 1)/\(passes.count), \(index + 1)/\(entries.count) \(entry.name)"
                var current = Build.lockfree
                do {
                    try measure(
                        entry, title, samples, singly: singly, isLast: pass + 1 == passes.count,
                        into: &collected[entry.name, default: CollectedSamples()], &current)
                } catch {
                    fail(entry, current, error)
                }
                stepsDone += 1
            }
            calibration.mark()
        }
        return entries.compactMap { entry in
            guard !hasFailed(entry), let samples = collected[entry.name] else { return nil }
            histograms[entry.name] = samples.latencies.isEmpty ? nil : samples.latencies
            return samples.report(entry)
        }
    }

    /// How `samples` are spread over passes: at most ten, each of at least four.
    static func samplesByPass(_ samples: Int) -> [Int] {
        let passes = max(1, min(10, samples / 4))
        return (0..<passes).map { samples / passes + ($0 < samples % passes ? 1 : 0) }
    }

    private func hasFailed(_ entry: ScenarioEntry) -> Bool {
        failures.contains { $0.scenario == entry.name }
    }

    private func fail(_ entry: ScenarioEntry, _ build: Build, _ error: any Error) {
        failures.append(Failure(scenario: entry.name, build: build.rawValue, message: "\(error)"))
        // Whatever state they are in, the next scenario gets fresh ones.
        workers = [:]
        countingWorkers = [:]
    }

    private func measure(
        _ entry: ScenarioEntry,
        _ title: String,
        _ samples: Int,
        singly: Bool,
        isLast: Bool,
        into collected: inout CollectedSamples,
        _ current: inout Build
    ) throws {
        for build in builds {
            current = build
            show("\(title): warming up \(build)")
            let request = WorkerRequest.open(
                scenario: entry.name, direct: build == .direct, settings: settings, singly: singly)
            _ = try worker(of: build).request(request, timeoutSeconds: timeoutSeconds)
        }
        collected.beginPass(of: builds)
        for turn in 0..<samples {
            show("\(title): sample \(turn + 1)/\(samples)")
            for build in turn.isMultiple(of: 2) ? builds : builds.reversed() {
                current = build
                collected.add(try sample(build), of: build)
            }
        }
        for build in builds {
            current = build
            let finish = WorkerRequest.finish(direct: build == .direct)
            let response = try worker(of: build).request(finish, timeoutSeconds: timeoutSeconds)
            guard case .finished(let summary) = response else { throw unexpected(response) }
            collected.add(summary, of: build)
            guard isLast, !singly, build != .earlier else { continue }
            show("\(title): counting allocations of \(build)")
            collected.allocations[build] = try allocations(entry, build)
        }
    }

    private func show(_ text: String) {
        progress.show(text, done: stepsDone / steps)
    }

    private func sample(_ build: Build) throws -> Sample {
        let request = WorkerRequest.sample(direct: build == .direct)
        let response = try worker(of: build).request(request, timeoutSeconds: timeoutSeconds)
        guard case .sampled(let sample) = response else { throw unexpected(response) }
        return sample
    }

    private func allocations(_ entry: ScenarioEntry, _ build: Build) throws -> AllocationsPerEvent? {
        let request = WorkerRequest.countAllocations(
            scenario: entry.name, direct: build == .direct, settings: settings)
        let response = try countingWorker(of: build).request(request, timeoutSeconds: timeoutSeconds)
        guard case .counted(let allocations) = response else { throw unexpected(response) }
        return allocations
    }

    private func worker(of build: Build) throws -> WorkerProcess {
        try Self.cached(&workers, build) { try start($0) }
    }

    /// A process apart: counting makes what is counted slower, so nothing is timed there.
    private func countingWorker(of build: Build) throws -> WorkerProcess {
        try Self.cached(&countingWorkers, build) { try start($0, isCounting: true) }
    }

    private func start(_ build: Build, isCounting: Bool = false) throws -> WorkerProcess {
        let isEarlier = build == .earlier
        return try WorkerProcess(
            executable: executables[build] ?? "", build: isEarlier ? .lockfree : build, isCounting: isCounting,
            isBurdened: !isEarlier)
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

    private func unexpected(_ response: WorkerResponse) -> WorkerFailure {
        WorkerFailure(description: "unexpected answer: \(response)")
    }
}
