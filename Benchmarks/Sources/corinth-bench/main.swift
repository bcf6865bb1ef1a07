import BenchmarkKit
import Foundation
import Scenarios

/// Measures the suite or a part of it; returns the exit status.
func runSuite(_ options: SuiteOptions) throws -> Int32 {
    let all = AllScenarios.entries
    let entries = try options.prefixes.map { try Catalogue.filter(all, by: $0) } ?? all
    let runner = try Runner(options.run, Settings(spin: .calibrated()))
    let scenarios = runner.suite.run(entries)
    if !scenarios.isEmpty { print(ReportText.text(of: runner.report(scenarios))) }
    return try runner.finish(scenarios)
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    if arguments == ["worker"] {
        try Worker(build: AllScenarios.build, catalogue: AllScenarios.entries + [Replay.paced]).serve()
        exit(0)
    }
    if arguments.first == "only" {
        try OnlyCommand(Array(arguments.dropFirst())).run()
        exit(0)
    }
    switch try Command.parse(arguments) {
    case .help: print(Command.usage)
    case .list: for entry in AllScenarios.entries { print(entry.name) }
    case .suite(let options): exit(try runSuite(options))
    case .replay(let options): exit(try ReplayCommand(options: options).run())
    }
} catch {
    complain("\(error)")
    exit(2)
}
