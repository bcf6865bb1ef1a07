import CBenchmarkSupport
import Foundation

/// A process of one build that runs scenarios. It answers requests until its input ends.
public final class Worker {
    private let build: Build
    private let entry: (_ name: String, _ threads: Int?) -> ScenarioEntry?
    private let output: FileHandle
    private let countsSystemCalls: Bool
    private var open: [Bool: Sampler] = [:]
    private lazy var countsAllocations = AllocationSelfTest.passes()

    /// The argument of a worker that counts instead of timing.
    static let counting = "counting"

    /// - Parameters:
    ///   - build: The build of this executable.
    ///   - isCounting: Whether this process counts and times nothing.
    ///   - entry: The scenario of a name; nil if there is none. `threads` is the number of `--threads`.
    init(build: Build, isCounting: Bool, entry: @escaping (_ name: String, _ threads: Int?) -> ScenarioEntry?) {
        self.build = build
        countsSystemCalls = isCounting
        self.entry = entry
        // Standard output is reserved for the protocol. Whatever a scenario prints goes to standard error.
        output = FileHandle(fileDescriptor: dup(STDOUT_FILENO))
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    /// Answers until standard input ends.
    public func serve() throws {
        bench_end_with_parent()
        bench_ignore_broken_pipes()
        HardwareCounters.open()
        if countsSystemCalls { ProcessCounters.openSystemCalls() }
        try answer(.ready(build: build.rawValue))
        while let line = readLine() {
            let request = try JSONDecoder().decode(WorkerRequest.self, from: Data(line.utf8))
            let response: WorkerResponse
            do {
                response = try self.response(to: request)
            } catch {
                response = .failed("\(error)")
            }
            try answer(response)
        }
    }

    /// - Throws: What a scenario throws: a ``CheckFailure``, or an error of its own.
    private func response(to request: WorkerRequest) throws -> WorkerResponse {
        switch request {
        case .open(let scenario, let direct, let settings, let singly, let events):
            let sampler = try sampler(scenario, direct, settings)
            open[direct] = sampler
            if let known = settings.events ?? events, !singly {
                try sampler.prepare(events: known, isGiven: settings.events != nil)
            } else {
                try sampler.prepare(singly: singly)
            }
            if !singly, let seconds = settings.warmUpSeconds { try sampler.warmUp(seconds: seconds) }
            return .opened(events: sampler.events, parts: sampler.parts)
        case .sample(let direct, let parts):
            guard let sampler = open[direct] else { return .failed("nothing is open") }
            return .sampled(try sampler.sample(parts: parts ?? 1))
        case .finish(let direct):
            guard let sampler = open.removeValue(forKey: direct) else { return .failed("nothing is open") }
            return .finished(sampler.finish())
        case .countAllocations(let scenario, let direct, let settings):
            guard countsAllocations else { return .counted(nil) }
            let sampler = try sampler(scenario, direct, settings)
            // Counts need shorter runs than times.
            try sampler.prepare(share: 0.25)
            let counted = try sampler.allocationsPerEvent()
            _ = sampler.finish()
            return .counted(counted)
        }
    }

    private func sampler(_ name: String, _ direct: Bool, _ settings: Settings) throws -> Sampler {
        guard let entry = entry(name, settings.threads) else {
            throw CheckFailure("scenario", expected: "a name in the catalogue", got: name)
        }
        var timed = entry
        timed.sampleMilliseconds = settings.sampleMilliseconds ?? entry.sampleMilliseconds
        return Sampler(timed, try entry.make(direct: direct, settings))
    }

    private func answer(_ response: WorkerResponse) throws {
        try output.write(contentsOf: JSONEncoder().encode(response) + Data("\n".utf8))
    }
}
