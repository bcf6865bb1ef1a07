import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

struct GroupTests {
    private let partitions = NATSPartitions.orders
    private let group = NATSGroup.quick("prices", snapshotEvery: 20)

    /// Publishes each number from a range for each of 10 keys: the key is the first digit from the right.
    private func publish(_ numbers: Range<Int>, to jetStream: JetStream, order: NATSPublishOrder = .perSubject) throws {
        try SignalProducer<Int, NATSError>(numbers)
            .partitioned(over: partitions, as: CodecTests.Number(), by: { "\($0 % 10)" }, id: { "\($0)" })
            .published(to: jetStream, order: order).completed()
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
        Inspector.start()
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups()
        var all: [Int] = []
        for round in 0..<3 {
            let (numbers, disposable) = observe(connection)
            try publish((round * 500)..<(round * 500 + 500), to: connection.jetStream())
            try Wait.until("round \(round) is handled") { Set(all + numbers.values).count == round * 500 + 500 }
            #expect(Set(Inspector.snapshot().nodes.compactMap(\.name)).isSuperset(of: (0..<4).map { "prices.\($0)" }))
            disposable.dispose()
            all += numbers.values
        }
        #expect(firsts(all) == (0..<10).map { key in (0..<150).map { $0 * 10 + key } })
        // Each end leaves at most what came since the last position, of four partitions.
        #expect(all.count <= 1500 + 2 * 4 * 40)
    }

    /// Workers on different connections share the partitions, and each partition's values stay in order when it moves.
    @Test func workersShare() throws {
        let server = try NATSTestServer(jetStream: true)
        let connections = (0..<3).map { _ in NATSConnection.to(server) }
        try connections[0].jetStream().declareGroups()
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

    @Test func `The lag of a group is what is behind its positions`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let missing = try jetStream.status(of: group, over: partitions).collected().0.waitForEnd()
        guard case .stateLost = missing else {
            Issue.record("a group that isn't there has the status \(String(describing: missing))")
            return
        }
        let (numbers, disposable) = observe(connection)
        try publish(0..<100, to: jetStream)
        try Wait.until("all are handled, and it is stored") {
            try numbers.values.count >= 100 && jetStream.status(of: group, over: partitions).completed()[0].lag == 0
        }
        disposable.dispose()
        try publish(100..<130, to: jetStream)
        let status = try jetStream.status(of: group, over: partitions).completed()[0]
        #expect(status.lag == 30)
        #expect(status.partitions.map(\.number) == [0, 1, 2, 3])
        let keys = Dictionary(grouping: 0..<10, by: { partitions.partition(ofKey: "\($0)") }).mapValues(\.count)
        #expect(status.partitions.map(\.lag) == (0..<4).map { 3 * (keys[$0] ?? 0) })
        // It leaves none of its consumers. Those of the worker before go by themselves.
        func consumers() throws -> Int { try jetStream.info(ofStream: "ORDERS").completed()[0].consumers }
        let before = try consumers()
        try jetStream.status(of: group, over: partitions).completed()
        #expect(try consumers() <= before)
        let (rest, _) = observe(connection)
        try Wait.until("the rest is handled") { Set(rest.values).isSuperset(of: (100..<130).map { $0 * 2 }) }
    }

    /// What a connection reports of deleted messages: their sequences.
    private func deletions(_ connection: NATSConnection) -> Collector<ClosedRange<UInt64>> {
        let collector = Collector<ClosedRange<UInt64>>()
        connection.failures.compactMap { failure in
            if case .deleted("ORDERS", _, let from, let to) = failure { from...to } else { nil }
        }
        .promoteError(NATSError.self).observe(collector.observer)
        return collector
    }

    /// The stream's limit deletes messages that a worker hasn't read: while there was no worker, and while it was slow.
    @Test func noticesDeletions() throws {
        let server = try NATSTestServer(jetStream: true)
        let connections = (0..<2).map { _ in NATSConnection.to(server) }
        let jetStream = connections[0].jetStream()
        try jetStream.declareGroups { $0.maxMessages = 100 }
        let deleted = deletions(connections[0])
        var slow = group
        slow.places = 8
        let gate = DispatchSemaphore(value: 0)
        let isSlow = Atomic(false)
        func work() -> (Collector<Int>, any Disposable) {
            jetStream.observe(partitions, as: CodecTests.Number(), by: slow) { partition in
                partition.on(value: { _ in if isSlow.value { gate.wait() } })
            }.collected()
        }
        let first = work()
        try publish(0..<50, to: jetStream)
        try Wait.until("the worker has all") { Set(first.0.values) == Set(0..<50) }
        try Wait.until("the positions are stored") { try positions(jetStream).max() ?? 0 >= 45 }
        #expect(deleted.values.isEmpty && connections[0].statistics.deleted == 0)
        first.1.dispose()
        // Over all partitions in their order, so that it is known which are deleted.
        try publish(50..<500, to: connections[1].jetStream(), order: .any)
        let second = work()
        try Wait.until("the next worker has the rest") { Set(second.0.values).isSuperset(of: 400..<500) }
        // The oldest message has the sequence 401.
        #expect(!deleted.values.isEmpty && deleted.values.allSatisfy { $0.upperBound == 400 && $0.lowerBound <= 51 })
        #expect(connections[0].statistics.deleted == deleted.values.count)
        // The worker stands still, with all its places taken, while the stream goes on. It looks now and then, and after a while.
        let before = deleted.values.count
        var last = 500
        try Wait.until("the worker has noticed") {
            while gate.wait(timeout: .now()) == .success {}
            isSlow.value = true
            try publish(last..<(last + 1000), to: connections[1].jetStream(), order: .any)
            last += 1000
            isSlow.value = false
            for _ in 0..<1000 { gate.signal() }
            try Wait.until("the worker has the end") { Set(second.0.values).isSuperset(of: (last - 10)..<last) }
            return deleted.values.count > before
        }
        second.1.dispose()
    }

    /// The positions of the partitions in the bucket.
    private func positions(_ jetStream: JetStream) throws -> [Int] {
        try (0..<4).compactMap { partition in
            let body = Data(#"{"last_by_subj":"$KV.STATE.prices.\#(partition)"}"#.utf8)
            let reply = try jetStream.connection.request(body, to: "$JS.API.STREAM.MSG.GET.KV_STATE").completed()
            let found = try JSONDecoder().decode(Found.self, from: reply[0].data)
            guard let head = found.message?.data else { return nil }
            return try JSONDecoder().decode(Head.self, from: head).position
        }
    }

    private struct Found: Decodable {
        struct Message: Decodable { var data: Data }
        var message: Message?
    }

    private struct Head: Decodable { var position: Int }

    /// A partition without messages: what the stream deletes of others isn't taken for its own.
    @Test func idlePartitions() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups { $0.maxMessages = 100 }
        let deleted = deletions(connection)
        let (numbers, disposable) = observe(connection)
        try publish(0..<50, to: jetStream)
        try Wait.until("the worker has all") { Set(numbers.values).count == 50 }
        // All of one key.
        try SignalProducer<Int, NATSError>(100..<400)
            .partitioned(over: partitions, as: CodecTests.Number(), by: { _ in "0" })
            .published(to: jetStream, limit: 4).completed()
        try Wait.until("the worker has those of the key") { Set(numbers.values).count == 350 }
        try Wait.until("all positions are at the end of the stream") {
            try positions(jetStream) == [350, 350, 350, 350]
        }
        disposable.dispose()
        let (again, disposableAgain) = observe(connection)
        try publish(400..<410, to: jetStream)
        try Wait.until("the next worker goes on") { Set(again.values).isSuperset(of: (400..<410).map { $0 * 2 }) }
        #expect(deleted.values.isEmpty)
        disposableAgain.dispose()
    }

    /// A failure of the operators ends the worker.
    @Test func failures() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
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
