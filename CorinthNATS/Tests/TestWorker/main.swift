// A worker of the tests: handles the messages of partitions, and appends a line for each to a file that all workers share. With
// TALLY, it keeps a state for each key in the bucket STATE, and appends each state that is stored. The tests kill it. So does a message
// of the key that the variable FATAL names, if it keeps states.
//
// Usage: TestWorker ADDRESSES STREAM PARTITIONS [TALLY] FILE
import Corinth
import CorinthNATS
import Foundation

let arguments = CommandLine.arguments
let tallies = arguments.count == 6 && arguments[4] == "TALLY"
guard arguments.count == 5 || tallies, let file = arguments.last, let count = Int(arguments[3]) else {
    FileHandle.standardError.write(Data("usage: TestWorker ADDRESSES STREAM PARTITIONS [TALLY] FILE\n".utf8))
    exit(2)
}
var options = NATSOptions(servers: arguments[1].split(separator: ",").map(String.init))
options.retriesFirstConnection = true
options.reconnection.longestPause = .milliseconds(100)
let jetStream = NATSConnection(options).jetStream()
var partitions = NATSPartitions(count, of: arguments[2], subjects: "orders.partition", consumer: "billing")
partitions.ackWait = .milliseconds(1000)

let output = unsafe open(file, O_WRONLY | O_APPEND | O_CREAT, 0o600)
guard output >= 0 else {
    FileHandle.standardError.write(Data("TestWorker: can't write to '\(file)'\n".utf8))
    exit(1)
}

/// One write for a line, so that lines of several threads and processes don't mix, and a kill cuts none.
@Sendable func append(_ line: String) {
    let line = Array("\(line)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
}

/// How many numbers a key has seen, and whether they were those from 0 in order.
struct Tally: Codable {
    var count = 0
    var isOrdered = true
}

let fatal = ProcessInfo.processInfo.environment["FATAL"]
let ended = DispatchSemaphore(value: 0)
@Sendable func end(_ error: NATSError?) {
    guard let error else { return _ = ended.signal() }
    FileHandle.standardError.write(Data("TestWorker: \(error.description)\n".utf8))
    exit(1)
}
if tallies {
    var group = NATSGroup("tally", in: "STATE")
    group.heartbeat = .milliseconds(200)
    group.snapshotWithin = .milliseconds(100)
    group.snapshotEvery = 500
    jetStream.aggregate(
        partitions, as: .text, by: { String($0.split(separator: " ")[0]) }, of: group, state: .json(Tally.self)
    ) { tally, text in
        if let fatal, text.hasPrefix("\(fatal) ") { kill(getpid(), SIGKILL) }
        var next = tally ?? Tally()
        next.isOrdered = next.isOrdered && text.hasSuffix(" \(next.count)")
        next.count += 1
        tally = next
    }
    .start(
        Signal<NATSAggregated<Tally>, NATSError>.Observer(
            value: { state in
                guard let tally = state.state else { return }
                append("\(state.sequence) \(state.key) \(tally.count) \(tally.isOrdered)")
            }, failed: { end($0) }, completed: { end(nil) }))
} else {
    jetStream.process(partitions, as: .text, retryAfter: .milliseconds(10)) {
        text, delivery -> SignalProducer<Never, Never> in
        append("\(delivery.deliveries) \(text)")
        return .empty
    }
    .start(Signal<NATSOutcome, NATSError>.Observer(failed: { end($0) }, completed: { end(nil) }))
}
ended.wait()
