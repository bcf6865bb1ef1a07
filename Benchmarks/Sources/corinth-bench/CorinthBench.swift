import BenchmarkKit
import Scenarios

/// The tool that `Benchmarks/run` starts.
enum CorinthBench {
    static let tool = BenchmarkTool(
        catalogue: AllScenarios.entries,
        mainScenarios: AllScenarios.main,
        hidden: [Replay.paced],
        builds: AllScenarios.builds,
        isAlternative: AllScenarios.isNaive,
        checkout: CheckoutLayout(
            executable: "Benchmarks/.build/lockfree/release/corinth-bench", thresholds: "Benchmarks/thresholds"),
        name: "corinth-bench",
        extensions: [ReplayCommand.asExtension],
        threaded: { AllScenarios.threaded($0) })
}
