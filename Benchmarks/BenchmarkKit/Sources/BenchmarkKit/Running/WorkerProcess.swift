import CBenchmarkSupport
import Foundation

/// The reason why a worker did not answer.
struct WorkerFailure: Error, CustomStringConvertible {
    var description: String
}

/// The driver's end of a worker: sends a line and waits for a line, with a timeout.
final class WorkerProcess {
    private let process = Process()
    private let toWorker = Pipe()
    private let fromWorker = Pipe()
    private var received = Data()

    /// Starts `executable` as a worker and verifies which build it is.
    ///
    /// - Parameters:
    ///   - isCounting: Whether it counts and times nothing. Then it has jemalloc, if there is one, and its threads have no
    ///     allocation caches, which makes jemalloc's counters exact and allocations slower. One that times has the allocator of
    ///     the program.
    ///   - isBurdened: Whether a slowdown on purpose applies to it.
    init(executable: String, build: Build, isCounting: Bool = false, isBurdened: Bool = true) throws {
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = ["worker"] + (isCounting ? [Worker.counting] : [])
        var environment = ProcessInfo.processInfo.environment
        if !isBurdened { environment[BurdenedScenario.variable] = nil }
        if isCounting { environment = Jemalloc.with(environment.merging(["MALLOC_CONF": "tcache:false"]) { $1 }) }
        process.environment = environment
        process.standardInput = toWorker
        process.standardOutput = fromWorker
        do {
            try Children.run(process)
        } catch {
            throw WorkerFailure(description: "can't start \(executable): \(error.localizedDescription)")
        }
        guard case .ready(let name) = try receive(timeoutSeconds: 30) else {
            throw WorkerFailure(description: "\(executable) doesn't answer like a worker")
        }
        guard name == build.rawValue else {
            throw WorkerFailure(description: "\(executable) is the \(name) build, not the \(build) one")
        }
    }

    deinit {
        // A worker that hangs doesn't notice the end of its input.
        if process.isRunning { bench_kill(process.processIdentifier) }
        Children.forget(process)
    }

    /// Sends `request` and returns the answer.
    ///
    /// - Throws: ``WorkerFailure`` if the worker ends, takes too long, or reports a failed check.
    func request(_ request: WorkerRequest, timeoutSeconds: Double) throws -> WorkerResponse {
        let line = try JSONEncoder().encode(request) + Data("\n".utf8)
        // If the worker has ended, reading reports it below.
        try? toWorker.fileHandleForWriting.write(contentsOf: line)
        let response = try receive(timeoutSeconds: timeoutSeconds)
        if case .failed(let message) = response { throw WorkerFailure(description: message) }
        return response
    }

    private func receive(timeoutSeconds: Double) throws -> WorkerResponse {
        let deadline = Clock.now() + UInt64(timeoutSeconds * 1e9)
        let handle = fromWorker.fileHandleForReading
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = received[..<end]
                received = Data(received[(end + 1)...])
                return try JSONDecoder().decode(WorkerResponse.self, from: line)
            }
            let now = Clock.now()
            guard now < deadline else {
                throw WorkerFailure(description: "no answer in \(Figures.number(timeoutSeconds)) s")
            }
            let milliseconds = min((deadline - now) / 1_000_000 + 1, 60_000)
            guard bench_wait_readable(handle.fileDescriptor, Int32(milliseconds)) != 0 else { continue }
            let chunk = handle.availableData
            if chunk.isEmpty { throw WorkerFailure(description: ending()) }
            received.append(chunk)
        }
    }

    private func ending() -> String {
        process.waitUntilExit()
        let how = process.terminationReason == .uncaughtSignal ? "was ended by signal" : "ended with status"
        return "the process \(how) \(process.terminationStatus)"
    }
}
