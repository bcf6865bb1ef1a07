import Corinth
import CorinthNATS
import Foundation
import Testing

struct GroupTests {
    private let partitions = NATSPartitions(4, of: "ORDERS", subjects: "orders.partition", consumer: "unused")

    private var group: NATSGroup {
        var group = NATSGroup("prices", in: "STATE")
        group.heartbeat = .milliseconds(50)
        group.snapshotWithin = .milliseconds(50)
        group.snapshotEvery = 20
        return group
    }

    private func declare(_ jetStream: JetStream) throws {
        try jetStream.declare(NATSStream("ORDERS", subjects: ["orders.>"])).completed()
        try jetStream.declare(NATSStream.bucket("STATE")).completed()
    }

    /// Publishes each number from a range for each of 10 keys: the key is the first digit from the right.
    private func publish(_ numbers: Range<Int>, to jetStream: JetStream) throws {
        try SignalProducer<Int, NATSError>(numbers)
            .partitioned(over: partitions, as: CodecTests.Number(), by: { "\($0 % 10)" }, id: { "\($0)" })
            .published(to: jetStream).completed()
    }

    private func observe(_ connection: NATSConnection) -> (Collector<Int>, any Disposable) {
        connection.jetStream().observe(partitions, as: CodecTests.Number(), by: group) { $0.map { $0 * 2 } }.collected()
    }

    /// The numbers of each key in the order of their first handling.
    private func firsts(_ numbers: [Int]) -> [[Int]] {
        var seen = Set<Int>()
        var keys = Array(repeating: [Int](), count: 10)
        for number in numbers where seen.insert(number).inserted { keys[number / 2 % 10].append(number / 2) }
        return keys
    }

    /// The order of each key is kept, and a worker goes on where the one before has stored the position.
    @Test func keepsOrder() throws {
        let server = try TestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        try declare(connection.jetStream())
        var all: [Int] = []
        for round in 0..<3 {
            let (numbers, disposable) = observe(connection)
            try publish((round * 500)..<(round * 500 + 500), to: connection.jetStream())
            try Wait.until("round \(round) is handled") { Set(all + numbers.values).count == round * 500 + 500 }
            disposable.dispose()
            all += numbers.values
        }
        #expect(firsts(all) == (0..<10).map { key in (0..<150).map { $0 * 10 + key } })
        // Each end leaves at most what came since the last position, of four partitions.
        #expect(all.count <= 1500 + 2 * 4 * 40)
    }

    /// Workers on different connections share the partitions, and each partition's values stay in order when it moves.
    @Test func workersShare() throws {
        let server = try TestServer(jetStream: true)
        let connections = (0..<3).map { _ in NATSConnection.to(server) }
        try declare(connections[0].jetStream())
        let (first, _) = observe(connections[0])
        try publish(0..<200, to: connections[0].jetStream())
        try Wait.until("the first worker has all") { Set(first.values).count == 200 }
        let (second, disposable) = observe(connections[1])
        var last = 200
        // The partitions move while messages come.
        while second.values.isEmpty {
            try publish(last..<(last + 50), to: connections[2].jetStream())
            last += 50
        }
        try Wait.until("both have all") { Set(first.values + second.values).count == last }
        connections[0].close()
        try publish(last..<(last + 200), to: connections[2].jetStream())
        last += 200
        try Wait.until("all are handled") { Set(first.values + second.values).count == last }
        for numbers in [first.values, second.values] {
            for key in firsts(numbers) { #expect(key == key.sorted()) }
        }
        disposable.dispose()
    }

    /// A failure of the operators ends the worker.
    @Test func failures() throws {
        let server = try TestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try declare(jetStream)
        try publish(0..<10, to: jetStream)
        let (numbers, _) = jetStream.observe(partitions, as: CodecTests.Number(), by: group) { partition in
            partition.attempt { $0 == 7 ? .failure(.closed) : .success(()) }
        }.collected()
        #expect(try numbers.waitForEnd() == .closed)
        #expect(!numbers.values.contains(7))
        let (outgoing, _) = SignalProducer<Int, NATSError>(value: -1)
            .partitioned(over: partitions, as: AggregateTests.Refusing(), by: { _ in "a" }).collected()
        #expect(
            try outgoing.waitForEnd()
                == .unencodable(subject: partitions.subject(forKey: "a"), reason: "it is refused"))
    }
}

extension AggregateTests {
    /// Encodes nothing.
    struct Refusing: NATSCodec {
        struct Failure: Error, CustomStringConvertible { let description = "it is refused" }
        func encode(_ value: Int) throws -> Data { throw Failure() }
        func decode(_ payload: Data) -> Int { payload.count }
    }
}
