import BenchmarkKit
import Scenarios

BenchmarkTool(
    catalogue: AllScenarios.entries,
    hidden: [Replay.paced],
    build: AllScenarios.build,
    extensions: [ReplayCommand.asExtension]
).main()
