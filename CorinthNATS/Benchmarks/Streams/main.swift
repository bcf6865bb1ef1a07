// The scenarios with CorinthNATS. Prints the nanoseconds per message.
//
// Usage: Streams ADDRESS prepare|core|publish|pull|process|observe|aggregate COUNT [WORKERS]
//
// Of groups, the time from the first message to the last one counts.
import Corinth
import CorinthNATS
import Foundation
import Synchronization

struct Fault: Error { var text: String }

let payload = Data(repeating: UInt8(ascii: "x"), count: 64)
let partitions = NATSPartitions(8, of: "GROUP", subjects: "bench.group", consumer: "unused")

/// A payload of the same size that begins with one of a hundred keys.
func keyed(_ number: Int) -> (key: String, payload: Data) {
    let key = "key\(number % 100 + 100)"
    return (key, Data(key.utf8) + payload.dropFirst(key.utf8.count))
}

/// Waits for the end of a producer, for a minute.
func run<Value: Sendable>(_ producer: SignalProducer<Value, NATSError>) throws {
    let ended = DispatchSemaphore(value: 0)
    let failure = Corinth.Atomic<NATSError?>(nil)
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
    try prepareGroups(jetStream, count)
}

/// The stream of the groups, and their bucket.
func prepareGroups(_ jetStream: JetStream, _ count: Int) throws {
    try run(jetStream.declare(NATSStream("GROUP", subjects: ["bench.group.>"])))
    try run(jetStream.declare(NATSStream.bucket("BENCH")))
    let messages = (0..<count).lazy.map { number in
        let (key, payload) = keyed(number)
        return NATSOutgoing(payload, to: partitions.subject(forKey: key))
    }
    try run(
        SignalProducer<NATSOutgoing, NATSError>(messages).start(on: QueueScheduler())
            .published(to: jetStream, order: .any))
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

func process(_ connection: NATSConnection, _ count: Int) throws -> () throws -> Void {
    let jetStream = connection.jetStream()
    let consumer = NATSConsumer("process-\(getpid())", of: "PULL")
    try run(jetStream.declare(consumer))
    return {
        try run(
            jetStream.process(consumer, as: .data, places: 512) { _, _ in SignalProducer<Never, Never>.empty }
                .take(first: count))
        try run(connection.flush())
    }
}

/// Counts the messages of a group, and measures from the first one on.
final class Progress: Sendable {
    private let count: Int
    private let handled = Synchronization.Atomic(0)
    private let first = Corinth.Atomic<ContinuousClock.Instant?>(nil)
    private let last = DispatchSemaphore(value: 0)

    init(_ count: Int) { self.count = count }

    func handle() {
        // relaxed: a count that publishes nothing.
        let number = handled.wrappingAdd(1, ordering: .relaxed).newValue
        if number == 1 { first.value = .now }
        if number == count { last.signal() }
    }

    /// When the first message came, once all have.
    func finish() throws -> ContinuousClock.Instant? {
        guard last.wait(timeout: .now() + 60) == .success else { throw Fault(text: "messages are missing") }
        return first.value
    }
}

/// Workers with a connection each. They begin with the first message.
func group(
    _ address: String, _ count: Int, _ workers: Int,
    _ work: (JetStream, NATSGroup, Progress) -> SignalProducer<Never, NATSError>
) throws -> ContinuousClock.Instant? {
    var group = NATSGroup("bench-\(getpid())", in: "BENCH")
    group.heartbeat = .milliseconds(100)
    // By their number alone, so that what a message costs doesn't depend on how long it takes.
    group.snapshotWithin = .seconds(3600)
    let progress = Progress(count)
    let connections = (0..<workers).map { _ in NATSConnection(NATSOptions(servers: [address])) }
    let starts = connections.map { connection in
        work(connection.jetStream(), group, progress).startWithFailed { fail($0) }
    }
    defer { for start in starts { start.dispose() } }
    return try progress.finish()
}

func observe(_ jetStream: JetStream, _ group: NATSGroup, _ progress: Progress) -> SignalProducer<Never, NATSError> {
    jetStream.observe(partitions, as: .data, by: group) { $0 }
        .on(value: { _ in progress.handle() })
        .then(SignalProducer<Never, NATSError>.empty)
}

func aggregate(_ jetStream: JetStream, _ group: NATSGroup, _ progress: Progress) -> SignalProducer<Never, NATSError> {
    jetStream.aggregate(
        partitions, as: .data, by: { String(decoding: $0.prefix(6), as: UTF8.self) }, of: group, state: .json(Int.self)
    ) { count, _ in
        count = (count ?? 0) + 1
        progress.handle()
    }
    .then(SignalProducer<Never, NATSError>.empty)
}

func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("Streams: \((error as? Fault)?.text ?? "\(error)")\n".utf8))
    exit(1)
}

let arguments = CommandLine.arguments
let workers = arguments.count == 5 ? Int(arguments[4]) ?? 0 : 1
guard 4...5 ~= arguments.count, let count = Int(arguments[3]), count > 0, workers > 0 else {
    FileHandle.standardError.write(
        Data("usage: Streams ADDRESS prepare|core|publish|pull|process|observe|aggregate COUNT [WORKERS]\n".utf8))
    exit(2)
}
do {
    let address = arguments[1]
    let connection = NATSConnection(NATSOptions(servers: [address]))
    let clock = ContinuousClock()
    var start: ContinuousClock.Instant?
    let work: () throws -> Void
    switch arguments[2] {
    case "prepare":
        try prepare(connection, count)
        exit(0)
    case "core": work = try core(connection, address, count)
    case "publish": work = try publish(connection, count)
    case "pull": work = try pull(connection, count)
    case "process": work = try process(connection, count)
    case "observe": work = { start = try group(address, count, workers, observe) }
    case "aggregate": work = { start = try group(address, count, workers, aggregate) }
    default: throw Fault(text: "there is no scenario '\(arguments[2])'")
    }
    start = clock.now
    try work()
    let time = clock.now - (start ?? clock.now)
    let (seconds, attoseconds) = time.components
    print((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count))
} catch {
    fail(error)
}
