import BenchmarkKit
import Foundation

/// The driver of another library: a process that passes numbers through the library's queue and adds them up. The comment of
/// `Benchmarks/Peers/driver.hpp` describes what it reads and prints.
final class PeerProcess: Scenario {
    private let name: String
    private let process = Process()
    private let input = Foundation.Pipe()
    private let output = Foundation.Pipe()
    private let stallSeconds: Double
    private var received = Data()
    /// What the last run was to pass, and the sum of what it has passed.
    private var passed: Result<(events: Int, sum: Int), any Error> = .success((0, 0))
    let granularity: Int

    /// Starts the driver.
    ///
    /// - Parameters:
    ///   - name: What the line begins with that the driver prints at first.
    ///   - stallSeconds: How long to wait for an answer.
    /// - Throws: ``CheckFailure`` if the driver can't be started or doesn't say its name.
    init(
        _ name: String, driver: String, _ arguments: [String], granularity: Int = 1, stallSeconds: Double = 60
    ) throws {
        self.name = name
        self.granularity = granularity
        self.stallSeconds = stallSeconds
        // Writing to a driver that has died is an error then, and doesn't end this process.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = URL(fileURLWithPath: driver)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            throw failure("can't be started: \(error.localizedDescription)")
        }
        let title = try answer()
        guard title.hasPrefix("\(name) ") else { throw failure("says '\(title)' instead of its name and version") }
    }

    deinit { tearDown() }

    func run(events: Int) {
        // A driver that has failed isn't asked again.
        guard case .success = passed else { return }
        passed = Result {
            // If the driver has died, reading reports it.
            try? input.fileHandleForWriting.write(contentsOf: Data("\(events)\n".utf8))
            let line = try answer()
            guard let sum = Int(line) else { throw failure("answers '\(line)', which is no sum") }
            return (events, sum)
        }
    }

    func verify() throws {
        let (events, sum) = try passed.get()
        let what = "the sum of the numbers to \(events) from \(name)"
        try CheckFailure.unless(what, is: events * (events + 1) / 2, got: sum)
    }

    func tearDown() {
        try? input.fileHandleForWriting.close()
        waitForEnd()
    }

    private func failure(_ what: String) -> CheckFailure {
        CheckFailure("the driver of \(name) \(what)")
    }

    /// Waits for a line.
    private func answer() throws -> String {
        let deadline = Date(timeIntervalSinceNow: stallSeconds)
        let handle = output.fileHandleForReading
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received = Data(received[(end + 1)...])
                return line
            }
            let left = deadline.timeIntervalSinceNow
            guard left > 0 else {
                kill(process.processIdentifier, SIGKILL)
                throw failure("hasn't answered for \(stallSeconds) s")
            }
            var waited = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waited, 1, Int32(left * 1000) + 1) > 0 else { continue }
            let chunk = handle.availableData
            if chunk.isEmpty { throw failure(ending()) }
            received.append(chunk)
        }
    }

    private func ending() -> String {
        waitForEnd()
        let how = process.terminationReason == .uncaughtSignal ? "was ended by signal" : "has ended with status"
        return "\(how) \(process.terminationStatus) before it answered"
    }

    /// Waits until the driver has ended. One that goes on without its input or output is killed after a second.
    private func waitForEnd() {
        let deadline = Date(timeIntervalSinceNow: 1)
        while process.isRunning, deadline.timeIntervalSinceNow > 0 { usleep(1000) }
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
