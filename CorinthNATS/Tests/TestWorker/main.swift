// A worker of the tests: handles the messages of partitions, and appends a line for each to a file that all workers share. The
// tests kill it.
//
// Usage: TestWorker ADDRESSES STREAM PARTITIONS FILE
import Corinth
import CorinthNATS
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[3]) else {
    FileHandle.standardError.write(Data("usage: TestWorker ADDRESSES STREAM PARTITIONS FILE\n".utf8))
    exit(2)
}
var options = NATSOptions(servers: arguments[1].split(separator: ",").map(String.init))
options.retriesFirstConnection = true
options.reconnection.longestPause = .milliseconds(100)
let jetStream = NATSConnection(options).jetStream()
var partitions = NATSPartitions(count, of: arguments[2], subjects: "orders.partition", consumer: "billing")
partitions.ackWait = .milliseconds(1000)

let file = unsafe open(arguments[4], O_WRONLY | O_APPEND | O_CREAT, 0o600)
guard file >= 0 else {
    FileHandle.standardError.write(Data("TestWorker: can't write to '\(arguments[4])'\n".utf8))
    exit(1)
}
let ended = DispatchSemaphore(value: 0)
jetStream.process(partitions, as: .text, retryAfter: .milliseconds(10)) {
    text, delivery -> SignalProducer<Never, Never> in
    // One write for a line, so that lines of several threads and processes don't mix, and a kill cuts none.
    let line = Array("\(delivery.deliveries) \(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    return .empty
}
.start(
    Signal<NATSOutcome, NATSError>.Observer(
        failed: { error in
            FileHandle.standardError.write(Data("TestWorker: \(error.description)\n".utf8))
            exit(1)
        }, completed: { ended.signal() }))
ended.wait()
