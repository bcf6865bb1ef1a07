import Foundation

/// `only`: runs one scenario of this build in this process, for profilers.
struct OnlyCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let entry = try tool.entry(named: arguments.words[0])
        let isDirect = arguments.has("--direct")
        let seconds = try arguments.number("--seconds", "a number of seconds") ?? 5
        let events = try arguments.count("--events", "a number of events")
        if events != nil, arguments.has("--seconds") { throw UsageError("--events and --seconds exclude each other") }
        let scenario = try entry.make(direct: isDirect, Settings(spin: .calibrated()))
        let granularity = scenario.granularity
        var done = 0
        let start = Clock.now()
        if let events {
            done = (events + granularity - 1) / granularity * granularity
            scenario.runBatches(events: done)
            done = scenario.takeTimedRun()?.events ?? done
            try scenario.verify()
        } else {
            let end = start + UInt64(min(seconds, 86_400) * 1e9)
            var size = granularity
            while Clock.now() < end {
                let taken = Clock.measure { scenario.runBatches(events: size) }
                done += scenario.takeTimedRun()?.events ?? size
                try scenario.verify()
                // Runs of some milliseconds, next to which the checks between them take no time.
                if taken < 20_000_000 { size *= 2 }
            }
        }
        let taken = Clock.now() - start
        scenario.tearDown()
        let build = isDirect ? Build.direct : tool.build
        let process = ProcessInfo.processInfo.processIdentifier
        print("scenario=\(entry.name) build=\(build) process=\(process) events=\(done) nanoseconds=\(taken)")
        return 0
    }
}
