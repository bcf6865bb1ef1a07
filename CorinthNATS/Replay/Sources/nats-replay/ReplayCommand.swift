import AccessLog
import BenchmarkKit
import Corinth
import CorinthNATS
import Foundation

/// `replay --nats`.
struct ReplayCommand {
    static let asExtension = BenchmarkTool.Extension(
        CommandDescription(
            "replay", "aggregate an access log in processes, over NATS",
            options: ReplayOptions.log + ReplayOptions.pace + ReplayOptions.distributed + [json, .color] + timing)
    ) { tool, arguments in
        do {
            return try ReplayCommand(tool: tool, arguments: arguments).run()
        } catch let failure as RunFailure {
            BenchmarkTool.complain(failure.description)
            return 1
        } catch is DistributedReplay.Interrupted {
            BenchmarkTool.complain("interrupted")
            return 130
        }
    }

    private static let json = OptionDescription(
        "--json", "FILE", "also write the result to FILE", completion: .file)

    /// The options of a replay that times builds, to say why they aren't options of this one.
    private static let timing = OptionDescription.measuring.filter { $0.name != json.name }
        .map { OptionDescription($0.name, $0.value, $0.help, isHidden: true) }

    let tool: BenchmarkTool
    let arguments: ParsedArguments

    /// The stream remembers the ids of messages for this time: a publisher that replaces a killed one begins with the first line.
    private static let longestDays = 1

    func run() throws -> Int32 {
        for option in Self.timing where arguments.has(option.name) {
            throw UsageError("\(option.name) is for timing builds; with --nats none is timed, so leave it out")
        }
        try Measurement.checkOutputs(arguments)
        let workers = try count("--workers", "a number of processes", 2, in: 1...64)
        let kills = try count("--kill", "a number of kills", 0, in: 0...1000)
        let replicas = try count("--replicas", "a number of servers", 1, in: 1...5)
        guard let url = arguments["--nats"] else { throw UsageError("--nats needs the URL of a server, or local") }
        if url == "local", replicas > 1 { throw UsageError("--replicas \(replicas) needs a cluster, not --nats local") }
        let lines = try ReplayOptions.generatedLines(arguments) ?? ReplayOptions.defaultLines
        let file = try arguments["--log"].map { try InputFile($0) }
        var job = Job(
            servers: url.split(separator: ",").map(String.init),
            name: "corinth-replay-\(UUID().uuidString.lowercased())",
            partitionCount: 4 * workers, logPath: file?.path, generatedLines: lines)
        job.speed = try ReplayOptions.speed(arguments)
        job.format = arguments["--format"]
        let log: AccessLog
        do { log = try job.log() } catch { throw UsageError(Printable.text("\(error)")) }
        let expected = Traffic(of: log)
        guard 2 * expected.malformed <= expected.lines else {
            throw RunFailure(description: "more than half of the lines are malformed; --format describes the lines")
        }
        guard kills < max(1, expected.lines) else {
            throw UsageError("--kill \(kills) needs more than \(kills) lines; the log has \(expected.lines)")
        }
        if let speed = job.speed, let schedule = job.schedule(log) {
            try ReplayOptions.check(schedule.seconds, at: speed, days: Self.longestDays, "", arguments)
        }
        job.stops = (0..<kills).map { ($0 + 1) * expected.lines / (kills + 1) }
        let server = url == "local" ? try LocalServer() : nil
        defer { server?.end() }
        if let server { job.servers = [server.address] }
        let replay = DistributedReplay(job, workers: workers, server: server, log)
        let outcome = try withExtendedLifetime(file) { try run(replay, job, replicas) }
        print(TrafficText.text(of: outcome.traffic.summary))
        if let malformed = TrafficText.malformed(LogAnalysis(of: log.bytes, log.format)) {
            print("\n" + Terminal(arguments).wrapped(malformed, indent: 4))
        }
        let rate = Figures.grouped(Int(Double(expected.lines) / outcome.seconds))
        print(
            """

            \(workers) \(workers == 1 ? "worker" : "workers"), \(job.partitionCount) partitions, \(rate) lines/s with the \
            start of the processes
            killed on the way: worker \(replay.kills.workers) times, publisher \(replay.kills.publishers), \
            server \(replay.kills.servers); \(Figures.grouped(outcome.duplicates)) lines published again were refused
            """)
        if let difference = expected.differences(from: outcome.traffic).first {
            throw RunFailure(description: "the merged result isn't that of a plain loop: \(difference)")
        }
        print("The merged result is that of a plain loop.")
        var measurement = Measurement.ofNothing(tool)
        measurement.report.seconds = outcome.seconds
        measurement.report.results = json(outcome, replay, job, workers)
        return try measurement.finish(arguments)
    }

    /// What a replay in one process writes, and how this one went.
    private func json(
        _ outcome: DistributedReplay.Outcome, _ replay: DistributedReplay, _ job: Job, _ workers: Int
    ) -> JSONValue {
        guard
            case .object(var results) = TrafficText.json(
                of: outcome.traffic.summary, requestsPerMinute: outcome.traffic.requestsPerMinute)
        else { return .object([:]) }
        results["processes"] = .object([
            "workers": .integer(workers), "partitions": .integer(job.partitionCount),
            "linesPerSecond": .number(Double(outcome.traffic.lines) / outcome.seconds),
            "killedWorkers": .integer(replay.kills.workers), "killedPublishers": .integer(replay.kills.publishers),
            "killedServers": .integer(replay.kills.servers), "refusedLines": .integer(outcome.duplicates),
        ])
        return .object(results)
    }

    /// Declares the stream and the bucket, and deletes them after the run.
    private func run(_ replay: DistributedReplay, _ job: Job, _ replicas: Int) throws -> DistributedReplay.Outcome {
        let connection = job.connect(isPatient: false)
        defer { connection.close() }
        let jetStream = connection.jetStream()
        var lines = NATSStream(job.name, subjects: ["\(job.name).partition.*"])
        lines.replicas = replicas
        lines.duplicateWindow = .seconds(Self.longestDays * 24 * 3600)
        var bucket = NATSStream.bucket(job.name)
        bucket.replicas = replicas
        do {
            try jetStream.declare(lines).finish(within: 30)
            defer {
                _ = try? jetStream.delete(stream: bucket.name).finish(within: 10)
                _ = try? jetStream.delete(stream: lines.name).finish(within: 10)
            }
            try jetStream.declare(bucket).finish(within: 30)
            return try replay.run(jetStream)
        }
    }

    private func count(_ name: String, _ meaning: String, _ standard: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let number = try arguments.count(name, meaning, least: range.lowerBound) else { return standard }
        guard range.contains(number) else {
            throw UsageError("\(name) is \(meaning) up to \(range.upperBound), not '\(number)'")
        }
        return number
    }
}
