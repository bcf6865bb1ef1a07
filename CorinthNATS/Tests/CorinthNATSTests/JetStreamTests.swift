import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

struct JetStreamTests {
    /// What a cluster says that is still storing a message with the same identifier.
    private static let undecided =
        #"{"error":{"code":409,"err_code":10158,"description":"duplicate message id is in process"}}"#

    // MARK: Declaring

    @Test func declaresOnce() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        var stream = NATSStream("ORDERS", subjects: ["orders.>", "returns"])
        stream.maxAge = .seconds(3600)
        stream.maxMessages = 1000
        stream.duplicateWindow = .seconds(60)
        for _ in 1...3 {
            let info = try jetStream.declare(stream).completed()
            #expect(info.map(\.name) == ["ORDERS"])
            #expect(info[0].messages == 0)
        }
        // What isn't declared isn't compared.
        try jetStream.declare(NATSStream("ORDERS", subjects: ["orders.>", "returns"])).completed()
        // At the same time.
        let many = (0..<8).map { _ in jetStream.declare(NATSStream("MANY", subjects: ["many"])).collected().0 }
        for one in many { #expect(try one.waitForEnd() == nil) }
        for _ in 1...3 { try jetStream.declare(NATSConsumer("billing", of: "ORDERS")).completed() }
        try jetStream.delete(consumer: "billing", of: "ORDERS").completed()
        try jetStream.delete(stream: "ORDERS").completed()
        #expect(throws: NATSError.jetStream(code: 10059, "stream not found")) {
            try jetStream.info(ofStream: "ORDERS").completed()
        }
    }

    @Test func reportsDrift() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        var stream = NATSStream("ORDERS", subjects: ["orders.>"])
        stream.maxMessages = 100
        stream.maxMessageSize = 5000
        try jetStream.declare(stream).completed()
        stream.maxMessages = 200
        stream.maxMessageSize = nil
        let drift = NATSDrift(setting: "max_msgs", declared: "200", actual: "100")
        let expected = NATSError.drifted("the stream ORDERS", [drift])
        #expect(throws: expected) { try jetStream.declare(stream).completed() }
        #expect(expected.description.contains("max_msgs is 100, but 200 is declared"))
        try jetStream.declare(stream, onDrift: .update).completed()
        // The update has kept what isn't declared.
        stream.maxMessageSize = 5000
        try jetStream.declare(stream).completed()
        // A change that the server doesn't allow.
        stream.storage = .memory
        #expect(throws: NATSError.self) { try jetStream.declare(stream, onDrift: .update).completed() }

        var consumer = NATSConsumer("billing", of: "ORDERS")
        try jetStream.declare(consumer).completed()
        consumer.ackWait = .seconds(7)
        let waitDrift = NATSDrift(setting: "ack_wait", declared: "7000000000", actual: "30000000000")
        #expect(throws: NATSError.drifted("the consumer billing of ORDERS", [waitDrift])) {
            try jetStream.declare(consumer).completed()
        }
        try jetStream.declare(consumer, onDrift: .update).completed()
        try jetStream.declare(consumer).completed()
    }

    @Test func badInput() throws {
        let plain = try NATSTestServer()
        let without = NATSConnection.to(plain).jetStream()
        guard case .jetStreamUnavailable = without.declare(NATSStream("A", subjects: ["a"])).collected().0.endedError
        else {
            Issue.record("a server without JetStream isn't reported")
            return
        }
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        for name in ["", "a b", "a.b", "a*"] {
            guard case .invalidSubject = jetStream.declare(NATSStream(name, subjects: ["a"])).collected().0.endedError,
                case .invalidSubject = jetStream.declare(NATSConsumer(name, of: "A")).collected().0.endedError
            else {
                Issue.record("the name '\(name)' isn't refused")
                return
            }
        }
        try jetStream.declare(NATSStream("A", subjects: ["a"])).completed()
        // Two streams can't store one subject.
        #expect(throws: NATSError.jetStream(code: 10065, "subjects overlap with an existing stream")) {
            try jetStream.declare(NATSStream("B", subjects: ["a"])).completed()
        }
        #expect(throws: NATSError.jetStreamUnavailable("no stream with a leader stores 'nowhere'")) {
            try jetStream.publish(NATSOutgoing(Data(), to: "nowhere")).completed()
        }
        #expect(throws: NATSError.jetStream(code: 10059, "stream not found")) {
            try jetStream.declare(NATSConsumer("c", of: "NONE")).completed()
        }
    }

    // MARK: Publishing

    @Test func publishesAndDeduplicates() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        _ = try jetStream.declareOrders()
        let message = NATSOutgoing(Data("a".utf8), to: "orders.a", id: "order 1", headers: ["Trace": "7"])
        for isAgain in [false, true, true] {
            let stored = try jetStream.publish(message).completed()
            #expect(stored == [NATSPublication(stream: "ORDERS", sequence: 1, isDuplicate: isAgain)])
        }
        let stored = try jetStream.publish(NATSOutgoing(Data("b".utf8), to: "orders.b")).completed()
        #expect(stored == [NATSPublication(stream: "ORDERS", sequence: 2, isDuplicate: false)])
        #expect(try jetStream.info(ofStream: "ORDERS").completed()[0].messages == 2)
    }

    /// No more messages than the limit are on their way, and the source waits.
    @Test func windowIsBounded() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        // A stream that acknowledges when the test says so.
        let (arrived, _) = connection.messages(on: "slow.*").collected()
        try connection.flushed()
        let sent = Atomic(0)
        let (results, _) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<30).lazy.map { index in
                sent.modify { $0 += 1 }
                return NATSOutgoing(Data("\(index)".utf8), to: "slow.\(index)")
            }
        )
        .start(on: QueueScheduler())
        .published(to: connection.jetStream(), limit: 10, within: .seconds(60))
        .collected()
        for sequence in 0..<30 {
            let messages = try arrived.values(min(sequence + 10, 30))
            try connection.flushed()
            #expect(arrived.values.count == min(sequence + 10, 30))
            // The source has at most one message more, which waits.
            #expect(sent.value <= sequence + 11)
            let answer = Data("{\"stream\":\"SLOW\",\"seq\":\(sequence + 1)}".utf8)
            try connection.publish(answer, to: messages[sequence].replySubject!)
        }
        #expect(try results.waitForEnd() == nil)
        #expect(results.values.map(\.sequence) == Array(1...30))
    }

    /// Acknowledgements in all forms, and answers that are none.
    @Test func readsAcknowledgements() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let answers: [(String, Result<NATSPublication, NATSError>)] = [
            (#"{"stream":"S","seq":7}"#, .success(NATSPublication(stream: "S", sequence: 7, isDuplicate: false))),
            (
                #"{"stream":"S","seq":7,"duplicate":true,"domain":"hub"}"#,
                .success(NATSPublication(stream: "S", sequence: 7, isDuplicate: true))
            ),
            (
                #" { "seq" : 18446744073709551615 , "stream" : "S" } "#,
                .success(NATSPublication(stream: "S", sequence: .max, isDuplicate: false))
            ),
            (
                #"{"stream":"\u0053","seq":7,"duplicate":false,"new":[1,{"a":null}]}"#,
                .success(NATSPublication(stream: "S", sequence: 7, isDuplicate: false))
            ),
            (
                #"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 3"}}"#,
                .failure(.jetStream(code: 10071, "wrong last sequence: 3"))
            ),
            (
                JetStreamTests.undecided,
                .failure(.jetStreamUnavailable("duplicate message id is in process"))
            ),
            (#"{"stream":"S","seq":7"#, .failure(.jetStream(code: 0, "the answer isn't JSON"))),
            (
                #"{"stream":"S"}"#,
                .failure(.jetStream(code: 0, "the acknowledgement of a message has no stream and no sequence"))
            ),
        ]
        let (requests, _) = connection.messages(on: "fake").collected()
        try connection.flushed()
        for (index, (text, expected)) in answers.enumerated() {
            let (result, _) = connection.jetStream(within: .seconds(60))
                .publish(NATSOutgoing(Data(), to: "fake")).collected()
            let request = try requests.values(index + 1)[index]
            try connection.publish(Data(text.utf8), to: request.replySubject!)
            let error = try result.waitForEnd()
            #expect((result.values.first.map { .success($0) } ?? .failure(error ?? .closed)) == expected)
        }
    }

    /// A message that isn't acknowledged is sent again with its id, and given up in the end.
    @Test func repeatsAndGivesUp() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (arrived, _) = connection.messages(on: "mute").collected()
        try connection.flushed()
        let (results, _) = SignalProducer<NATSOutgoing, NATSError>(value: NATSOutgoing(Data(), to: "mute"))
            .published(to: connection.jetStream(), within: .milliseconds(60), attempts: 3).collected()
        guard case .timedOut = try results.waitForEnd() else {
            Issue.record("the end is \(String(describing: results.end))")
            return
        }
        let messages = try arrived.values(3)
        #expect(messages.count == 3)
        #expect(Set(messages.map { $0.header("Nats-Msg-Id") }).count == 1)
        #expect(messages[0].header("Nats-Msg-Id") != nil)
    }

    /// While there is no stream, a message is sent again and again, which takes no attempts. Then there is one.
    @Test func waitsForALeader() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        let message = SignalProducer<NATSOutgoing, NATSError>(value: NATSOutgoing(Data(), to: "orders.new"))
        let (stored, _) = message.published(to: jetStream, within: .seconds(60), attempts: 1).collected()
        let (refused, _) = message.published(to: jetStream, within: .milliseconds(100), attempts: 2).collected()
        #expect(
            try refused.waitForEnd()
                == .jetStreamUnavailable("no stream with a leader stores 'orders.new', for 0.2 seconds"))
        #expect(stored.end == nil)
        _ = try jetStream.declareOrders()
        #expect(try stored.waitForEnd() == nil)
        #expect(stored.values.map(\.sequence) == [1])
    }

    /// A cluster that is still storing a message refuses it when it is sent again, and acknowledges it in the end.
    @Test func waitsForADecision() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (arrived, _) = connection.messages(on: "slow").collected()
        try connection.flushed()
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(value: NATSOutgoing(Data(), to: "slow"))
            .published(to: connection.jetStream(), within: .seconds(60), attempts: 1).collected()
        let answers = [
            JetStreamTests.undecided,
            #"{"stream":"S","seq":7,"duplicate":true}"#,
        ]
        for (index, answer) in answers.enumerated() {
            let request = try arrived.values(index + 1)[index]
            try connection.publish(Data(answer.utf8), to: request.replySubject!)
        }
        #expect(try stored.waitForEnd() == nil)
        #expect(stored.values == [NATSPublication(stream: "S", sequence: 7, isDuplicate: true)])
    }

    /// The error says what the cluster has said.
    @Test func doesNotWaitForADecisionForEver() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        connection.messages(on: "slow").startWithResult { result in
            guard case .success(let request) = result, let reply = request.replySubject else { return }
            try? connection.publish(Data(JetStreamTests.undecided.utf8), to: reply)
        }
        try connection.flushed()
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(value: NATSOutgoing(Data(), to: "slow"))
            .published(to: connection.jetStream(), within: .milliseconds(100), attempts: 2).collected()
        #expect(
            try stored.waitForEnd()
                == .jetStreamUnavailable(
                    "a message on 'slow' isn't stored for 0.2 seconds: duplicate message id is in process"))
    }

    /// The server dies with messages on their way: they are sent again when it is back, and not when their time is up.
    @Test func repeatsAfterReconnection() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (arrived, _) = connection.messages(on: "mute").collected()
        try connection.flushed()
        let (results, _) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<5).map { NATSOutgoing(Data("\($0)".utf8), to: "mute", id: "\($0)") }
        )
        .published(to: connection.jetStream(), order: .any, within: .seconds(3600), attempts: 1).collected()
        try arrived.values(5)
        server.kill()
        try connection.wait(for: .reconnecting)
        try server.start()
        let again = try arrived.values(10)[5...]
        #expect(again.map { String(decoding: $0.data, as: UTF8.self) } == (0..<5).map(String.init))
        for (index, message) in again.enumerated() {
            try connection.publish(Data("{\"stream\":\"MUTE\",\"seq\":\(index + 1)}".utf8), to: message.replySubject!)
        }
        #expect(try results.waitForEnd() == nil)
        #expect(results.values.map(\.sequence) == [1, 2, 3, 4, 5])
    }

    /// An acknowledgement of an earlier attempt counts, and a second one doesn't.
    @Test func lateAcknowledgement() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (arrived, _) = connection.messages(on: "late.*").collected()
        try connection.flushed()
        let (results, _) = SignalProducer<NATSOutgoing, NATSError>([
            NATSOutgoing(Data("0".utf8), to: "late.a", headers: ["Trace": "7", "Nats-Msg-Id": "mine"]),
            NATSOutgoing(Data("1".utf8), to: "late.b", id: "other"),
        ])
        .published(to: connection.jetStream(), within: .milliseconds(60), attempts: 1000).collected()
        let messages = try arrived.values(6)
        let (zero, one) = (messages[0], messages[1])
        #expect(zero.subject == "late.a" && one.subject == "late.b" && messages[2].subject == "late.a")
        #expect(
            zero.headers == ["Nats-Msg-Id": "mine", "Trace": "7"]
                || zero.headers == ["Trace": "7", "Nats-Msg-Id": "mine"])
        #expect(one.header("Nats-Msg-Id") == "other")
        func acknowledge(_ message: NATSMessage, _ sequence: Int) throws {
            try connection.publish(Data("{\"stream\":\"LATE\",\"seq\":\(sequence)}".utf8), to: message.replySubject!)
        }
        try acknowledge(zero, 1)
        try acknowledge(messages[2], 2)
        try acknowledge(one, 3)
        #expect(try results.waitForEnd() == nil)
        #expect(results.values.map(\.sequence) == [1, 3])
    }

    /// What can't be sent at all isn't tried again.
    @Test func refusesWhatCannotBeStored() throws {
        let server = try NATSTestServer(jetStream: true, configuration: "max_payload: 1000")
        let jetStream = NATSConnection.to(server).jetStream()
        _ = try jetStream.declareOrders { stream, _ in stream.maxMessageSize = 500 }
        let large = NATSOutgoing(Data(repeating: 0, count: 1001), to: "orders.new")
        let bad: [(NATSOutgoing, (NATSError) -> Bool)] = [
            (large, { $0 == .messageTooLarge(size: 1001, limit: 1000) }),
            // The stream's own limit.
            (
                NATSOutgoing(Data(repeating: 0, count: 600), to: "orders.new"),
                {
                    if case .jetStream(10054, _) = $0 { true } else { false }
                }
            ),
            (NATSOutgoing(Data(), to: "orders.>"), { if case .invalidSubject = $0 { true } else { false } }),
            (NATSOutgoing(Data(), to: "orders.new", id: "a\nb"), { $0 == .invalidHeader("Nats-Msg-Id") }),
            (NATSOutgoing(Data(), to: "orders.new", headers: ["a b": "c"]), { $0 == .invalidHeader("a b") }),
        ]
        for (message, isExpected) in bad {
            for publishes in [
                SignalProducer<NATSOutgoing, NATSError>(value: message).published(to: jetStream),
                jetStream.publish(message),
            ] {
                let error = try publishes.collected().0.waitForEnd()
                #expect(error.map(isExpected) == true, "\(String(describing: error))")
            }
        }
        #expect(try jetStream.info(ofStream: "ORDERS").completed()[0].messages == 0)
    }

    @Test func `What was stored is sent before the failure of the next message of its subject`() throws {
        let server = try NATSTestServer(jetStream: true, configuration: "max_payload: 1000")
        let jetStream = NATSConnection.to(server).jetStream()
        _ = try jetStream.declareOrders()
        let sizes = [10, 10, 1001]
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(
            sizes.map { NATSOutgoing(Data(repeating: 0, count: $0), to: "orders.new") }
        )
        .published(to: jetStream).collected()
        #expect(try stored.waitForEnd() == .messageTooLarge(size: 1001, limit: 1000))
        #expect(stored.values.map(\.sequence) == [1, 2])
    }

    /// A stream that is full and refuses what is new: the publisher fails with the server's reason, and what was stored stays.
    @Test func fullStream() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        _ = try jetStream.declareOrders { stream, _ in
            stream.maxMessages = 10
            stream.discard = .new
        }
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<20).map { NATSOutgoing(Data("\($0)".utf8), to: "orders.new") }
        )
        .published(to: jetStream, limit: 1).collected()
        #expect(try stored.waitForEnd() == .jetStream(code: 10077, "maximum messages exceeded"))
        #expect(stored.values.map(\.sequence) == Array(1...10))
    }

    @Test func disposalEndsAPublisherThatWaits() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (arrived, _) = connection.messages(on: "mute").collected()
        try connection.flushed()
        let ended = DispatchSemaphore(value: 0)
        let (_, disposable) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<10).lazy.map { _ in NATSOutgoing(Data(), to: "mute") }
        )
        .on(disposed: { ended.signal() })
        .start(on: QueueScheduler())
        .published(to: connection.jetStream(), limit: 2, order: .any, within: .seconds(60)).collected()
        try arrived.values(2)
        disposable.dispose()
        #expect(ended.wait(timeout: .now() + Wait.seconds) == .success)
    }

    // MARK: Deliveries

    @Test(arguments: [1, 2, 7, 100, 1000])
    func deliversAll(_ places: Int) throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders()
        try jetStream.publish(500)
        let (numbers, disposable) = jetStream.deliveries(of: consumer, places: places).map(\.number).collected()
        #expect(try numbers.values(500) == Array(0..<500))
        try Wait.until("all are acknowledged") {
            let info = try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0]
            return info.unacknowledged == 0 && info.acknowledgedSequence == 500 && info.pending == 0
        }
        // What comes later is delivered, too.
        try jetStream.publish(20)
        #expect(try numbers.values(520).suffix(20) == Array(0..<20)[...])
        disposable.dispose()
    }

    /// The server keeps what has no place downstream.
    @Test func fetchesForFreePlacesOnly() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders()
        try jetStream.publish(200)
        let (held, disposable) = jetStream.deliveries(of: consumer, places: 10, acknowledgement: .manual).collected()
        try held.values(10)
        func info() throws -> NATSConsumerInfo {
            try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0]
        }
        #expect(try info().unacknowledged == 10)
        #expect(held.values.count == 10)
        // As many come as places become free.
        for (index, delivery) in held.values.enumerated() {
            #expect(delivery.acknowledge())
            try held.values(11 + index)
            try Wait.until("the acknowledgement has arrived") { try info().unacknowledged == 10 }
            #expect(held.values.count == 11 + index)
        }
        #expect(!held.values[0].acknowledge())
        #expect(!held.values[0].giveBack())
        disposable.dispose()
    }

    /// A request expires after 5 s. The next one asks for what is free then.
    @Test func asksAgain() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        let consumer = try jetStream.declareOrders()
        let (requests, _) = connection.messages(on: "$JS.API.CONSUMER.MSG.NEXT.ORDERS.billing").collected()
        try connection.flushed()
        try jetStream.publish(4)
        let (held, disposable) = jetStream.deliveries(of: consumer, places: 10, acknowledgement: .manual).collected()
        try held.values(4)
        let bodies = try requests.values(2).map { String(decoding: $0.data, as: UTF8.self) }
        #expect(bodies[0].hasPrefix("{\"batch\":10,"))
        #expect(bodies[1].hasPrefix("{\"batch\":6,"))
        try jetStream.publish(20)
        try held.values(10)
        #expect(try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0].unacknowledged == 10)
        #expect(held.values.count == 10)
        disposable.dispose()
    }

    /// A released delivery frees its place, and comes again.
    @Test func releasedDeliveriesComeAgain() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders { $1.ackWait = .milliseconds(100) }
        try jetStream.publish(20)
        let (numbers, disposable) = jetStream.deliveries(of: consumer, places: 5, acknowledgement: .manual)
            .map { "\($0.number) \($0.deliveries)" }.collected()
        try Wait.until("all come a second time") {
            Set(numbers.values).isSuperset(of: (0..<20).flatMap { ["\($0) 1", "\($0) 2"] })
        }
        disposable.dispose()
    }

    @Test func givenBackAndTerminated() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders()
        try jetStream.publish(3)
        let (seen, disposable) = jetStream.deliveries(of: consumer, places: 10, acknowledgement: .manual)
            .on(value: { delivery in
                switch (delivery.number, delivery.deliveries) {
                case (0, 1): delivery.giveBack()
                case (1, 1...2): delivery.giveBack(after: .milliseconds(20))
                case (2, _): delivery.terminate()
                default: delivery.acknowledge()
                }
            })
            .map { "\($0.number) \($0.deliveries) \($0.sequence)" }.collected()
        #expect(try Set(seen.values(6)) == ["0 1 1", "1 1 2", "2 1 3", "0 2 1", "1 2 2", "1 3 2"])
        try Wait.until("all are settled") {
            let info = try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0]
            return info.unacknowledged == 0 && info.acknowledgedSequence == 3
        }
        disposable.dispose()
    }

    /// A confirmed acknowledgement: the server has it when the producer completes.
    @Test func confirmsAcknowledgements() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        let consumer = try jetStream.declareOrders()
        try jetStream.publish(20)
        let (seen, disposable) = jetStream.deliveries(of: consumer, places: 2, acknowledgement: .manual).collected()
        for number in 0..<20 {
            // The confirmed ones have freed their places.
            let delivery = try seen.values(number + 1)[number]
            #expect(!delivery.isSettled)
            try delivery.acknowledge(confirmedWithin: .seconds(60)).completed()
            #expect(delivery.isSettled && !delivery.acknowledge())
            // No wait: it is confirmed.
            let info = try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0]
            #expect(info.acknowledgedSequence == number + 1)
        }
        // Once more is harmless; without a server it is a typed failure.
        try seen.values[0].acknowledge(confirmedWithin: .seconds(60)).completed()
        server.pause()
        let (late, _) = seen.values[1].acknowledge(confirmedWithin: .milliseconds(1)).collected()
        guard case .timedOut = try late.waitForEnd() else {
            Issue.record("the end is \(String(describing: late.end))")
            return
        }
        server.resume()
        disposable.dispose()
    }

    /// With `afterReturn`, what the observers have taken is acknowledged, and nothing else.
    @Test func acknowledgesWhatWasTaken() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders { $1.ackWait = .milliseconds(200) }
        try jetStream.publish(100)
        var all: [Int] = []
        for _ in 0..<10 {
            all += try jetStream.deliveries(of: consumer, places: 10).map(\.number).take(first: 7).completed()
        }
        // Each start takes seven, and the three behind them come again: some twice, if nats-server 2.9 sends them while the
        // inbox of a start ends.
        #expect(all.count == 70)
        #expect(Set(all).count >= 50)
        let (rest, disposable) = jetStream.deliveries(of: consumer, places: 10).map(\.number).collected()
        try Wait.until("the rest has come") { Set(all + rest.values).count == 100 }
        try Wait.until("all are acknowledged") {
            try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0].acknowledgedSequence == 100
        }
        disposable.dispose()
    }

    /// The server dies and comes back while messages are fetched and published: nothing is lost.
    @Test func survivesTheServer() throws {
        let server = try NATSTestServer(jetStream: true)
        let (sender, worker) = (NATSConnection.to(server), NATSConnection.to(server))
        let consumer = try sender.jetStream().declareOrders { $1.ackWait = .milliseconds(500) }
        let (numbers, disposable) = worker.jetStream().deliveries(of: consumer, places: 50).map(\.number).collected()
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<3000).lazy.map { NATSOutgoing(Data("\($0)".utf8), to: "orders.new", id: "\($0)") }
        )
        .start(on: QueueScheduler())
        .published(to: sender.jetStream(), limit: 100, within: .milliseconds(300), attempts: 200)
        .collected()
        for round in 1...3 {
            try numbers.values(300 * round)
            server.kill()
            try server.start()
        }
        #expect(try stored.waitForEnd() == nil)
        #expect(stored.values.count == 3000)
        try Wait.until("all have come") { Set(numbers.values).count == 3000 }
        // The file is written before an acknowledgement, so each message is stored once.
        #expect(Set(stored.values.map(\.sequence)).count == 3000)
        disposable.dispose()
    }

    /// The server dies again and again while messages of many keys are published, with the usual limit.
    @Test func `The order of each key is kept in the stream, whatever dies`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        let consumer = try jetStream.declareOrders()
        let (stored, _) = SignalProducer<NATSOutgoing, NATSError>(
            (0..<6000).lazy.map { NATSOutgoing(Data("\($0)".utf8), to: "orders.\($0 % 50)", id: "\($0)") }
        )
        .start(on: QueueScheduler())
        .published(to: jetStream, within: .milliseconds(300), attempts: 200).collected()
        for round in 1...4 {
            try Wait.until("some more are stored") { stored.values.count >= 1000 * round }
            server.kill()
            try server.start()
        }
        #expect(try stored.waitForEnd() == nil)
        let all = try jetStream.deliveries(of: consumer, places: 500).map(\.number).take(first: 6000).completed()
        for key in 0..<50 { #expect(all.filter { $0 % 50 == key } == Array(stride(from: key, to: 6000, by: 50))) }
    }

    /// A worker that disappears: another one gets what it has not acknowledged.
    @Test func workersShare() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders { $1.ackWait = .milliseconds(300) }
        let connections = (0..<3).map { _ in NATSConnection.to(server) }
        let workers = connections.map {
            $0.jetStream().deliveries(of: consumer, places: 8, acknowledgement: .manual).collected()
        }
        // The first worker keeps all that it gets.
        try jetStream.publish(1000)
        try workers[0].0.values(8)
        var handled = Set<Int>()
        func handle(_ worker: Int, from first: inout Int) {
            let new = workers[worker].0.values[first...]
            first += new.count
            for delivery in new where delivery.acknowledge() { handled.insert(delivery.number) }
        }
        var positions = [0, 0]
        try Wait.until("the others have the rest") {
            handle(1, from: &positions[0])
            handle(2, from: &positions[1])
            return handled.count >= 992
        }
        connections[0].close()
        try Wait.until("the others have all") {
            handle(1, from: &positions[0])
            handle(2, from: &positions[1])
            return handled.count == 1000
        }
        for worker in workers { worker.1.dispose() }
    }

    @Test func deletedConsumer() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders()
        let (deliveries, _) = jetStream.deliveries(of: consumer).collected()
        try jetStream.publish(1)
        try deliveries.values(1)
        try jetStream.delete(consumer: "billing", of: "ORDERS").completed()
        #expect(try deliveries.waitForEnd() == .consumerDeleted("billing of ORDERS"))
    }

    /// Neither hangs: a consumer that doesn't exist, and one that was deleted while the connection was interrupted.
    @Test func missingConsumer() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders()
        for (name, stream) in [("biling", "ORDERS"), ("billing", "ORDER")] {
            let (missing, _) = jetStream.deliveries(of: NATSConsumer(name, of: stream)).collected()
            #expect(try missing.waitForEnd() == .consumerDeleted("\(name) of \(stream)"))
        }
        // It comes back late.
        let worker = NATSConnection.to(server) {
            $0.reconnection.firstPause = .seconds(2)
            $0.reconnection.longestPause = .seconds(2)
        }
        let (deliveries, _) = worker.jetStream().deliveries(of: consumer).collected()
        try jetStream.publish(1)
        try deliveries.values(1)
        server.kill()
        try worker.wait(for: .reconnecting)
        try server.start()
        try jetStream.connection.wait(for: .connected)
        try jetStream.delete(consumer: "billing", of: "ORDERS").completed()
        #expect(try deliveries.waitForEnd() == .consumerDeleted("billing of ORDERS"))
    }

    // MARK: Processing

    @Test func processes() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders {
            $0.subjects = ["orders.>", "dead"]
            $1.filter = "orders.>"
        }
        let letters = NATSConsumer("letters", of: "ORDERS")
        try SignalProducer<NATSOutgoing, NATSError>(
            ["1", "2", "poison", "3", "never"].map {
                NATSOutgoing(Data($0.utf8), to: "orders.new", headers: ["Trace": "7"])
            }
        )
        .published(to: jetStream, limit: 1).completed()
        let attempts = Atomic<[Int: Int]>([:])
        let (outcomes, disposable) = jetStream.process(
            consumer, as: CodecTests.Number(), retryAfter: .milliseconds(10),
            deadLetter: DeadLetterPolicy(to: "dead", afterDeliveries: 3)
        ) { number, delivery -> SignalProducer<Never, CodecTests.Number.Negative> in
            let attempt = attempts.modify { attempts in
                attempts[number, default: 0] += 1
                return attempts[number]!
            }
            // 2 fails once, 3 always.
            return number == 3 || (number == 2 && attempt == 1) ? SignalProducer(error: .init()) : .empty
        }
        .collected()
        try outcomes.values(8)
        try Wait.until("all are settled") {
            let info = try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0]
            return info.unacknowledged == 0 && info.acknowledgedSequence >= 5
        }
        let all = outcomes.values
        #expect(all.count == 8)
        func kinds(_ sequence: UInt64) -> [NATSOutcome.Kind] { all.filter { $0.sequence == sequence }.map(\.kind) }
        let reason = "it is negative"
        #expect(kinds(1) == [.acknowledged])
        #expect(kinds(2) == [.givenBack(reason: reason), .acknowledged])
        #expect(kinds(4) == [.givenBack(reason: reason), .givenBack(reason: reason), .deadLettered(reason: reason)])
        for sequence: UInt64 in [3, 5] {
            guard case .deadLettered = kinds(sequence).first, kinds(sequence).count == 1 else {
                Issue.record("what doesn't decode is \(kinds(sequence))")
                return
            }
        }
        disposable.dispose()
        #expect(jetStream.connection.statistics.undecodable >= 2)
        var filtered = letters
        filtered.filter = "dead"
        try jetStream.declare(filtered).completed()
        let dead = try jetStream.deliveries(of: filtered).take(first: 3).map(\.message).completed()
        let texts = dead.map { String(decoding: $0.data, as: UTF8.self) }
        #expect(Set(texts) == ["poison", "3", "never"])
        let three = dead[texts.firstIndex(of: "3")!]
        #expect(three.header("Corinth-Subject") == "orders.new")
        #expect(three.header("Corinth-Stream-Sequence") == "4")
        #expect(three.header("Corinth-Reason") == reason)
        #expect(three.header("Trace") == "7")
    }

    /// What would keep a message from the dead-letter subject doesn't: headers that instruct the server, an error without a text,
    /// and a payload that is as large as it may be.
    @Test func unusualDeadLetters() throws {
        struct Silent: Error, CustomStringConvertible { let description: String }
        let server = try NATSTestServer(jetStream: true, configuration: "max_payload: 2000")
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        let consumer = try jetStream.declareOrders()
        try jetStream.declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        try jetStream.publish(NATSOutgoing(Data("kept".utf8), to: "dead")).completed()
        let large = Data(repeating: 0x78, count: 1900)
        try SignalProducer<NATSOutgoing, NATSError>([
            NATSOutgoing(
                Data("a".utf8), to: "orders.a", headers: ["Nats-Expected-Last-Sequence": "0", "Trace": "7"]),
            NATSOutgoing(Data("b".utf8), to: "orders.b", headers: ["Nats-Expected-Stream": "ORDERS"]),
            NATSOutgoing(large, to: "orders.c", headers: ["Trace": "8"]),
        ])
        .published(to: jetStream, limit: 1).completed()
        let reasons = ["a": "", "b": "two\r\nlines\u{0}"]
        let (outcomes, disposable) = jetStream.process(
            consumer, as: .text, deadLetter: DeadLetterPolicy(to: "dead", afterDeliveries: 1)
        ) { text, _ in SignalProducer<Never, Silent>(error: Silent(description: reasons[text] ?? text)) }.collected()
        for outcome in try outcomes.values(3) {
            guard case .deadLettered = outcome.kind else {
                Issue.record("the outcome is \(outcome)")
                return
            }
        }
        disposable.dispose()
        let letters = NATSConsumer("letters", of: "DEAD")
        try jetStream.declare(letters).completed()
        let all = try jetStream.deliveries(of: letters).take(first: 4).map(\.message).completed()
        func letter(_ subject: String) -> NATSMessage? { all.first { $0.header("Corinth-Subject") == subject } }
        #expect(all[0].data == Data("kept".utf8))
        #expect(letter("orders.a")?.header("Corinth-Reason") == "no reason is given")
        #expect(letter("orders.a")?.header("Trace") == "7")
        #expect(letter("orders.a")?.header("Nats-Expected-Last-Sequence") == nil)
        #expect(letter("orders.b")?.header("Corinth-Reason") == "two  lines")
        #expect(letter("orders.c")?.count == 0)
        #expect(letter("orders.c")?.header("Corinth-Stream-Sequence") == "3")
        #expect(letter("orders.c")?.header("Corinth-Reason")?.count == 1000)
    }

    @Test func `A disposal gives back a message that is being published as a dead letter`() throws {
        let server = try NATSTestServer(jetStream: true)
        let (worker, other) = (NATSConnection.to(server), NATSConnection.to(server))
        let consumer = try other.jetStream().declareOrders { $1.ackWait = .seconds(1800) }
        try other.jetStream().declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        try other.jetStream().publish(1)
        let calls = Corinth.Atomic(0)
        let (outcomes, disposable) = worker.jetStream().process(
            consumer, as: .text, deadLetter: DeadLetterPolicy(to: "dead", afterDeliveries: 1)
        ) { _, _ -> SignalProducer<Never, NATSError> in
            // So that the publication isn't answered.
            server.pause()
            calls.modify { $0 += 1 }
            return SignalProducer(error: .closed)
        }.collected()
        try Wait.until("it has failed") { calls.value == 1 }
        disposable.dispose()
        server.resume()
        let again = try other.jetStream().deliveries(of: consumer, acknowledgement: .manual).take(first: 1).completed()
        #expect(again[0].deliveries == 2)
        #expect(outcomes.values.isEmpty)
    }

    /// Long work keeps its message, though it takes longer than the server waits.
    @Test func extendsLongWork() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders { $1.ackWait = .milliseconds(800) }
        try jetStream.publish(1)
        let (started, ends) = (Collector<Int>(), Signal<Never, Never>.pipe())
        let (starts, startsInput) = Signal<Int, NATSError>.pipe()
        starts.observe(started.observer)
        let (outcomes, disposable) = jetStream.process(consumer, as: .text) {
            _, delivery -> SignalProducer<Never, Never> in
            startsInput.send(value: delivery.deliveries)
            return SignalProducer(ends.output)
        }.collected()
        try started.values(1)
        // Other messages come and go for several times the wait.
        var idle = consumer
        idle.name = "idle"
        try jetStream.declare(idle).completed()
        let (others, other) = jetStream.deliveries(of: idle, places: 1, acknowledgement: .manual).collected()
        try Wait.until("two waits are over") { (others.values.last?.deliveries ?? 0) >= 3 || releaseAll(others) }
        ends.input.sendCompleted()
        #expect(try outcomes.values(1).map(\.kind) == [.acknowledged])
        #expect(started.values == [1])
        other.dispose()
        disposable.dispose()
    }

    /// The test's other consumer gives its message back, so that its deliveries count the time.
    private func releaseAll(_ deliveries: Collector<NATSDelivery>) -> Bool {
        deliveries.values.last?.giveBack(after: .milliseconds(800))
        return false
    }

    /// Draining lets the handlers end: what they have handled is acknowledged, and the rest is free for others. The wait of the
    /// consumer is half an hour.
    @Test func drainingEndsTheWork() throws {
        let server = try NATSTestServer(jetStream: true)
        let (worker, other) = (NATSConnection.to(server), NATSConnection.to(server))
        let consumer = try other.jetStream().declareOrders { $1.ackWait = .seconds(1800) }
        try other.jetStream().publish(20)
        let entered = Atomic(0)
        let (gate, open) = Signal<Never, Never>.pipe()
        let (outcomes, _) = worker.jetStream().process(consumer, as: .text, places: 8) {
            _, _ -> SignalProducer<Never, Never> in
            entered.modify { $0 += 1 }
            return SignalProducer(gate)
        }.collected()
        try Wait.until("eight are being handled") { entered.value == 8 }
        let (closed, _) = worker.drain(within: .seconds(60)).collected()
        #expect(worker.state.value == .draining)
        let (rest, disposable) = other.jetStream().deliveries(of: consumer).map(\.number).collected()
        #expect(try Set(rest.values(12)) == Set(8..<20))
        #expect(closed.end == nil && outcomes.end == nil)
        open.sendCompleted()
        #expect(try closed.waitForEnd() == nil)
        #expect(try outcomes.waitForEnd() == nil)
        #expect(outcomes.values.count == 8 && entered.value == 8)
        try Wait.until("all are acknowledged") {
            try other.jetStream().info(ofConsumer: "billing", of: "ORDERS").completed()[0].acknowledgedSequence == 20
        }
        #expect(rest.values.count == 12)
        disposable.dispose()
    }

    /// Disposing of the work gives its messages back at once: the wait of the consumer is half an hour.
    @Test func disposalGivesBack() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        let consumer = try jetStream.declareOrders { $1.ackWait = .seconds(1800) }
        try jetStream.publish(5)
        let entered = DispatchSemaphore(value: 0)
        let working = jetStream.process(consumer, as: .text) { _, _ -> SignalProducer<Never, Never> in
            entered.signal()
            return .never
        }.start()
        for _ in 0..<5 { #expect(entered.wait(timeout: .now() + Wait.seconds) == .success) }
        working.dispose()
        let (again, disposable) = jetStream.deliveries(of: consumer).collected()
        // nats-server 2.9 may send one twice, while the inbox of the first start ends.
        try Wait.until("all have come again") { Set(again.values.map(\.number)) == Set(0..<5) }
        try Wait.until("all are acknowledged") {
            try jetStream.info(ofConsumer: "billing", of: "ORDERS").completed()[0].acknowledgedSequence == 5
        }
        disposable.dispose()
    }
}

extension Collector {
    /// The error of the end, once it has come.
    var endedError: NATSError? { try? waitForEnd() }
}
