// Aggregates an access log in several processes, over NATS: `Benchmarks/run replay --nats`.
import BenchmarkKit
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    if arguments.count == 2, let role = Child.Role(rawValue: arguments[0]) {
        let job = try JSONDecoder().decode(Job.self, from: Data(arguments[1].utf8))
        switch role {
        case .publish: try LinePublisher.run(job)
        case .work: try LineWorker.run(job)
        }
        exit(0)
    }
} catch {
    BenchmarkTool.complain("the \(arguments[0])er: \(error)")
    exit(1)
}
exit(BenchmarkTool(catalogue: [], name: "nats-replay", extensions: [ReplayCommand.asExtension]).run(arguments))
