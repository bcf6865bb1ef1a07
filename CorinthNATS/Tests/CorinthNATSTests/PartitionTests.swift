import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

struct PartitionTests {
    private let partitions = NATSPartitions(4, of: "ORDERS", subjects: "orders.partition", consumer: "billing")

    private func message(_ key: Int, _ number: Int) -> NATSOutgoing {
        NATSOutgoing(
            Data("\(key) \(number)".utf8), to: partitions.subject(forKey: "key \(key)"), id: "\(key) \(number)")
    }

    /// The hash is a part of what is stored: it must not change.
    @Test func hashIsStable() {
        let many = NATSPartitions(1024, of: "S", subjects: "s", consumer: "c")
        #expect(["", "a", "b", "key 1", "Grüße"].map { many.partition(ofKey: $0) } == PartitionTests.known)
        #expect(many.subject(forKey: "a") == "s.\(PartitionTests.known[1])")
        var counts = Array(repeating: 0, count: 4)
        for key in 0..<4000 { counts[partitions.partition(ofKey: "key \(key)")] += 1 }
        #expect(counts.allSatisfy { (800...1200).contains($0) })
    }

    /// Computed by another program.
    private static let known = [596, 412, 83, 567, 426]

    /// Two workers, and handlers that fail now and then: the order of each key is kept.
    @Test func keepsOrder() throws {
        let server = try NATSTestServer(jetStream: true)
        let connections = (0..<2).map { _ in NATSConnection.to(server) }
        let jetStream = connections[0].jetStream()
        _ = try jetStream.declareOrders()
        try jetStream.declare(partitions).completed()
        try jetStream.declare(partitions).completed()
        let handled = Atomic<[[Int]]>(Array(repeating: [], count: 20))
        let workers = connections.map { connection in
            connection.jetStream().process(partitions, as: .text, retryAfter: .zero) {
                text, delivery -> SignalProducer<Never, NATSError> in
                let parts = text.split(separator: " ").compactMap { Int($0) }
                if parts[1] % 5 == 0, delivery.deliveries == 1 { return SignalProducer(error: .closed) }
                handled.modify { $0[parts[0]].append(parts[1]) }
                return .empty
            }.collected()
        }
        try SignalProducer<NATSOutgoing, NATSError>((0..<400).map { message($0 % 20, $0 / 20) })
            .published(to: jetStream, limit: 1).completed()
        try Wait.until("all are handled") { handled.value.joined().count >= 400 }
        #expect(handled.value.allSatisfy { $0 == Array(0..<20) })
        // Both workers have worked.
        for worker in workers {
            #expect(!worker.0.values.isEmpty)
            worker.1.dispose()
        }
    }

    /// A cluster of three whose leader is killed twice, and workers of which three of each kind are killed. Nothing is lost, only
    /// what was unacknowledged comes twice, the order of each key is kept, and the states of an aggregate are right.
    ///
    /// `CORINTH_NATS_EVENTS=200000` makes it longer.
    @Test func survivesKills() throws {
        let count = Int(ProcessInfo.processInfo.environment["CORINTH_NATS_EVENTS"] ?? "") ?? 3000
        let factor = 1 + count / 10_000
        let cluster = try TestCluster(3)
        var options = NATSOptions(servers: cluster.addresses)
        options.connectTimeout = .seconds(20)
        options.retriesFirstConnection = true
        options.reconnection.longestPause = .milliseconds(100)
        let connection = NATSConnection(options)
        let jetStream = connection.jetStream(within: .seconds(2))
        var stream = NATSStream("ORDERS", subjects: ["orders.>"])
        stream.replicas = 3
        var bucket = NATSStream.bucket("STATE")
        bucket.replicas = 3
        // The cluster has to elect its leaders first.
        try Wait.until("the stream is declared") { (try? jetStream.declare(stream).completed()) != nil }
        try Wait.until("the bucket is declared") { (try? jetStream.declare(bucket).completed()) != nil }
        var partitions = partitions
        partitions.ackWait = .milliseconds(1000)
        try Wait.until("the consumers are declared") { (try? jetStream.declare(partitions).completed()) != nil }
        let folder = cluster.servers[0].folder
        let arguments = [cluster.addresses.joined(separator: ","), "ORDERS", "4"]
        let workers = try TestWorkers(3, writingTo: folder.appending(path: "lines"), arguments: arguments)
        let tallies = try TestWorkers(2, writingTo: folder.appending(path: "tallies"), arguments: arguments + ["TALLY"])
        let keys = 50
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<count).lazy.map { message($0 % keys, $0 / keys) }
        )
        .start(on: QueueScheduler())
        .published(to: jetStream, limit: 1, within: .milliseconds(500), attempts: 120)
        .collected()
        for round in 1...3 {
            try Wait.until(
                "round \(round): \(stored.values.count) are stored, \(workers.lineCount) are handled", times: factor
            ) {
                // The workers killed in each round have handled something.
                workers.lineCount >= count * round / 5 && tallies.lineCount >= keys * round
            }
            workers.killOldest()
            tallies.killOldest()
            try workers.start()
            try tallies.start()
            if round < 3 {
                let leader = try cluster.leader(of: "ORDERS", jetStream)
                leader.kill()
                try leader.start()
            }
        }
        try Wait.until(
            "all are stored; \(stored.values.count) are; the end is \(String(describing: stored.end))", times: factor
        ) { stored.end != nil }
        #expect(stored.end?.isCompleted == true)
        #expect(stored.values.count == count)
        // Each is stored once, though it was sent again.
        #expect(Set(stored.values.map(\.sequence)).count == count)
        #expect(try jetStream.info(ofStream: "ORDERS").completed()[0].lastSequence == count)
        try Wait.until("all are handled; \(workers.lineCount) lines", times: factor) {
            workers.lineCount >= count && Set(workers.lines.map(\.text)).count == count
        }
        expectOrder(workers.lines, count: count, keys: keys)
        let perKey = count / keys
        var newest: [String: (sequence: Int, tally: String)] = [:]
        try Wait.until("the states are right: \(newest)", times: factor) {
            newest = newestTallies(tallies.lines)
            return newest.count == keys && newest.values.allSatisfy { $0.tally.hasPrefix("\(perKey) ") }
        }
        #expect(newest.values.allSatisfy { $0.tally == "\(perKey) true" })
    }

    /// What was handled twice was delivered twice. In the order in which it was handled first, it is that of the publisher.
    ///
    /// A message is stored once, so a second line is a second delivery. The servers replicate the count of deliveries after a
    /// delivery. So a leader that is killed may take the last count of each partition with it.
    private func expectOrder(_ lines: [TestWorkers.Line], count: Int, keys: Int) {
        var last = Array(repeating: -1, count: keys)
        var seen = Set<String>()
        var uncounted = 0
        for line in lines {
            guard seen.insert(line.text).inserted else {
                if line.deliveries == 1 { uncounted += 1 }
                continue
            }
            let parts = line.text.split(separator: " ").compactMap { Int($0) }
            #expect(parts[1] == last[parts[0]] + 1)
            last[parts[0]] = parts[1]
        }
        #expect(last.allSatisfy { $0 == count / keys - 1 })
        let repeated = lines.count - count
        print("survivesKills: \(count) events, \(repeated) handled twice")
        // Two leaders, four partitions.
        #expect(uncounted <= 2 * 4)
        // Each kill leaves at most one message for each partition without an acknowledgement.
        #expect(repeated <= 4 * 5)
    }

    /// The newest state of each key: its count, and whether it is ordered. A line is a sequence and these.
    private func newestTallies(_ lines: [TestWorkers.Line]) -> [String: (sequence: Int, tally: String)] {
        lines.reduce(into: [:]) { newest, line in
            let parts = line.text.split(separator: " ", maxSplits: 1)
            let key = String(parts[0])
            if newest[key]?.sequence ?? 0 <= line.deliveries { newest[key] = (line.deliveries, String(parts[1])) }
        }
    }
}
