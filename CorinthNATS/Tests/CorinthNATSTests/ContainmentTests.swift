import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

/// What one failure, one message or one server must not take with it.
struct ContainmentTests {
    @Test func `A retry's clock starts at the first failure after the last success`() {
        var clock = FailureClock(limit: 30)
        func fails(_ second: Double, isConnected: Bool = true) -> Bool {
            clock.fail(at: Date(timeIntervalSince1970: second), isConnected: isConnected)
        }
        #expect(!fails(0) && !fails(29) && !fails(30) && fails(31) && fails(32))
        clock.succeed()
        // Further apart than the limit, with a success between.
        for second in [100, 200, 300.0] {
            #expect(!fails(second) && !fails(second + 10))
            clock.succeed()
        }
        // Time without a connection doesn't count.
        #expect(!fails(400) && !fails(500, isConnected: false) && !fails(520) && fails(531))
    }

    private let group = NATSGroup.quick("quiet", snapshotEvery: 10)

    private func observe(_ jetStream: JetStream) -> Collector<Int> {
        jetStream.observe(.orders, as: CodecTests.Number(), by: group) { $0 }.collected().0
    }

    private func publish(_ jetStream: JetStream, _ numbers: Range<Int>) throws {
        try SignalProducer<Int, NATSError>(numbers)
            .partitioned(over: .orders, as: CodecTests.Number(), by: { "\($0 % 40)" }).published(to: jetStream)
            .completed()
    }

    /// Waits longer than there may be only failures.
    private func rest() { Thread.sleep(forTimeInterval: 1.5) }

    @Test func `Quiet partitions outlive any number of restarts of the server`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        var jetStream = connection.jetStream()
        jetStream.failureLimit = 1
        try jetStream.declareGroups()
        let numbers = observe(jetStream)
        try publish(jetStream, 0..<40)
        try Wait.until("all are handled") { numbers.values.count >= 40 }
        for _ in 0..<3 {
            server.kill()
            try connection.wait(for: .reconnecting)
            try server.start()
            try connection.wait(for: .connected)
            rest()
            #expect(numbers.end == nil)
        }
        try publish(jetStream, 40..<80)
        try Wait.until("all are handled; the end is \(String(describing: numbers.end))") {
            Set(numbers.values).isSuperset(of: 0..<80)
        }
    }

    @Test func `A partition that fails is tried again, and its worker goes on`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        var jetStream = connection.jetStream(within: .milliseconds(100))
        jetStream.failureLimit = 0.3
        try jetStream.declareGroups()
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        let numbers = observe(jetStream)
        try publish(connection.jetStream(), 0..<40)
        try Wait.until("all are handled") { numbers.values.count >= 40 }
        // The connection stands, and nothing answers.
        server.pause()
        try Wait.until("a partition has failed") { !failures.values.isEmpty }
        rest()
        server.resume()
        try publish(connection.jetStream(), 40..<80)
        try Wait.until("all are handled; the end is \(String(describing: numbers.end))") {
            Set(numbers.values).isSuperset(of: 0..<80)
        }
        #expect(failures.values.allSatisfy { $0.mayPass })
    }

    /// A process that dies takes all its partitions with it, and each of them was at some message.
    @Test func `Only messages that kill are set aside, whatever else their processes were handling`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        let partitions = NATSPartitions(8, of: "ORDERS", subjects: "orders.partition", consumer: "billing")
        try SignalProducer<NATSOutgoing, NATSError>(
            (0..<40).map { number in
                let key = "k\(number % 10)"
                return NATSOutgoing(Data("\(key) \(number / 10)".utf8), to: partitions.subject(forKey: key))
            }
        ).published(to: jetStream, limit: 1).completed()
        let file = FileManager.default.temporaryDirectory.appending(path: "corinth-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let workers = try TestWorkers(
            1, writingTo: file, arguments: [server.address, "ORDERS", "8", "TALLY"], variables: ["FATAL": "k3"])
        let expected = Set((0..<10).filter { $0 != 3 }.map { "k\($0) 4 true" })
        try Wait.until("all others are a part of their states; there are \(workers.lines.map(\.text))") {
            try workers.replaceEnded()
            return Set(workers.lines.map(\.text)).isSuperset(of: expected)
        }
    }

    @Test func `A message that ended its workers becomes a dead letter before its handler is called`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders { $1.ackWait = .milliseconds(500) }
        try jetStream.declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        try jetStream.publish(1)
        // It says nothing about the third one.
        let lost = NATSConnection.to(server)
        let (held, _) = lost.jetStream().deliveries(of: consumer, acknowledgement: .manual)
            .on(value: { if $0.deliveries < 3 { $0.giveBack() } }).collected()
        try Wait.until("it was delivered three times") { held.values.contains { $0.deliveries == 3 } }
        lost.close()
        let (outcomes, disposable) = jetStream.process(
            consumer, as: CodecTests.Number(), deadLetter: DeadLetterPolicy(to: "dead", afterDeliveries: 3)
        ) { _, _ -> SignalProducer<Never, NATSError> in
            Issue.record("the handler is called")
            return .empty
        }.collected()
        let outcome = try outcomes.values(1)[0]
        disposable.dispose()
        guard case .deadLettered(let reason) = outcome.kind else {
            Issue.record("the outcome is \(outcome)")
            return
        }
        #expect(reason.contains("delivered 3 times"))
        #expect(try jetStream.info(ofStream: "DEAD").completed()[0].messages == 1)
    }

    @Test func `A handler that doesn't end is given up, and its message becomes a dead letter in the end`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders()
        try jetStream.declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        try jetStream.publish(3)
        let disposals = Corinth.Atomic(0)
        let (outcomes, disposable) = jetStream.process(
            consumer, as: CodecTests.Number(), places: 1, retryAfter: .zero, within: .milliseconds(100),
            deadLetter: DeadLetterPolicy(to: "dead", afterDeliveries: 2)
        ) { number, _ -> SignalProducer<Never, NATSError> in
            number == 1 ? SignalProducer.never.on(disposed: { disposals.modify { $0 += 1 } }) : .empty
        }.collected()
        let kinds = try outcomes.values(4).map(\.kind)
        disposable.dispose()
        #expect(kinds.count { $0 == .acknowledged } == 2)
        #expect(kinds.contains(.givenBack(reason: "its handler has taken longer than 0.1 seconds")))
        #expect(kinds.contains(.deadLettered(reason: "its handler has taken longer than 0.1 seconds")))
        #expect(disposals.value == 2)
        #expect(try jetStream.info(ofStream: "DEAD").completed()[0].messages == 1)
    }

    @Test func `Dead letters that nothing would store are refused at the start`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders()
        try jetStream.publish(1)
        let (outcomes, _) = jetStream.process(
            consumer, as: CodecTests.Number(), deadLetter: DeadLetterPolicy(to: "dead.orders")
        ) { _, _ in SignalProducer<Never, NATSError>.empty }.collected()
        #expect(try outcomes.waitForEnd() == .invalidSubject("dead.orders", reason: "no stream stores it"))
    }

    @Test func `A date that can't be one is left out and reported`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        let subject = NATSPartitions.orders.subject(forKey: "a")
        let odd = ["1e300", "-1e300", "nan", "inf", "32503680000"]
        try SignalProducer<NATSOutgoing, NATSError>(
            (["1000"] + odd + ["1001", "1012"]).map { NATSOutgoing(Data($0.utf8), to: subject) }
        ).published(to: jetStream, limit: 1).completed()
        let (states, disposable) = jetStream.aggregate(
            .orders, as: .text, by: { _ in "a" }, of: group, state: .json(Int.self), windows: NATSWindows(.seconds(10)),
            at: { text, _ in Date(timeIntervalSince1970: Double(text) ?? 0) }
        ) { count, _ in count = (count ?? 0) + 1 }.collected()
        try Wait.until("the first window is closed; the end is \(String(describing: states.end))") {
            states.values.contains { $0.kind == .closed && $0.state == 2 }
        }
        disposable.dispose()
        #expect(connection.statistics.undecodable == odd.count && connection.statistics.late == 0)
        #expect(failures.values.count == odd.count)
    }

    @Test(arguments: [
        ("$JS.ACK.ORDERS.billing.3.17.21.1700000000000000000.5", "ORDERS.billing"),
        ("$JS.ACK.hub.acc.ORDERS.billing.3.17.21.1700000000000000000.5", "ORDERS.billing"),
        ("$JS.ACK.hub.acc.ORDERS.billing.3.17.21.1700000000000000000.5.x7", "ORDERS.billing"),
    ])
    func `The subject of an acknowledgement tells of its delivery`(subject: String, origin: String) {
        let read = unsafe DeliverySubject(subject)
        #expect(read.deliveries == 3 && read.sequence == 17 && read.consumerSequence == 21)
        #expect(read.time == 1_700_000_000_000_000_000)
        #expect(String(decoding: Array(subject.utf8)[read.origin], as: UTF8.self) == origin)
    }

    @Test(arguments: ["", ".", "........", "...........", "_INBOX.abc", "$JS.ACK.a.b.-1.99999999999999999999.x..9"])
    func `What is no such subject has zeros`(subject: String) {
        let read = unsafe DeliverySubject(subject)
        #expect(read.deliveries == 0 && read.sequence == 0 && read.consumerSequence == 0 && read.time == 0)
    }
}
