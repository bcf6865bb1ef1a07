import Dispatch
import Foundation
import Synchronization

/// Counts instead of timing: instructions, locked instructions, system calls, retains and releases with Callgrind, and
/// allocations with jemalloc.
///
/// Each side of each scenario is counted in its own processes, so a count doesn't depend on the other scenarios. Scenarios
/// with threads are left out: the kernel schedules threads, so their counts don't repeat.
public final class CountSuite: Sendable {
    private struct Job: Sendable {
        var entry: ScenarioEntry
        var build: Build
        var executable: String
    }

    private struct Counts {
        var instructions: Double?
        var lockedInstructions: Double?
        var systemCalls: Double?
        var retains: Double?
        var releases: Double?
        var allocations: AllocationsPerEvent?
    }

    private struct State {
        var counted: [String: [Build: Counts]] = [:]
        var failures: [Failure] = []
        var progress = ProgressLine()
        var done = 0
    }

    private let executables: [Build: String]
    private let names: BuildNames
    private let tools: CountingTools
    /// The variables that scenarios read.
    private let passed: [String: String]
    private let state = Mutex(State())

    /// Scenarios without figures, with the reason.
    public var failures: [Failure] {
        state.withLock(\.failures).sorted { ($0.scenario, $0.build) < ($1.scenario, $1.build) }
    }

    /// Whether instructions can be counted here.
    public var countsInstructions: Bool { tools.valgrind != nil }

    /// - Parameters:
    ///   - names: The names of the two builds in reports.
    ///   - main: The main build's executable, which also counts `direct`.
    ///   - alternative: The alternative build's executable; nil to leave that side out.
    ///   - builds: The sides to count; nil for all of them.
    ///   - environment: Variables that the counted processes have.
    public init(
        names: BuildNames, main: String, alternative: String?, builds: [Build]? = nil,
        environment: [String: String] = [:]
    ) throws {
        tools = try CountingTools()
        passed = environment
        var executables: [Build: String] = [:]
        let builds = builds ?? names.all
        let stripped = tools.withoutDebugging(main, as: names.main.rawValue)
        for build in builds where build != names.alternative { executables[build] = stripped }
        if let alternative, builds.contains(names.alternative) {
            executables[names.alternative] = tools.withoutDebugging(alternative, as: names.alternative.rawValue)
        }
        self.executables = executables
        self.names = names
    }

    deinit {
        tools.removeFiles()
    }

    /// Counts the scenarios of `entries` that have no threads.
    public func run(_ entries: [ScenarioEntry]) -> [ScenarioReport] {
        let counted = entries.filter { !$0.isThreaded }
        let jobs = counted.flatMap { entry in
            names.all.compactMap { build -> Job? in
                if build == .direct, entry.makeDirect == nil { return nil }
                return executables[build].map { Job(entry: entry, build: build, executable: $0) }
            }
        }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
        for job in jobs { queue.addOperation { self.count(job, of: jobs.count) } }
        queue.waitUntilAllOperationsAreFinished()
        state.withLock { $0.progress.clear() }
        return counted.compactMap(report)
    }

    private func count(_ job: Job, of total: Int) {
        let title = "counting \(job.entry.name), \(job.build)"
        state.withLock { $0.progress.show(title, done: Double($0.done) / Double(total)) }
        do {
            let counts = try counts(job)
            state.withLock { $0.counted[job.entry.name, default: [:]][job.build] = counts }
        } catch {
            let failure = Failure(scenario: job.entry.name, build: job.build.rawValue, message: "\(error)")
            state.withLock { $0.failures.append(failure) }
        }
        state.withLock { $0.done += 1 }
    }

    private func counts(_ job: Job) throws -> Counts {
        let arguments = [CountingProbe.command, job.entry.name, job.build == .direct ? "direct" : "library"]
        let caches = "tcache:false,narenas:1,dirty_decay_ms:-1,muzzy_decay_ms:-1"
        let environment = CountingTools.environment(passed.merging(["MALLOC_CONF": caches]) { $1 })
        let native = try tools.run(job.executable, arguments, environment: environment)
        guard native.status == 0, let (points, allocations) = CountedPoints.parse(native.text) else {
            throw CheckFailure(native.errors.isEmpty ? "ended with status \(native.status)" : native.errors)
        }
        var counts = Counts(allocations: allocations)
        guard let valgrind = tools.valgrind else { return counts }
        let name = "callgrind-\(UUID().uuidString.prefix(8))"
        let file = tools.directory.appendingPathComponent(name).path
        let dumps = CountingProbe.dumps
        defer {
            for suffix in ["", dumps.known, dumps.small, dumps.large] {
                try? FileManager.default.removeItem(atPath: file + suffix)
            }
        }
        let options = [
            "--tool=callgrind", "--quiet", "--instr-atstart=no", "--collect-systime=yes",
            "--callgrind-out-file=\(name)",
            // The address of each instruction, for `LockedInstructions`.
            "--dump-instr=yes", "--compress-pos=no",
            job.executable,
        ]
        let run = try tools.run(valgrind, options + arguments, environment: CountingTools.environment(passed))
        guard run.status == 0 else { throw CheckFailure(run.errors.isEmpty ? "valgrind failed" : run.errors) }
        let texts = [dumps.known, dumps.small, dumps.large].map { suffix in
            (try? String(contentsOfFile: file + suffix, encoding: .utf8)) ?? ""
        }
        let totals = texts.dropFirst().compactMap(CallgrindOutput.totals)
        guard totals.count == 2 else { throw CheckFailure("Callgrind counted nothing: \(run.errors)") }
        counts.instructions = points.perEvent(totals[0].instructions, totals[1].instructions)
        if let small = totals[0].systemCalls, let large = totals[1].systemCalls {
            // Memory that was reserved once isn't reserved again, which can make the difference negative.
            counts.systemCalls = max(0, points.perEvent(small, large))
        }
        let known = CountingProbe.knownCalls
        let reader = LockedInstructions()
        let locked = texts.map { reader.count(in: $0, relativeTo: tools.directory) }
        if locked[0] == known, let small = locked[1], let large = locked[2] {
            counts.lockedInstructions = max(0, points.perEvent(small, large))
        }
        let references = texts.map(CallgrindOutput.references)
        // If the runtime's functions have no symbols, the known calls are missing, and the counts are unavailable, not 0.
        if references[0] == .init(retains: known, releases: known) {
            counts.retains = max(0, points.perEvent(references[1].retains, references[2].retains))
            counts.releases = max(0, points.perEvent(references[1].releases, references[2].releases))
        }
        return counts
    }

    private func report(_ entry: ScenarioEntry) -> ScenarioReport? {
        let (counted, isFailed) = state.withLock { state in
            (state.counted[entry.name] ?? [:], state.failures.contains { $0.scenario == entry.name })
        }
        guard !isFailed, !counted.isEmpty else { return nil }
        var builds: [String: BuildReport] = [:]
        for (build, counts) in counted {
            var report = BuildReport(values: [counts.instructions ?? 0])
            report.instructionsPerEvent = counts.instructions
            report.lockedInstructionsPerEvent = counts.lockedInstructions
            report.systemCallsPerEvent = counts.systemCalls
            report.retainsPerEvent = counts.retains
            report.releasesPerEvent = counts.releases
            report.allocationsPerEvent = counts.allocations?.requests
            report.bytesPerEvent = counts.allocations?.bytes
            builds[build.rawValue] = report
        }
        var ratios: [String: RatioEstimate] = [:]
        for named in names.ratios {
            let pair = (counted[named.above]?.instructions, counted[named.below]?.instructions)
            guard case (let numerator?, let denominator?) = pair, denominator > 0 else { continue }
            let ratio = numerator / denominator
            ratios[named.name] = RatioEstimate(median: ratio, low: ratio, high: ratio)
        }
        return ScenarioReport(name: entry.name, unit: entry.countedUnit, builds: builds, ratios: ratios)
    }
}
