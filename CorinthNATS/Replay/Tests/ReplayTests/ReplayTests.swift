import AccessLog
import Corinth
import CorinthNATS
import Foundation
import Testing

@testable import nats_replay

/// `replay --nats`, as a process.
struct ReplayTests {
    private func replay(_ arguments: String...) throws -> (status: Int32, text: String, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "corinth-replay-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = [folder.appending(path: "output"), folder.appending(path: "errors")]
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "nats-replay")
        process.arguments = ["replay"] + arguments
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        // It has deadlines of its own.
        process.waitUntilExit()
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        return (process.terminationStatus, texts[0], texts[1])
    }

    private func withLog<Result>(_ text: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "corinth-replay-\(UUID().uuidString).log")
        try Data(text).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }

    private static let equal = "The merged result is that of a plain loop.\n"

    @Test func killsChangeNothing() throws {
        let run = try replay("--nats", "local", "--workers", "2", "--lines", "3000", "--kill", "2")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.hasPrefix(TrafficText.text(of: Traffic(of: LogGenerator.log(lines: 3000)).summary)))
        #expect(run.text.contains("worker 2 times, publisher 1, server 1;"))
        #expect(run.text.hasSuffix(Self.equal))
        // The publisher was killed before line 1,000, when 500 lines were in stored states. The next one sends them again.
        let refused = try #require(run.text.firstMatch(of: /; ([\d,]+) lines published again were refused/)).1
        #expect(Int(refused.replacing(",", with: "")) ?? 0 >= 500)
    }

    /// At the log's own speed, the publisher that replaces the killed one catches up. The file has what is printed.
    @Test func pacedAndWritten() throws {
        let lines = (0..<40).map { #"1.2.3.\#($0 % 5) - - [17/May/2015:10:05:0\#($0 / 10) +0000] "GET /" 200 12"# }
        let file = FileManager.default.temporaryDirectory.appending(path: "corinth-replay-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let begin = ContinuousClock.now
        let run = try withLog(Array(lines.joined(separator: "\n").utf8)) {
            try replay(
                "--nats", "local", "--workers", "1", "--kill", "1", "--speed", "2", "--json", file.path, "--log", $0)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.hasSuffix(Self.equal))
        // The last line is due after 1.5 s.
        #expect(ContinuousClock.now - begin >= .milliseconds(1500))
        let report = try JSONDecoder().decode(Written.self, from: Data(contentsOf: file))
        #expect(report.schema == 1 && report.seconds >= 1.5)
        #expect(report.results.lines == 40 && report.results.topClients.count == 5)
        #expect(report.results.processes.workers == 1 && report.results.processes.killedWorkers == 1)
        #expect(report.results.processes.killedPublishers == 1 && report.results.processes.killedServers == 1)
    }

    /// Parts of what `--json` writes.
    private struct Written: Decodable {
        struct Client: Decodable { var client: String }
        struct Processes: Decodable {
            var workers: Int
            var killedWorkers: Int
            var killedPublishers: Int
            var killedServers: Int
        }
        struct Results: Decodable {
            var lines: Int
            var topClients: [Client]
            var processes: Processes
        }
        var schema: Int
        var seconds: Double
        var results: Results
    }

    @Test func unusualLines() throws {
        let line = #"1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET /" 200 12"#
        let large = line.replacing(" 12", with: " 9223372036854775807")
        let earlier = line.replacing("1.2.3.4", with: "2001:db8::1%eth0").replacing("10:05:03", with: "10:05:02")
        let texts = [line, line + "\r", line + "\r\r", "", large, large, earlier, line]
        let bytes = texts.flatMap { Array($0.utf8) + [10] } + [0xFF, 0x20, 10] + Array(line.utf8)
        let run = try withLog(bytes) { try replay("--nats", "local", "--workers", "3", "--log", $0) }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.hasSuffix(Self.equal))
        let expected = Traffic(of: AccessLog(bytes: bytes, format: .common))
        #expect(expected.late == 1 && expected.malformed >= 2 && expected.hasOverflowed)
        #expect(run.text.hasPrefix(TrafficText.text(of: expected.summary)))
    }

    /// Somebody else's line in the place of the last one is found.
    @Test func aWrongLineIsFound() throws {
        let server = try LocalServer()
        defer { server.end() }
        let connection = NATSConnection(NATSOptions(servers: [server.address]))
        let codec = LogLineCodec(format: .combined)
        let ended = connection.messages(on: "*.partition.*").take(first: 1)
            .flatMap(.latest) { message -> SignalProducer<NATSPublication, NATSError> in
                var text = Array(#"9.9.9.9 - - [17/May/2015:10:05:03 +0000] "GET /" 200 1 "-" "-""#.utf8)
                text += Array(" more".utf8)
                let line = LogLine(number: 1999, newest: .min, text: text)
                // It has the id of the last line, which the stream then refuses.
                return connection.jetStream().publish(NATSOutgoing(codec.encode(line), to: message.subject, id: "1999"))
            }
            .start()
        let run = try replay("--nats", server.address, "--lines", "2000", "--kill", "3")
        ended.dispose()
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("nats-replay: the merged result isn't that of a plain loop: "))
        #expect(run.text.contains("worker 3 times, publisher 1, server 0;") && !run.text.contains(Self.equal))
        // The stream and the bucket are deleted.
        #expect(try Streams.count(connection) == 0)
    }

    @Test(arguments: [
        (["--nats", "local", "--log", "/no/such/log"], "there is no file '/no/such/log'"),
        (["--nats", "local", "--workers", "0"], "--workers is a number of processes, a whole number from 1, not '0'"),
        (["--nats", "local", "--workers", "65"], "--workers is a number of processes up to 64, not '65'"),
        (["--nats", "local", "--lines", "3", "--kill", "3"], "--kill 3 needs more than 3 lines; the log has 3"),
        (["--nats", "local", "--replicas", "3"], "--replicas 3 needs a cluster, not --nats local"),
        (["--workers", "2", "--nats"], "--nats needs URL"),
        (["--nats", "local", "--speed", "0"], "--speed is a number above 0 or 'max', not '0'"),
        (
            ["--nats", "local", "--speed", "0.0001"],
            "--speed 0.00010 takes more than a day; use a higher speed"
        ),
        (
            ["--nats", "local", "--json", "/no/such/folder/a.json"],
            "can't write '/no/such/folder/a.json': there is no folder '/no/such/folder'"
        ),
        (
            ["--nats", "local", "--samples", "3"],
            "--samples is for timing builds; with --nats none is timed, so leave it out"
        ),
        (["--workers", "2"], "--nats needs the URL of a server, or local"),
    ])
    func badArguments(_ arguments: [String], _ text: String) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "nats-replay")
        process.arguments = ["replay"] + arguments
        process.standardError = output
        try process.run()
        let errors = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(errors == "nats-replay: \(text)\n")
    }

    @Test func noServer() throws {
        // Nothing listens on the port that a server has left.
        let server = try LocalServer()
        let address = server.address
        server.end()
        let run = try replay("--nats", address)
        #expect(run.status == 1 && run.errors.hasPrefix("nats-replay: no NATS server can be reached"))
        #expect(run.errors.split(separator: "\n").count == 1)
        let odd = try replay("--nats", "local host")
        #expect(odd.status == 1 && odd.errors.split(separator: "\n").count == 1, "\(odd.errors)")
    }

    /// A state that is sent again, or late, doesn't replace a newer one, and isn't counted twice.
    @Test func mergingTakesTheNewest() {
        func state(_ client: String, _ sequence: UInt64, malformed: Int) -> StoredState {
            var traffic = Traffic()
            traffic.malformed = malformed
            return StoredState(client: client, sequence: sequence, traffic: traffic)
        }
        var merge = StateMerge()
        merge.add(state("a", 3, malformed: 2))
        merge.add(state("b", 1, malformed: 1))
        merge.add(state("a", 9, malformed: 5))
        merge.add(state("a", 3, malformed: 2))
        merge.add(state("b", 1, malformed: 1))
        #expect(merge.lines == 6 && merge.traffic.malformed == 6)
    }
}

/// What a server tells of its streams.
private struct Streams: Decodable {
    var total: Int

    static func count(_ connection: NATSConnection) throws -> Int {
        let reply = try connection.request(Data(), to: "$JS.API.STREAM.NAMES").finish(within: 10)
        return try JSONDecoder().decode(Streams.self, from: reply?.data ?? Data()).total
    }
}
