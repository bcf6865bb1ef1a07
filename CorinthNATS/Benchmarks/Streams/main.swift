// The scenarios with CorinthNATS. Prints the nanoseconds per message.
//
// Usage: Streams ADDRESS prepare|core|publish|pull COUNT
import Corinth
import CorinthNATS
import Foundation

struct Fault: Error { var text: String }

let payload = Data(repeating: UInt8(ascii: "x"), count: 64)

/// Waits for the end of a producer, for a minute.
func run<Value: Sendable>(_ producer: SignalProducer<Value, NATSError>) throws {
    let ended = DispatchSemaphore(value: 0)
    let failure = Atomic<NATSError?>(nil)
    producer.start(
        Signal<Value, NATSError>.Observer { event in
            if event.isTerminating {
                failure.value = event.error
                ended.signal()
            }
        })
    guard ended.wait(timeout: .now() + 60) == .success else { throw Fault(text: "it takes more than a minute") }
    if let error = failure.value { throw error }
}

func prepare(_ connection: NATSConnection, _ count: Int) throws {
    let jetStream = connection.jetStream()
    var published = NATSStream("PUBLISH", subjects: ["bench.publish"])
    published.maxMessages = count
    try run(jetStream.declare(published))
    try run(jetStream.declare(NATSStream("PULL", subjects: ["bench.pull"])))
    try run(
        SignalProducer<NATSOutgoing, NATSError>((0..<count).lazy.map { _ in NATSOutgoing(payload, to: "bench.pull") })
            .start(on: QueueScheduler()).published(to: jetStream, order: .any))
}

func core(_ sender: NATSConnection, _ address: String, _ count: Int) throws -> () throws -> Void {
    var options = NATSOptions(servers: [address])
    options.pendingMessages = count
    let receiver = NATSConnection(options)
    let received = DispatchSemaphore(value: 0)
    let messages = receiver.messages(on: "bench.core", bufferingPolicy: .unbounded).take(first: count)
    messages.startWithCompleted { received.signal() }
    try run(receiver.request(Data(), to: "nobody").flatMapError { _ in .empty })
    try run(sender.flush())
    return {
        try sender.publisher(to: "bench.core") <~ SignalProducer<Data, Never>(repeatElement(payload, count: count))
        guard received.wait(timeout: .now() + 60) == .success else { throw Fault(text: "messages are missing") }
        withExtendedLifetime(receiver) {}
    }
}

func publish(_ connection: NATSConnection, _ count: Int) throws -> () throws -> Void {
    let message = NATSOutgoing(payload, to: "bench.publish")
    try run(connection.jetStream().info(ofStream: "PUBLISH"))
    return {
        try run(
            SignalProducer<NATSOutgoing, NATSError>(repeatElement(message, count: count))
                .start(on: QueueScheduler()).published(to: connection.jetStream(), limit: 256, order: .any))
    }
}

func pull(_ connection: NATSConnection, _ count: Int) throws -> () throws -> Void {
    let jetStream = connection.jetStream()
    let consumer = NATSConsumer("streams-\(getpid())", of: "PULL")
    try run(jetStream.declare(consumer))
    return {
        try run(jetStream.deliveries(of: consumer, places: 512).take(first: count))
        try run(connection.flush())
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]), count > 0 else {
    FileHandle.standardError.write(Data("usage: Streams ADDRESS prepare|core|publish|pull COUNT\n".utf8))
    exit(2)
}
do {
    let connection = NATSConnection(NATSOptions(servers: [arguments[1]]))
    let work: () throws -> Void
    switch arguments[2] {
    case "prepare":
        try prepare(connection, count)
        exit(0)
    case "core": work = try core(connection, arguments[1], count)
    case "publish": work = try publish(connection, count)
    case "pull": work = try pull(connection, count)
    default: throw Fault(text: "'\(arguments[2])' is none of prepare, core, publish and pull")
    }
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    let time = clock.now - start
    let (seconds, attoseconds) = time.components
    print((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count))
} catch {
    FileHandle.standardError.write(Data("Streams: \((error as? Fault)?.text ?? "\(error)")\n".utf8))
    exit(1)
}
