/// `only`: one side of one scenario, alone in this process, so that a profiler sees nothing else.
struct OnlyCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let entry = try tool.entry(named: arguments.words[0])
        let isDirect = arguments["--side"] == "direct"
        let seconds = try arguments.number("--seconds", "a number of seconds") ?? 5
        let events = try arguments.count("--events", "a number of events")
        let scenario = try entry.make(direct: isDirect, Settings(spin: .calibrated()))
        let granularity = scenario.granularity
        var done = 0
        if let events {
            done = max(1, events / granularity) * granularity
            scenario.run(events: done)
            try scenario.verify()
        } else {
            let end = Clock.now() + UInt64(seconds * 1e9)
            var size = granularity
            while Clock.now() < end {
                let taken = Clock.measure { scenario.run(events: size) }
                try scenario.verify()
                done += size
                // Runs of some milliseconds: the checks between them don't show.
                if taken < 8_000_000, size < 1 << 40 { size *= 2 }
            }
        }
        scenario.tearDown()
        print("\(done) events of \(entry.name)")
        return 0
    }
}
