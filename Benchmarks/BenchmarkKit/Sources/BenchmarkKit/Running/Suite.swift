import Foundation

/// The driver: alternates the builds on each scenario and computes the figures.
///
/// It interleaves the builds because a shared machine drifts: their order is A B C for one sample, C B A for the next. So
/// the two samples of a pair are close in time, and neither build is always first. It makes several passes because two
/// processes of one executable differ, too: the samples are spread over passes through all scenarios, each with new
/// processes. Before, between and after the passes it times a loop that never changes, to measure the machine's speed.
public final class Suite {
    private let executables: [Build: String]
    private let names: BuildNames
    private let builds: [Build]
    private let settings: Settings
    private let samples: Int
    private let processes: Int?
    private let timeoutSeconds: Double
    private var workers: [Build: WorkerProcess] = [:]
    private var countingWorkers: [Build: WorkerProcess] = [:]
    /// The number of events of a run, by scenario and build. The processes of the first pass find it.
    private var events: [String: [Build: Int]] = [:]
    private var progress = ProgressLine()
    private var stepsDone = 0.0
    private var steps = 1.0

    /// Scenarios without figures, with the reason.
    public private(set) var failures: [Failure] = []

    /// Called with the figures after each pass but the last one, and with what is done: `3 of 10 passes`.
    public var afterPass: ((_ scenarios: [ScenarioReport], _ done: String) -> Void)?

    /// What was done, if an interruption ended the run: `3 of 10 passes`; nil otherwise.
    public private(set) var interruptedAfter: String?

    /// The machine's speed.
    public private(set) var calibration = Calibration()

    /// All latencies, by scenario and build.
    public private(set) var histograms: [String: [Build: Histogram]] = [:]

    /// The latencies of each pass.
    public private(set) var log = HistogramLog()

    /// - Parameters:
    ///   - names: The names of the two builds in reports.
    ///   - main: The main build's executable, which also measures `direct`.
    ///   - alternative: The alternative build's executable; nil to measure two sides only.
    ///   - earlier: The main executable of another checkout, measured in turn with the others; or nil.
    ///   - samples: The number of samples of each build in each scenario.
    ///   - processes: The number of passes, each with processes of its own; nil for a number that fits the samples.
    ///   - timeoutSeconds: The time for an answer, after which a build counts as hanging.
    public init(
        names: BuildNames,
        main: String,
        alternative: String?,
        earlier: String? = nil,
        settings: Settings,
        samples: Int,
        processes: Int? = nil,
        timeoutSeconds: Double = 300
    ) {
        precondition(samples > 0, "At least 1 sample, not \(samples).")
        var executables: [Build: String] = [.direct: main, names.main: main]
        executables[names.alternative] = alternative
        executables[.earlier] = earlier
        self.executables = executables
        self.names = names
        builds = (names.all + [.earlier]).filter { executables[$0] != nil }
        self.settings = settings
        self.samples = samples
        self.processes = processes
        self.timeoutSeconds = timeoutSeconds
    }

    /// Measures `entries`, pass by pass. A failure ends a scenario, and the others continue. An interruption ends the run: the
    /// passes before it are reported.
    public func run(_ entries: [ScenarioEntry], singly: Bool = false) -> [ScenarioReport] {
        defer {
            progress.clear()
            Children.reportWhenInterrupted(nil)
        }
        let passes = Self.samplesByPass(samples, passes: processes)
        steps = Double(max(1, entries.count * passes.count))
        stepsDone = 0
        var collected: [String: CollectedSamples] = [:]
        calibration.mark()
        var complete = collected
        measuring: for (pass, samples) in passes.enumerated() {
            // New processes, so that a run contains the differences between two of them.
            workers = [:]
            for (index, entry) in entries.enumerated() where !hasFailed(entry) {
                let title = "pass \(pass + 1)/\(passes.count), \(index + 1)/\(entries.count) \(entry.name)"
                var current = names.main
                do {
                    try measure(
                        entry, title, samples, singly: singly, isLast: pass + 1 == passes.count,
                        into: &collected[entry.name, default: CollectedSamples()], &current)
                } catch {
                    if Children.isInterrupted {
                        interruptedAfter = "\(pass) of \(passes.count) passes"
                        break measuring
                    }
                    fail(entry, current, error)
                }
                stepsDone += 1
            }
            calibration.mark()
            complete = collected
            guard pass + 1 < passes.count else { break }
            let done = "\(pass + 1) of \(passes.count) passes"
            Children.reportWhenInterrupted("interrupted; these are the figures of \(done) (again: ends at once)")
            afterPass?(reports(of: entries, complete), done)
        }
        if interruptedAfter == nil, !singly { replaceDisturbedPasses(of: entries, passes, &complete) }
        return reports(of: entries, complete)
    }

    private func reports(of entries: [ScenarioEntry], _ collected: [String: CollectedSamples]) -> [ScenarioReport] {
        entries.compactMap { entry in
            guard !hasFailed(entry), let samples = collected[entry.name] else { return nil }
            histograms[entry.name] = samples.latencies.isEmpty ? nil : samples.latencies
            return samples.report(entry, names)
        }
    }

    /// Measures scenarios again whose rounds the machine disturbed, with new processes: a compiler that runs beside a pass has
    /// often ended after the last one. Each further pass replaces the one that was disturbed most, if it is better. There are at
    /// most as many further passes as passes. They end when two in a row have improved nothing: then the machine stays busy.
    private func replaceDisturbedPasses(
        of entries: [ScenarioEntry], _ passes: [Int], _ collected: inout [String: CollectedSamples]
    ) {
        var failuresInARow = 0
        Children.reportWhenInterrupted("interrupted; no more rounds are measured again (again: ends at once)")
        for number in 1...passes.count {
            let before = collected
            let marked = entries.filter { !hasFailed($0) && collected[$0.name]?.isMarked == true }
            if marked.isEmpty { return }
            workers = [:]
            steps += Double(marked.count)
            var hasImproved = false
            for (index, entry) in marked.enumerated() {
                let title = "again \(number)/\(passes.count), \(index + 1)/\(marked.count) \(entry.name)"
                var current = names.main
                do {
                    try measure(
                        entry, title, passes[0], singly: false, isLast: false, isAgain: true,
                        into: &collected[entry.name, default: CollectedSamples()], &current)
                    if collected[entry.name]?.replaceWorstPass() == true { hasImproved = true }
                } catch {
                    if Children.isInterrupted {
                        collected = before
                        return
                    }
                    fail(entry, current, error)
                }
                stepsDone += 1
            }
            calibration.mark()
            failuresInARow = hasImproved ? 0 : failuresInARow + 1
            if failuresInARow == 2 { return }
        }
    }

    /// The samples of each pass: one up to ten samples, then ten passes until each has four samples, then more passes.
    ///
    /// Passes show what processes differ by, and samples of the same pass don't. So few samples are spread over as many
    /// processes.
    static func samplesByPass(_ samples: Int, passes: Int? = nil) -> [Int] {
        let passes = passes.map { min($0, samples) } ?? (samples <= 10 ? samples : max(10, samples / 4))
        return (0..<passes).map { samples / passes + ($0 < samples % passes ? 1 : 0) }
    }

    /// The number of samples that makes this number of passes.
    static func samples(forPasses passes: Int) -> Int { passes <= 10 ? passes : 4 * passes }

    private func hasFailed(_ entry: ScenarioEntry) -> Bool {
        failures.contains { $0.scenario == entry.name }
    }

    private func fail(_ entry: ScenarioEntry, _ build: Build, _ error: any Error) {
        failures.append(Failure(scenario: entry.name, build: build.rawValue, message: "\(error)"))
        // Their state is unknown. The next scenario gets new ones.
        workers = [:]
        countingWorkers = [:]
    }

    private func measure(
        _ entry: ScenarioEntry,
        _ title: String,
        _ samples: Int,
        singly: Bool,
        isLast: Bool,
        isAgain: Bool = false,
        into collected: inout CollectedSamples,
        _ current: inout Build
    ) throws {
        let builds = builds(of: entry)
        var parts = Int.max
        for build in Self.order(builds, collected.passesBegun) {
            current = build
            show("\(title): warming up \(build)")
            let request = WorkerRequest.open(
                scenario: entry.name, direct: build == .direct, settings: settings, singly: singly,
                events: knownEvents(entry, build))
            let response = try worker(of: build).request(request, timeoutSeconds: timeoutSeconds)
            guard case .opened(let found, let mostParts) = response else { throw unexpected(response) }
            parts = min(parts, singly ? 1 : mostParts ?? 1)
            if !singly { events[entry.name, default: [:]][build] = found }
        }
        collected.beginPass(of: builds)
        let start = Date()
        for number in 0..<samples {
            show("\(title): sample \(number + 1)/\(samples)")
            // Few samples have passes of one each, so the order changes from round to round, also from pass to pass.
            let known = isAgain ? 2 : Round.mostRepeats(beforeThis: collected.repeated, of: self.samples)
            let mostRepeats = singly ? 0 : known
            let order = Self.order(builds, collected.rounds)
            let round = try Round.take(order, parts: parts, mostRepeats: mostRepeats) { build in
                current = build
                return try sample(build, parts: parts)
            }
            collected.add(round)
        }
        let end = Date()
        for build in builds {
            current = build
            let finish = WorkerRequest.finish(direct: build == .direct)
            let response = try worker(of: build).request(finish, timeoutSeconds: timeoutSeconds)
            guard case .finished(let summary) = response else { throw unexpected(response) }
            collected.add(summary, of: build, entry.measure)
            log.add(summary.latencies, entry.name, build, from: start, to: end)
            guard isLast, !singly, build != .earlier else { continue }
            show("\(title): counting allocations of \(build)")
            collected.allocations[build] = try allocations(entry, build)
        }
    }

    /// The builds that a scenario has.
    private func builds(of entry: ScenarioEntry) -> [Build] {
        entry.makeDirect == nil ? builds.filter { $0 != .direct } : builds
    }

    /// The order of the builds in a round or in a part of it, or of their warm-ups in a pass: no build is always the first one.
    static func order(_ builds: [Build], _ number: Int) -> [Build] {
        number.isMultiple(of: 2) ? builds : builds.reversed()
    }

    /// The number of events that earlier processes have found. The two executables of `--against` have the same, because a run of
    /// few events isn't like one of many: waking threads, and what other programs do meanwhile, are parts of it.
    private func knownEvents(_ entry: ScenarioEntry, _ build: Build) -> Int? {
        let known = events[entry.name] ?? [:]
        guard build == names.main || build == .earlier else { return known[build] }
        return [known[names.main], known[.earlier]].compactMap(\.self).max()
    }

    private func show(_ text: String) {
        progress.show(text, done: stepsDone / steps)
    }

    private func sample(_ build: Build, parts: Int) throws -> Sample {
        let request = WorkerRequest.sample(direct: build == .direct, parts: parts)
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

    /// Each side has a process of its own, also `direct`. Otherwise the main build's process would have done more than that of
    /// the build that it is compared with: one executable, compared with itself, was seen at three times its own time.
    private func worker(of build: Build) throws -> WorkerProcess {
        try Self.cached(&workers, build) { try start($0) }
    }

    /// A separate process: counting slows it down, so it times nothing.
    private func countingWorker(of build: Build) throws -> WorkerProcess {
        try Self.cached(&countingWorkers, build) { try start($0, isCounting: true) }
    }

    private func start(_ build: Build, isCounting: Bool = false) throws -> WorkerProcess {
        let isEarlier = build == .earlier
        return try WorkerProcess(
            executable: executables[build] ?? "", build: build == names.alternative ? build : names.main,
            isCounting: isCounting,
            isBurdened: !isEarlier)
    }

    private static func cached(
        _ workers: inout [Build: WorkerProcess],
        _ build: Build,
        _ start: (Build) throws -> WorkerProcess
    ) throws -> WorkerProcess {
        if let worker = workers[build] { return worker }
        let worker = try start(build)
        workers[build] = worker
        return worker
    }

    private func unexpected(_ response: WorkerResponse) -> WorkerFailure {
        WorkerFailure(description: "unexpected answer: \(response)")
    }
}
