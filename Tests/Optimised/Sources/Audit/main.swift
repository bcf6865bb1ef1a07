// An audit of reference counts. Threads build, use and drop streams of every kind, on objects that all of them share. When they
// have ended, each shared object must have as many references as before: otherwise a thread has changed one without an atomic
// operation, or a stream has kept or released one too many.
//
// Usage: Audit SECONDS [THREADS [SEED]]; AUDIT_FAULT=1 puts a bug in, which must be found.
import Corinth
import Foundation

let arguments = CommandLine.arguments.dropFirst().map { Double($0) ?? -1 }
guard let seconds = arguments.first, arguments.count <= 3, arguments.allSatisfy({ $0 >= 0 }) else {
    print("usage: Audit SECONDS [THREADS [SEED]]")
    exit(2)
}
let threads = arguments.count > 1 ? Int(arguments[1]) : 4
let seed = arguments.count > 2 ? UInt64(arguments[2]) : 0
let isFaulty = ProcessInfo.processInfo.environment["AUDIT_FAULT"] != nil

let world = World()
var audited = world.audited
// What is made once, on first use, is there before the counts are noted.
var first = Random(state: seed)
for use in OperatorUse.all { use.run(world, &first) }
for service in Services.all { service(world, &first) }
usleep(300_000)
audited.begin()

/// Uses of operators and services, by one thread at a time, until the time is up.
@Sendable func churn(_ thread: Int, until end: ContinuousClock.Instant) -> Int {
    var random = Random(state: seed &+ UInt64(thread) &* 0x5851_f42d_4c95_7f2d)
    var rounds = 0
    while ContinuousClock.now < end {
        if random.isOne(of: 2) {
            OperatorUse.all.randomElement(using: &random)?.run(world, &random)
        } else {
            Services.all.randomElement(using: &random)?(world, &random)
        }
        if isFaulty { Audited.lose(world.shared) }
        rounds += 1
    }
    return rounds
}

let end = ContinuousClock.now + .seconds(seconds)
let total = Atomic(0)
let group = DispatchGroup()
for thread in 1...threads {
    group.enter()
    Thread.detachNewThread {
        let rounds = churn(thread, until: end)
        total.modify { $0 += rounds }
        group.leave()
    }
}
group.wait()
let drifts = audited.settledDrifts()
for drift in drifts { print(drift) }
print(
    "\(OperatorUse.all.count) uses of operators and \(Services.all.count) services, \(threads) threads, \(total.value) rounds: "
        + "\(drifts.count) of \(audited.count) shared objects have gained or lost references")
exit(drifts.isEmpty ? 0 : 1)
