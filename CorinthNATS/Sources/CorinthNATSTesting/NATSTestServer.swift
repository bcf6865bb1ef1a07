public import Foundation
internal import Synchronization

/// A nats-server for tests: on loopback, with a port, a configuration and a folder of its own.
///
/// ```swift
/// let server = try NATSTestServer(jetStream: true)
/// let connection = NATSConnection(NATSOptions(servers: [server.address]))
/// ```
///
/// The program `nats-server` must be installed. The port is the server's choice, and stays the same when the server is started
/// again. The server is killed with the last reference, and its folder is deleted. It outlives a test's process that is killed.
///
/// ## Concurrency
/// Any thread may use it. What starts or ends the server blocks its thread until that is done.
public final class NATSTestServer: Sendable {
    /// Why a server doesn't run.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private struct Running {
        var port = -1
        var configuration: String
        var process: Process?
    }

    /// How long the server may take until it accepts clients, in seconds.
    private static let longestStart = 60.0

    /// Where its configuration, its log and its data are.
    public let folder: URL
    /// The server's name.
    public let name: String
    private let hasJetStream: Bool
    private let running: Mutex<Running>

    /// The port, which the server has chosen.
    public var port: Int { running.withLock { $0.port } }

    /// The address for clients.
    public var address: String { "nats://127.0.0.1:\(port)" }

    /// What the server has logged so far, and why it has ended.
    public var log: String { text("server.log") + text("server.errors") }

    private func text(_ file: String) -> String {
        (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
    }

    /// Starts a server. Returns when it accepts clients.
    ///
    /// - Parameters:
    ///   - jetStream: Whether it stores streams, in its folder.
    ///   - name: Its name. The servers of a cluster need different ones.
    ///   - configuration: Further lines of its configuration, as its documentation has them.
    /// - Throws: ``Failure`` if it can't be started, or doesn't accept clients within a minute, with its log.
    public init(jetStream: Bool = false, name: String = "test", configuration: String = "") throws(Failure) {
        hasJetStream = jetStream
        self.name = name
        running = Mutex(Running(configuration: configuration))
        folder = FileManager.default.temporaryDirectory.appending(path: "corinth-nats-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure(description: "the folder of a nats-server can't be made: \(error)")
        }
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server again, on its port and with its data, unless it runs. Returns when it accepts clients.
    public func start() throws(Failure) {
        try running.withLock { running throws(Failure) in
            if running.process != nil { return }
            try write(running)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            // What it doesn't accept isn't in the log.
            process.arguments = [
                "-c", #"exec nats-server -c "$1/server.conf" -l "$1/server.log" 2>"$1/server.errors""#, "sh",
                folder.path,
            ]
            // Debian's package has it where only the administrator's shell looks.
            var environment = ProcessInfo.processInfo.environment
            environment["PATH"] = (environment["PATH"] ?? "/usr/bin") + ":/usr/sbin:/usr/local/sbin"
            process.environment = environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            do { try process.run() } catch {
                throw Failure(description: "/bin/sh can't be run: \(error)")
            }
            running.process = process
            do throws(Failure) { running.port = try portOnceReady(process) } catch {
                end(&running)
                throw error
            }
        }
    }

    /// Waits until the server accepts clients: then it writes a file with its ports.
    private func portOnceReady(_ process: Process) throws(Failure) -> Int {
        let ports = folder.appending(path: "nats-server_\(process.processIdentifier).ports")
        let end = ContinuousClock.now + .seconds(Self.longestStart)
        while true {
            if let text = try? String(contentsOf: ports, encoding: .utf8),
                let match = text.firstMatch(of: /:\/\/[^:]*:(\d+)/), let port = Int(match.1)
            {
                return port
            }
            if !process.isRunning {
                throw Failure(
                    description: process.terminationStatus == 127
                        ? "nats-server isn't installed, or isn't in PATH"
                        : "nats-server has ended with \(process.terminationStatus); its log: \(log)")
            }
            if ContinuousClock.now > end {
                throw Failure(
                    description: "nats-server doesn't accept clients after \(Self.longestStart) s; its log: \(log)")
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// Lets the server read a changed configuration, now or when it is started.
    ///
    /// - Parameter configuration: In place of the further lines.
    public func reload(_ configuration: String) throws(Failure) {
        try running.withLock { running throws(Failure) in
            running.configuration = configuration
            try write(running)
            signal(running, SIGHUP)
        }
    }

    private func write(_ running: Running) throws(Failure) {
        let lines = """
            host: 127.0.0.1
            port: \(running.port)
            server_name: \(name)
            ports_file_dir: "\(folder.path)"
            \(hasJetStream ? "jetstream { store_dir: \"\(folder.path)/data\" }" : "")
            \(running.configuration)
            """
        let file = folder.appending(path: "server.conf")
        do { try lines.write(to: file, atomically: true, encoding: .utf8) } catch {
            throw Failure(description: "the configuration of a nats-server can't be written: \(error)")
        }
    }

    /// Ends the server as a power cut does. ``start()`` starts it again.
    public func kill() { running.withLock { end(&$0) } }

    private func end(_ running: inout Running) {
        guard let process = running.process else { return }
        signal(running, SIGKILL)
        process.waitUntilExit()
        running.process = nil
    }

    /// Stops the server's process without ending it, so that it answers nothing until ``resume()``.
    public func pause() { running.withLock { signal($0, SIGSTOP) } }

    /// Lets a paused server go on.
    public func resume() { running.withLock { signal($0, SIGCONT) } }

    private func signal(_ running: Running, _ number: Int32) {
        if let process = running.process { Foundation.kill(process.processIdentifier, number) }
    }
}
