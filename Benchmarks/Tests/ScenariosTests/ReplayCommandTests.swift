import BenchmarkKit
import Foundation
import Testing

/// The command, as a process.
@Suite struct ReplayCommandTests {
    private func replay(_ log: String, _ arguments: String...) throws -> (status: Int32, text: String, json: Report?) {
        try replay(log, arguments)
    }

    private func replay(_ log: String, _ arguments: [String]) throws -> (status: Int32, text: String, json: Report?) {
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

    @Test func latenciesOfALogAreShown() throws {
        let format = "$remote_addr - - [$time_local] \"$request\" $status $body_bytes_sent $request_time"
        let text = Self.line.replacing(" \"-\" \"-\"", with: "")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (page, plot) = (folder.appendingPathComponent("a.html"), folder.appendingPathComponent("a.hgrm"))
        let run = try replay(text + text, "--format", format, "--analyse", "--html", page.path, "--hgrm", plot.path)
        #expect(run.status == 0 && run.text.contains("latencies: $request_time, in s") && run.text.contains("100 ms"))
        guard case .object(let results) = run.json?.results else { throw CheckFailure("no results") }
        #expect(results["slowest"] != nil && results["spans"] != nil && results["routes"] != nil)
        #expect(try String(contentsOf: page, encoding: .utf8).contains("<svg"))
        #expect(try String(contentsOf: plot, encoding: .utf8).contains("Total count    =            2"))
        let none = try replay(text, "--analyse")
        #expect(none.status == 0 && none.text.contains("no latency is in the lines"))
    }

    @Test(arguments: [
        (["--html", "a"], "--html needs --analyse"), (["--analyse", "--quick"], "--quick is for timing"),
        (["--analyse", "--speed", "3"], "--speed is for timing"),
        (["--timed", "0"], "--timed is a number of lines above 0"),
    ])
    func optionsThatDoNotGoTogether(options: [String], message: String) throws {
        let (status, text, _) = try replay(Self.line, options)
        #expect(status == 2 && text.contains(message) && text.split(separator: "\n").count == 1, "\(text)")
    }

    @Test func someLinesAreTimed() throws {
        let text = String(repeating: Self.line, count: 1200)
        let some = try replay(text, "--timed", "900")
        #expect(some.status == 0 && some.text.contains("the first 900 of 1,200 lines are timed"))
        #expect(some.text.contains("a log of 900 lines is too short to be timed"))
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
