import Corinth
import CorinthNATS
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
        let server = try TestServer(jetStream: true)
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

    /// A cluster of three whose leader is killed twice, and workers of which three are killed: nothing is lost, only what was
    /// unacknowledged comes twice, and the order of each key is kept.
    @Test func survivesKills() throws {
        let count = Int(ProcessInfo.processInfo.environment["CORINTH_NATS_EVENTS"] ?? "") ?? 3000
        let cluster = try TestCluster(3)
        var options = NATSOptions(servers: cluster.addresses)
        options.connectTimeout = .seconds(20)
        options.retriesFirstConnection = true
        options.reconnection.longestPause = .milliseconds(100)
        let connection = NATSConnection(options)
        let jetStream = connection.jetStream(within: .seconds(2))
        var stream = NATSStream("ORDERS", subjects: ["orders.>"])
        stream.replicas = 3
        // The cluster has to elect its leaders first.
        try Wait.until("the stream is declared") { (try? jetStream.declare(stream).completed()) != nil }
        var partitions = partitions
        partitions.ackWait = .milliseconds(1000)
        try Wait.until("the consumers are declared") { (try? jetStream.declare(partitions).completed()) != nil }
        let workers = try TestWorkers(
            3, writingTo: cluster.servers[0].folder.appending(path: "lines"),
            arguments: [cluster.addresses.joined(separator: ","), "ORDERS", "4"])
        let keys = 50
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<count).lazy.map { message($0 % keys, $0 / keys) }
        )
        .start(on: QueueScheduler())
        .published(to: jetStream, limit: 1, within: .milliseconds(500), attempts: 120)
        .collected()
        for round in 1...3 {
            try Wait.until("round \(round): \(stored.values.count) are stored, \(workers.lines.count) are handled") {
                workers.lines.count >= count * round / 5
            }
            workers.killOldest()
            try workers.start()
            if round < 3 {
                guard let leader = try leader(of: jetStream, in: cluster) else { return }
                leader.kill()
                try leader.start()
            }
        }
        try Wait.until("all are stored; \(stored.values.count) are; the end is \(String(describing: stored.end))") {
            stored.end != nil
        }
        #expect(stored.end?.isCompleted == true)
        #expect(stored.values.count == count)
        try Wait.until("all are handled; \(workers.lines.count) lines") {
            Set(workers.lines.map(\.text)).count == count
        }
        let lines = workers.lines
        // What was handled twice was delivered twice. In the order in which it was handled first, it is that of the publisher.
        var last = Array(repeating: -1, count: keys)
        var seen = Set<String>()
        for line in lines {
            guard seen.insert(line.text).inserted else {
                #expect(line.deliveries > 1)
                continue
            }
            let parts = line.text.split(separator: " ").compactMap { Int($0) }
            #expect(parts[1] == last[parts[0]] + 1)
            last[parts[0]] = parts[1]
        }
        #expect(last.allSatisfy { $0 == count / keys - 1 })
        let repeated = lines.count - count
        print("survivesKills: \(count) events, \(repeated) handled twice")
        // Each kill leaves at most one message for each partition without an acknowledgement.
        #expect(repeated <= 4 * 5)
    }

    /// The server that leads the stream.
    private func leader(of jetStream: JetStream, in cluster: TestCluster) throws -> TestServer? {
        var found: TestServer?
        try Wait.until("the stream has a leader") {
            guard let name = try? jetStream.info(ofStream: "ORDERS").completed().first?.leader else { return false }
            found = cluster.servers.first { $0.name == name }
            return found != nil
        }
        return found
    }
}
