import CFaults
import Corinth
import Foundation

let isLong = CommandLine.arguments.contains("--long")

/// The cases, in the order of the table. Those whose names begin with another verb are run by a case.
let cases: [(name: String, run: () -> Void)] = [
    ("stopped-owner", StoppedOwner.forAWhile),
    ("stopped-for-ever", StoppedOwner.forEver),
    ("stopped-anywhere", { StoppedOwner.anywhere(rounds: isLong ? 2_000 : 200) }),
    ("stopped-timers", { StoppedOwner.timers(rounds: isLong ? 2_000 : 200) }),
    ("interrupted", { Interruption.sends(interruptions: isLong ? 200_000 : 20_000) }),
    ("silent-scheduler", SilentScheduler.all),
    ("allocation", Memory.allocations),
    ("memory-limit", Memory.limit),
    ("one-processor", Machine.oneProcessor),
    ("nice", Machine.nice),
    ("clock", Clock.jumps),
    ("many-threads", { Machine.manyThreads(10_000) }),
    ("small-stack", Machine.smallStack),
    ("no-threads", Machine.noThreads),
    ("floods", { Floods.all(scale: isLong ? 10 : 1) }),
]

let inner: [(name: String, run: () -> Void)] = [
    ("fails-on-fast-path", Memory.failsOnFastPath),
    ("fails-while-queueing", Memory.failsWhileQueueing),
    ("runs-under-limit", Memory.runsUnderLimit),
    ("exceeds-limit", Memory.exceedsLimit),
]

let name = CommandLine.arguments.dropFirst().first ?? ""
if name == "list" {
    for (name, _) in cases { print(name) }
} else if let chosen = (cases + inner).first(where: { $0.name == name }) {
    chosen.run()
    fflush(nil)
    // Some threads are stopped for ever.
    _exit(0)
} else {
    FileHandle.standardError.write(
        Data("\(name): unknown case; use list, or one of \(cases.map(\.name).joined(separator: ", "))\n".utf8))
    exit(2)
}
