import BenchmarkKit
import Scenarios

/// The tool that `Benchmarks/run` starts.
enum CorinthBench {
    static let tool = BenchmarkTool(
        catalogue: AllScenarios.entries,
        hidden: [Replay.paced],
        build: AllScenarios.build,
        extensions: [ReplayCommand.asExtension])
}
