import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

/// A position belongs to one stream, and a state to one shape of its group: what differs is told, and nothing is handled.
struct HistoryTests {
    private let group = NATSGroup.quick("prices", snapshotEvery: 10)

    private func observe(
        _ connection: NATSConnection, _ partitions: NATSPartitions = .orders, _ group: NATSGroup? = nil
    ) -> (Collector<Int>, any Disposable) {
        connection.jetStream().observe(partitions, as: CodecTests.Number(), by: group ?? self.group) { $0 }.collected()
    }

    private func publish(
        _ connection: NATSConnection, _ numbers: Range<Int>, _ partitions: NATSPartitions = .orders
    ) throws {
        try SignalProducer<Int, NATSError>(numbers)
            .partitioned(over: partitions, as: CodecTests.Number(), by: { "\($0 % 40)" })
            .published(to: connection.jetStream(), limit: 1).completed()
    }

    /// Handles and stores the numbers below 40, and stops.
    private func handle(_ connection: NATSConnection) throws {
        try connection.jetStream().declareGroups()
        let (numbers, _) = observe(connection)
        try publish(connection, 0..<40)
        try Wait.until("all are handled") { Set(numbers.values).count == 40 }
        let (closed, _) = connection.drain(within: .seconds(60)).collected()
        #expect(try closed.waitForEnd() == nil)
    }

    @Test func `Another number of partitions, another stream and other windows are refused`() throws {
        let server = try NATSTestServer(jetStream: true)
        try handle(.to(server))
        let connection = NATSConnection.to(server)
        let more = NATSPartitions(5, of: "ORDERS", subjects: "orders.partition", consumer: "unused")
        let declared = NATSDrift(setting: "partitions", declared: "5", actual: "4")
        #expect(try observe(connection, more).0.waitForEnd() == .drifted("the group prices in STATE", [declared]))
        try connection.jetStream().declare(NATSStream("OTHER", subjects: ["other.>"])).completed()
        let other = NATSPartitions(4, of: "OTHER", subjects: "other.partition", consumer: "unused")
        guard case .drifted(_, let drifts) = try observe(connection, other).0.waitForEnd() else {
            Issue.record("another stream is taken")
            return
        }
        #expect(drifts.map(\.setting) == ["stream", "subjects"])
        let (states, _) = connection.jetStream().aggregate(
            .orders, as: .text, by: { $0 }, of: group, state: .json(Int.self), windows: NATSWindows(.seconds(10))
        ) { count, _ in count = 1 }.collected()
        guard case .drifted(_, let shape) = try states.waitForEnd() else {
            Issue.record("another kind is taken")
            return
        }
        #expect(shape.map(\.setting) == ["kind", "step", "window"])
        // The same goes on.
        let (numbers, disposable) = observe(connection)
        try publish(connection, 40..<80)
        try Wait.until("it goes on; the end is \(String(describing: numbers.end))") {
            Set(numbers.values).isSuperset(of: 40..<80)
        }
        disposable.dispose()
    }

    @Test func `A stream that was made anew is told, and nothing of it is handled`() throws {
        let server = try NATSTestServer(jetStream: true)
        try handle(.to(server))
        let connection = NATSConnection.to(server)
        try connection.jetStream().call("STREAM.DELETE.ORDERS").completed()
        try connection.jetStream().declareGroups()
        try publish(connection, 100..<200)
        let (numbers, _) = observe(connection)
        #expect(try numbers.waitForEnd() == .streamReplaced("ORDERS"))
        #expect(numbers.values.isEmpty)
    }

    /// Sums numbers, until a sum is reached.
    private func sum(_ server: NATSTestServer, _ recovery: NATSGroup.Recovery, until expected: Int) throws
        -> [NATSError]
    {
        let connection = NATSConnection.to(server)
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        var group = NATSGroup.quick("sums", snapshotEvery: 10)
        group.recovery = recovery
        let (states, _) = connection.jetStream().aggregate(
            .orders, as: CodecTests.Number(), by: { "\($0 % 40)" }, of: group, state: .json(Int.self)
        ) { sum, number in sum = (sum ?? 0) + number }.collected()
        var sums: [String: Int] = [:]
        try Wait.until("the sum is \(expected); the end is \(String(describing: states.end))") {
            sums = states.values.reduce(into: [:]) { $0[$1.key] = $1.state }
            return sums.values.reduce(0, +) == expected
        }
        let (closed, _) = connection.drain(within: .seconds(60)).collected()
        #expect(try closed.waitForEnd() == nil)
        return failures.values
    }

    /// What it does with a stream of the numbers from 40 to 199 in place of one of the numbers below 40, and which it has summed at last,
    /// when the numbers from 200 to 239 came late.
    private static let recoveries: [(NATSGroup.Recovery, [Range<Int>])] = [
        (.goOn(.oldest), [0..<200]), (.goOn(.newest), [0..<40, 200..<240]),
        (.beginAnew(.first), [40..<200]), (.beginAnew(.newest), [200..<240]),
    ]

    @Test(arguments: recoveries)
    func `A group goes on with another stream, or begins anew, if it is told to`(
        recovery: NATSGroup.Recovery, ranges: [Range<Int>]
    ) throws {
        let expected = ranges.joined().reduce(0, +)
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups()
        try publish(connection, 0..<40)
        #expect(try sum(server, .fail, until: (0..<40).reduce(0, +)) == [])
        try connection.jetStream().call("STREAM.DELETE.ORDERS").completed()
        try connection.jetStream().declareGroups()
        try publish(connection, 40..<200)
        let isOfNewest = recovery == .goOn(.newest) || recovery == .beginAnew(.newest)
        // What comes later is handled when the positions are stored: each partition tells of its stream before.
        let later = DispatchQueue(label: "later")
        if isOfNewest {
            later.async {
                Thread.sleep(forTimeInterval: 3)
                try? self.publish(connection, 200..<240)
            }
        }
        let failures = try sum(server, recovery, until: expected)
        #expect(Set(failures.map(\.description)).count == 1 && failures.first == .streamReplaced("ORDERS"))
        later.sync {}
        // It is the group's stream now.
        #expect(try sum(server, .fail, until: expected) == [])
    }

    /// Kills the server, and gives the stream the files that it had before.
    private func restore(_ backup: URL, _ server: NATSTestServer, _ files: URL) throws {
        server.kill()
        try FileManager.default.removeItem(at: files)
        try FileManager.default.copyItem(at: backup, to: files)
        try server.start()
    }

    @Test func `A stream that has lost its newest messages is told, while the group runs and after`() throws {
        let server = try NATSTestServer(jetStream: true)
        var connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups()
        try publish(connection, 0..<40)
        server.kill()
        let files = server.folder.appending(path: "data/jetstream/$G/streams/ORDERS")
        let backup = server.folder.appending(path: "backup")
        try FileManager.default.copyItem(at: files, to: backup)
        try server.start()
        let (numbers, _) = observe(connection)
        try publish(connection, 40..<80)
        try Wait.until("all are handled") { Set(numbers.values).count == 80 }
        // Also where the last messages have come, the position is stored.
        Thread.sleep(forTimeInterval: 0.5)
        try restore(backup, server, files)
        guard case .truncated("ORDERS", 41, _) = try numbers.waitForEnd() else {
            Issue.record("the end is \(String(describing: numbers.end))")
            return
        }
        // What is stored then has the sequences of what was lost.
        connection = NATSConnection.to(server)
        try publish(connection, 100..<200)
        let (others, _) = observe(connection)
        #expect(try others.waitForEnd() == .streamReplaced("ORDERS"))
        #expect(others.values.isEmpty)
    }

    @Test func `A new group on a stream without its first messages says where it begins`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups { $0.maxMessages = 20 }
        try publish(connection, 0..<40)
        guard case .stateLost(_, 0) = try observe(connection).0.waitForEnd() else {
            Issue.record("it begins")
            return
        }
        let starts: [(NATSGroup.Start, Range<Int>)] = [
            (.oldest, 20..<41), (.sequence(31), 30..<41), (.newest, 40..<41),
        ]
        let workers = try starts.enumerated().map { index, start in
            var group = NATSGroup.quick("start\(index)", snapshotEvery: 10)
            group.startingAt = start.0
            let numbers = observe(connection, .orders, group).0
            try Wait.until("the group is made") {
                try connection.jetStream().newest("$KV.STATE.start\(index)", in: "STATE").completed().first??.revision
                    != nil
            }
            return numbers
        }
        try publish(connection, 40..<41)
        for (numbers, start) in zip(workers, starts) {
            // The oldest goes when the new one comes, perhaps before it was read.
            try Wait.until("\(start.0) has \(numbers.values.sorted())") {
                Set(numbers.values).union([20]) == Set(start.1).union([20])
            }
        }
        connection.close()
    }

    @Test func `A head that is lost is told`() throws {
        let server = try NATSTestServer(jetStream: true)
        try handle(.to(server))
        let connection = NATSConnection.to(server)
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        let body = Data(#"{"filter":"$KV.STATE.prices.2"}"#.utf8)
        _ = try connection.request(body, to: "$JS.API.STREAM.PURGE.KV_STATE").completed()
        let (numbers, disposable) = observe(connection)
        try publish(connection, 40..<80)
        try Wait.until("it goes on") { Set(numbers.values).isSuperset(of: 40..<80) }
        #expect(failures.values == [.stateLost(subject: "$KV.STATE.prices.2", position: 0)])
        disposable.dispose()
    }

    @Test(
        arguments: [
            ("2023-11-14T22:13:20Z", 1_700_000_000_000_000_000), ("2023-11-14T22:13:20.5Z", 1_700_000_000_500_000_000),
            ("2023-11-14T22:13:20.123456789Z", 1_700_000_000_123_456_789), ("", nil), ("2023-11-14", nil),
            ("x.yZ", nil),
        ] as [(String, UInt64?)])
    func `A server's date is read to the nanosecond`(text: String, nanoseconds: UInt64?) {
        #expect(StreamHistory.nanoseconds(text) == nanoseconds)
    }
}
