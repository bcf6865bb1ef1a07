import BenchmarkKit
import Foundation
import Scenarios

/// `only`: runs one scenario of this build alone, in this process, for a profiler to look at.
struct OnlyCommand {
    static let usage = "usage: corinth-bench only SCENARIO (--events N | --seconds S) [--direct]"

    let entry: ScenarioEntry
    let isDirect: Bool
    /// How many events to run in all; nil if the time decides.
    var events: Int?
    var seconds = 0.0

    /// Reads the arguments after `only`.
    init(_ arguments: [String]) throws {
        var name: String?
        var isDirect = false
        var reader = ArgumentReader(arguments, known: ["--events", "--seconds", "--direct"])
        while let item = try reader.next() {
            switch item {
            case .option("--events"): events = try reader.count(of: "--events", "a number of events")
            case .option("--seconds"):
                let text = try reader.value(of: "--seconds", "a number of seconds")
                guard let number = Double(text), number > 0, number <= 86_400 else {
                    throw UsageError("--seconds takes a number above 0, not '\(text)'")
                }
                seconds = number
            case .option: isDirect = true
            case .word(let word):
                guard name == nil else { throw UsageError("only takes one scenario; '\(word)' is one too many") }
                name = word
            }
        }
        guard let name else { throw UsageError(Self.usage) }
        guard let entry = AllScenarios.entries.first(where: { $0.name == name }) else {
            let near = NearMiss.suggestions(for: name, among: AllScenarios.entries.map(\.name))
            let hint = near.isEmpty ? "see --list" : "near: \(near.joined(separator: ", "))"
            throw UsageError("no scenario is called '\(name)'; \(hint)")
        }
        guard (events != nil) != (seconds > 0) else { throw UsageError(Self.usage) }
        self.entry = entry
        self.isDirect = isDirect
    }

    /// Runs it, and prints how many events that were and how long it took.
    func run() throws {
        let settings = Settings(spin: .calibrated())
        let scenario = try (isDirect ? entry.makeDirect : entry.makeCorinth)(settings)
        var done = 0
        let start = Clock.now()
        if let events {
            done = (events + scenario.granularity - 1) / scenario.granularity * scenario.granularity
            scenario.run(events: done)
            try scenario.verify()
        } else {
            let end = start + UInt64(seconds * 1e9)
            var some = scenario.granularity
            while Clock.now() < end {
                let before = Clock.now()
                scenario.run(events: some)
                try scenario.verify()
                done += some
                if Clock.now() - before < 20_000_000 { some *= 2 }
            }
        }
        let taken = Clock.now() - start
        scenario.tearDown()
        let build = isDirect ? "direct" : AllScenarios.build.rawValue
        let process = ProcessInfo.processInfo.processIdentifier
        print("scenario=\(entry.name) build=\(build) process=\(process) events=\(done) nanoseconds=\(taken)")
    }
}
