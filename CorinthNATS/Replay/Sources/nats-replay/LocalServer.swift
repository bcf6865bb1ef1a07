import Foundation

/// A nats-server with JetStream on loopback, with a configuration, a port and a folder of its own.
final class LocalServer {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "corinth-replay-\(UUID().uuidString)")
    private var port = -1
    private var process: Process?

    var address: String { "nats://127.0.0.1:\(port)" }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do { try start() } catch {
            end()
            throw error
        }
    }

    /// Starts it on its port, with its data.
    func start() throws {
        let configuration = """
            host: 127.0.0.1
            port: \(port)
            ports_file_dir: "\(folder.path)"
            jetstream { store_dir: "\(folder.path)/data" }
            """
        let file = folder.appending(path: "server.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["nats-server", "-c", file.path, "-l", folder.path + "/server.log"]
        // Debian's folder for servers isn't on every PATH.
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = (environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin"
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        // It writes this file when it accepts clients, and gives no signal.
        let ports = folder.appending(path: "nats-server_\(process.processIdentifier).ports")
        let limit = DispatchTime.now() + .seconds(Deadline.seconds)
        let never = DispatchSemaphore(value: 0)
        while true {
            if let text = try? String(contentsOf: ports, encoding: .utf8),
                let match = text.firstMatch(of: /:\/\/[^:]*:(\d+)/), let number = Int(match.1)
            {
                port = number
                return
            }
            guard process.isRunning else {
                throw RunFailure(description: "nats-server doesn't start: \(lastWords(process.terminationStatus))")
            }
            guard DispatchTime.now() < limit else {
                throw RunFailure(description: "nats-server accepts no clients within \(Deadline.seconds) s")
            }
            _ = never.wait(timeout: .now() + .milliseconds(5))
        }
    }

    private func lastWords(_ status: Int32) -> String {
        if status == 127 { return "it isn't installed; apt-get install nats-server" }
        let log = try? String(contentsOf: folder.appending(path: "server.log"), encoding: .utf8)
        return log?.split(separator: "\n").last.map(String.init) ?? "its exit status is \(status)"
    }

    /// Ends it as a power cut does.
    func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    func end() {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }
}
