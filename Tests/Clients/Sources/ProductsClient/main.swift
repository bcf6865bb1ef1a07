import BenchmarkKit
import Corinth
import CorinthNATS
import CorinthTesting
import Dispatch

// Something of each further product, as an outside package has it: without traits, and without a library that isn't Swift's.
let scheduler = TestScheduler()
let fired = Atomic(0)
scheduler.schedule(after: .seconds(1)) { fired.modify { $0 += 1 } }
scheduler.advance(by: .seconds(1))
precondition(fired.value == 1)
precondition(!BenchmarkKitVersion.current.isEmpty)
let host = Host.current()
precondition(host.cores > 0 && host.swift != "unknown", "\(host)")
print("client of all products: ok")
