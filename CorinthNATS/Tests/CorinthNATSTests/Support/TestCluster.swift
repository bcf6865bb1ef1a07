import CorinthNATS
import CorinthNATSTesting
import Foundation

/// Servers on loopback that are a cluster with JetStream.
final class TestCluster {
    let servers: [NATSTestServer]

    var addresses: [String] { servers.map(\.address) }

    init(_ count: Int) throws {
        // The servers must know each other's ports before they start.
        let ports = try FreePorts.find(count)
        servers = try (0..<count).map { index in
            let routes = ports.enumerated().filter { $0.offset != index }.map { "nats://127.0.0.1:\($0.element)" }
            return try NATSTestServer(
                jetStream: true, name: "server\(index)",
                configuration: """
                    cluster { name: test, listen: "127.0.0.1:\(ports[index])", routes: [\(routes.joined(separator: ", "))] }
                    """)
        }
    }

    /// The server that leads a stream.
    func leader(of stream: String, _ jetStream: JetStream) throws -> NATSTestServer {
        var found: NATSTestServer?
        try Wait.until("the stream has a leader") {
            guard let name = try? jetStream.info(ofStream: stream).completed().first?.leader else { return false }
            found = servers.first { $0.name == name }
            return found != nil
        }
        return found!
    }
}

enum FreePorts {
    /// Ports that no process uses. They are all held until the last one is found.
    static func find(_ count: Int) throws -> [Int] {
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        return try (0..<count).map { _ in
            let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            sockets.append(socket)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe bind(socket, pointer, size) == 0 && getsockname(socket, pointer, &size) == 0
                }
            }
            if !isBound { throw Wait.TimeUp(description: "no port is free") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
}

/// The executables that are built with the tests.
enum Programs {
    static func url(_ name: String) -> URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
    }
}

/// Processes of the executable `TestWorker`, which append a line for each message to one file.
final class TestWorkers {
    struct Line {
        var deliveries: Int
        var text: String
    }

    private let file: URL
    private let arguments: [String]
    private let variables: [String: String]
    private var processes: [Process] = []

    /// - Parameters:
    ///   - arguments: Those of `TestWorker`, without the file.
    ///   - variables: What is added to their environment.
    init(
        _ count: Int, writingTo file: URL, arguments: [String], variables: [String: String] = [:]
    ) throws {
        self.file = file
        self.arguments = arguments
        self.variables = variables
        for _ in 0..<count { try start() }
    }

    deinit { for process in processes where process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    /// How many lines there are so far.
    var lineCount: Int {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return 0 }
        defer { try? handle.close() }
        try? handle.seek(toOffset: position)
        guard let new = try? handle.readToEnd() else { return counted }
        position += UInt64(new.count)
        counted += new.count { $0 == UInt8(ascii: "\n") }
        return counted
    }

    /// What ``lineCount`` has read.
    private var position: UInt64 = 0
    private var counted = 0

    /// All lines so far, in the order in which they were written.
    var lines: [Line] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return Line(deliveries: Int(parts[0]) ?? 0, text: String(parts[1]))
        }
    }

    func start() throws {
        let process = Process()
        process.executableURL = Programs.url("TestWorker")
        process.arguments = arguments + [file.path]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        try process.run()
        processes.append(process)
    }

    /// Starts as many workers as have ended by themselves.
    func replaceEnded() throws {
        let running = processes.filter(\.isRunning)
        let ended = processes.count - running.count
        processes = running
        for _ in 0..<ended { try start() }
    }

    /// Ends the oldest worker as a power cut does.
    func killOldest() {
        let process = processes.removeFirst()
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
