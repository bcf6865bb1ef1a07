import BenchmarkKit
import Corinth
import CorinthNATS
import CorinthNATSTesting
import CorinthTesting
import Dispatch

// Something of each further product, as an outside package has it: without traits, and without a library that isn't Swift's.
let scheduler = TestScheduler()
let fired = Atomic(0)
scheduler.schedule(after: .seconds(1)) { fired.modify { $0 += 1 } }
scheduler.advance(by: .seconds(1))
precondition(fired.value == 1)
let sum = ScenarioEntry("sum", throughput: .bytes(8)) { events in
    for event in 0..<events { opaque(event) }
}
let pause = ScenarioEntry("await") { events in
    for _ in 0..<events { await Task.yield() }
}
let sort = ScenarioEntry("sort", input: { (0..<$0 % 10).reversed() }) { (numbers: inout [Int]) in numbers.sort() }
precondition(BenchmarkTool(catalogue: [sum, pause, sort]).run(["list"]) == 0)
let servers: [NATSTestServer] = []
precondition(servers.isEmpty)
precondition(!BenchmarkKitVersion.current.isEmpty)
let host = Host.current()
precondition(host.cores > 0 && host.swift != "unknown", "\(host)")
print("client of all products: ok")
