import Foundation

/// A nats-server on loopback, with a configuration, a port and a folder of its own.
///
/// The port is the server's choice, and stays the same when the server is started again. What isn't stopped is killed with the
/// last reference.
final class TestServer: @unchecked Sendable {  // A test uses it on one thread.
    let folder: URL
    private(set) var port = -1
    private var extra: String
    private let hasJetStream: Bool
    let name: String
    private var process: Process?

    var address: String { "nats://127.0.0.1:\(port)" }

    /// Starts a server.
    ///
    /// - Parameter extra: Further lines of its configuration.
    init(jetStream: Bool = false, name: String = "test", _ extra: String = "") throws {
        hasJetStream = jetStream
        self.name = name
        self.extra = extra
        folder = FileManager.default.temporaryDirectory.appending(path: "corinth-nats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server again, on its port and with its data.
    func start() throws {
        let file = try writeConfiguration()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["nats-server", "-c", file.path, "-l", folder.path + "/server.log"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        // The server writes this file when it accepts clients.
        let ports = folder.appending(path: "nats-server_\(process.processIdentifier).ports")
        try Wait.until("nats-server accepts clients; its log: \(log)") {
            guard let text = try? String(contentsOf: ports, encoding: .utf8),
                let match = text.firstMatch(of: /:\/\/[^:]*:(\d+)/), let number = Int(match.1)
            else { return false }
            port = number
            return true
        }
    }

    /// Lets the server read a changed configuration.
    ///
    /// - Parameter extra: In place of the further lines.
    func reload(_ extra: String) throws {
        self.extra = extra
        _ = try writeConfiguration()
        if let process { Foundation.kill(process.processIdentifier, SIGHUP) }
    }

    private func writeConfiguration() throws -> URL {
        let configuration = """
            host: 127.0.0.1
            port: \(port)
            server_name: \(name)
            ports_file_dir: "\(folder.path)"
            \(hasJetStream ? "jetstream { store_dir: \"\(folder.path)/data\" }" : "")
            \(extra)
            """
        let file = folder.appending(path: "server.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        return file
    }

    var log: String { (try? String(contentsOf: folder.appending(path: "server.log"), encoding: .utf8)) ?? "none" }

    /// Ends the server as a power cut does.
    func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Stops the server's process without ending it, so that it answers nothing.
    func pause() { if let process { Foundation.kill(process.processIdentifier, SIGSTOP) } }

    func resume() { if let process { Foundation.kill(process.processIdentifier, SIGCONT) } }
}
