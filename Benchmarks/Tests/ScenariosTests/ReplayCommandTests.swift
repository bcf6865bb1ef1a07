import BenchmarkKit
import Foundation
import Testing

/// The command, as a process.
@Suite struct ReplayCommandTests {
    private func replay(_ log: String, _ arguments: String...) throws -> (status: Int32, text: String, json: Report?) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, json) = (folder.appendingPathComponent("a.log"), folder.appendingPathComponent("a.json"))
        try Data(log.utf8).write(to: file)
        let output = folder.appendingPathComponent("output")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("corinth-bench")
        process.arguments = ["replay", "--log", file.path, "--json", json.path] + arguments
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: output, encoding: .utf8)
        return (process.terminationStatus, text, try? Report(readingFrom: json.path))
    }

    private static let line = #"1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET /" 200 12 "-" "-" 0.1"# + "\n"

    @Test func aShortLogIsAnalysedAndNotTimed() throws {
        let (status, text, json) = try replay(Self.line + "odd \u{1B}[2J\n" + Self.line)
        #expect(status == 0 && text.contains("a log of 3 lines is too short to be timed"))
        #expect(text.contains("  line 2: ") && !text.contains("\u{1B}") && text.contains(#"odd \u{1b}[2J"#))
        guard case .object(let results) = json?.results else { throw CheckFailure("no results") }
        #expect(results["requests"] == .integer(2) && results["malformed"] == .integer(1))
        #expect(json?.scenarios == [])
    }

    @Test func aLogInAnotherFormatFailsWithAHint() throws {
        let (status, text, _) = try replay("a\nb\n" + Self.line)
        #expect(status == 1)
        #expect(text.hasSuffix("more than half of the lines are malformed; --format describes the lines\n"))
        #expect(try replay("1431857103 h 200\n", "--format", "$msec $remote_addr $status").status == 0)
        let refused = try replay(Self.line, "--format", "%h")
        #expect(refused.status == 2 && refused.text.split(separator: "\n").count == 1)
    }

    @Test func aLongReplayAsks() throws {
        let later = Self.line.replacing("17/May", with: "19/May")
        let (status, text, _) = try replay(Self.line + later, "--speed", "10")
        #expect(status == 2 && text.hasSuffix("takes 17,280 s on each of three sides; use a higher speed, or --yes\n"))
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test func processesNeedNATS() throws {
        let (status, text, _) = try replay(Self.line, "--workers", "2")
        #expect(status == 2 && text.hasSuffix(": --workers needs --nats\n"))
        #expect(text.split(separator: "\n").count == 1)
    }
}
