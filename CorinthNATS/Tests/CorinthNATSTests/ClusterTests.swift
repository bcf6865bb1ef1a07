import Corinth
import CorinthNATS
import Foundation
import Testing

struct ClusterTests {
    /// A cluster of three loses one server, then a second one, then all, and gets them back. With two, everything goes on. With
    /// one, nothing is stored, and what has a deadline fails in time; the rest waits. Nothing that was acknowledged is lost, and
    /// nothing hangs.
    @Test func losesItsMajority() throws {
        let cluster = try TestCluster(3)
        let (sender, worker) = (connect(to: cluster), connect(to: cluster))
        let (stored, delivered, disposables) = try begin(sender, worker)
        defer { disposables.dispose() }

        // A minority: the leader.
        let first = try cluster.leader(of: "ORDERS", sender.jetStream())
        first.kill()
        let before = stored.values.count
        try stored.values(before + 200)
        try Wait.until("what is stored without the leader is delivered") {
            Set(delivered.values).count >= before + 200
        }

        // The majority.
        let second = cluster.servers.first { $0 !== first }!
        second.kill()
        let third = cluster.servers.first { $0 !== first && $0 !== second }!
        // The third one answers clients.
        for connection in [sender, worker] { try connection.wait(for: .connected) }
        try expectUnavailable(sender)
        let storedThen = stored.values.count
        try expectUnavailable(sender)
        #expect(stored.values.count == storedThen && stored.end == nil)
        // A leader delivers what it has stored until it notices that it is alone.
        #expect(delivered.end == nil)

        // All.
        third.kill()
        for connection in [sender, worker] { try connection.wait(for: .reconnecting) }
        for server in cluster.servers { try server.start() }
        for connection in [sender, worker] { try connection.wait(for: .connected) }
        try stored.values(storedThen + 200)
        isEnough.value = true
        let end = try stored.waitForEnd()
        #expect(end == nil, "\(String(describing: end))")
        let count = stored.values.count
        try Wait.until("all is delivered: \(state(count, delivered, sender))") {
            Set(delivered.values).isSuperset(of: 0..<count)
        }
        #expect(Set(delivered.values).subtracting([ClusterTests.unknown]) == Set(0..<count))
        // Each was stored once, where its acknowledgement says.
        #expect(Set(stored.values.map(\.sequence)).count == count)
        let info = try sender.jetStream().info(ofStream: "ORDERS").completed()[0]
        // The message whose publication timed out may be stored, once.
        #expect((count...(count + 1)).contains(info.messages) && info.lastSequence == info.messages)
        #expect(delivered.end == nil)
    }

    /// What is missing of so many messages, and what the server knows of it.
    private func state(_ count: Int, _ delivered: Collector<Int>, _ connection: NATSConnection) -> String {
        let missing = Set(0..<count).subtracting(delivered.values).sorted()
        let info = try? connection.jetStream().info(ofConsumer: "billing", of: "ORDERS").completed().first
        return """
            missing are \(missing.count) of \(count), \(missing.prefix(10)); delivered \(delivered.values.count), the end \
            \(String(describing: delivered.end)); the consumer \(String(describing: info))
            """
    }

    /// What the text of a message that nobody waits for is as a number.
    private static let unknown = -1

    /// Ends the numbers that are published.
    private let isEnough = Atomic(false)

    private func connect(to cluster: TestCluster) -> NATSConnection {
        var options = NATSOptions(servers: cluster.addresses)
        options.connectTimeout = .seconds(20)
        options.retriesFirstConnection = true
        options.reconnection.longestPause = .milliseconds(100)
        return NATSConnection(options)
    }

    /// Publishes numbers in order until it is enough, and collects where they are stored, and which are delivered.
    private func begin(
        _ sender: NATSConnection, _ worker: NATSConnection
    ) throws -> (Collector<NATSPublication>, Collector<Int>, any Disposable) {
        let jetStream = sender.jetStream(within: .seconds(2))
        // The cluster has to elect its leaders first.
        var consumer: NATSConsumer?
        try Wait.until("the stream and its consumer are declared") {
            consumer = try? jetStream.declareOrders {
                $0.replicas = 3
                $1.ackWait = .seconds(1)
            }
            return consumer != nil
        }
        let (delivered, disposable) = worker.jetStream().deliveries(of: consumer!, places: 32).map(\.number).collected()
        let isEnough = isEnough
        let numbers = (0...).lazy.prefix(while: { _ in !isEnough.value })
        let (stored, publishing) = SignalProducer<NATSOutgoing, NATSError>(
            numbers.map { NATSOutgoing(Data("\($0)".utf8), to: "orders.new", id: "\($0)") }
        )
        .start(on: QueueScheduler())
        .published(to: jetStream, limit: 16, within: .milliseconds(500), attempts: 120)
        .collected()
        try stored.values(200)
        return (stored, delivered, CompositeDisposable([disposable, publishing]))
    }

    /// Publishing and asking fail when their time is up, with an error that says why.
    private func expectUnavailable(_ connection: NATSConnection) throws {
        let jetStream = connection.jetStream(within: .milliseconds(500))
        let message = NATSOutgoing(Data("never".utf8), to: "orders.new", id: "never")
        let attempts = [
            jetStream.publish(message).map { _ in },
            SignalProducer<NATSOutgoing, NATSError>(value: message)
                .published(to: jetStream, within: .milliseconds(100), attempts: 3).map { _ in },
            jetStream.declare(NATSStream("MORE", subjects: ["more"])).map { _ in },
        ]
        for attempt in attempts {
            switch try attempt.collected().0.waitForEnd() {
            case .timedOut, .jetStreamUnavailable: break
            case let error: Issue.record("the end is \(String(describing: error))")
            }
        }
    }
}
