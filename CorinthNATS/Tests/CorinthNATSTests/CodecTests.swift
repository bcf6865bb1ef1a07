import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

struct CodecTests {
    struct Order: Codable, Equatable, Sendable {
        var id: Int
        var price: Double
    }

    /// A codec of a user, that refuses numbers below 0.
    struct Number: NATSCodec {
        struct Negative: Error, CustomStringConvertible { var description: String { "it is negative" } }

        func encode(_ value: Int) throws -> Data {
            if value < 0 { throw Negative() }
            return Data("\(value)".utf8)
        }

        func decode(_ payload: Data) throws -> Int {
            guard let number = Int(String(decoding: payload, as: UTF8.self)), number >= 0 else { throw Negative() }
            return number
        }
    }

    @Test func roundTrips() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (orders, _) = connection.values(on: "orders", as: .json(Order.self), undecodable: .fail).collected()
        let (texts, _) = connection.values(on: "texts", as: .text, undecodable: .fail).collected()
        let (bytes, _) = connection.values(on: "bytes", as: .bytes, undecodable: .fail).collected()
        let (datas, _) = connection.values(on: "bytes", as: .data, undecodable: .fail).collected()
        let (numbers, _) = connection.values(on: "numbers.*", as: Number(), undecodable: .fail).collected()
        try connection.flushed()
        let order = Order(id: 7, price: 1.5)
        try connection.publish(order, as: .json(Order.self), to: "orders")
        try connection.publish("Grüße", as: .text, to: "texts")
        try connection.publish("", as: .text, to: "texts")
        try connection.publish([1, 0, 255], as: .bytes, to: "bytes")
        let (source, input) = Signal<Int, Never>.pipe()
        connection.publisher(as: Number()) { "numbers.\($0)" } <~ source
        for number in [1, 2] { input.send(value: number) }
        #expect(try orders.values(1) == [order])
        #expect(try texts.values(2) == ["Grüße", ""])
        #expect(try bytes.values(1) == [[1, 0, 255]])
        #expect(try datas.values(1) == [Data([1, 0, 255])])
        #expect(try numbers.values(2) == [1, 2])
    }

    @Test func `The headers of an envelope go with its value, and illegal ones aren't sent`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let codec = NATSEnvelopeCodec(Number())
        let (numbers, _) = connection.values(on: "numbers", as: codec, undecodable: .fail).collected()
        let (plain, _) = connection.values(on: "numbers", as: Number(), undecodable: .fail).collected()
        try connection.flushed()
        let sent: [NATSEnvelope<Int>] = [
            NATSEnvelope(1, headers: ["Trace": "a"]), NATSEnvelope(2), NATSEnvelope(3, headers: ["Trace": "c"]),
        ]
        try connection.publish(sent[0], as: codec, to: "numbers", headers: ["Kind": "b"])
        try connection.publish(sent[1], as: codec, to: "numbers")
        let (source, input) = Signal<NATSEnvelope<Int>, Never>.pipe()
        try connection.publisher(to: "numbers", as: codec) <~ source
        input.send(value: sent[2])
        let first = NATSEnvelope(1, headers: ["Kind": "b", "Trace": "a"])
        #expect(try numbers.values(3) == [first, sent[1], sent[2]])
        #expect(try plain.values(3) == [1, 2, 3])
        #expect(throws: NATSError.invalidHeader("a b")) {
            try connection.publish(NATSEnvelope(4, headers: ["a b": "c"]), as: codec, to: "numbers")
        }
        // A bucket has payloads alone.
        let jetStream = connection.jetStream()
        try jetStream.declare(NATSStream.bucket("NUMBERS")).completed()
        let bucket = jetStream.bucket("NUMBERS", as: codec)
        try bucket.put(sent[0], for: "a").completed()
        #expect(try bucket.get("a").completed().map(\.?.value) == [NATSEnvelope(1)])
    }

    /// What doesn't decode is counted and reported, and the stream goes on.
    @Test func skipsWhatDoesNotDecode() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        let (orders, _) = connection.values(on: "orders.*", as: .json(Order.self)).collected()
        let (texts, _) = connection.values(on: "orders.*", as: .text, undecodable: .fail).collected()
        try connection.flushed()
        try connection.publish(Data("{\"id\":1".utf8), to: "orders.broken")
        try connection.publish(Order(id: 2, price: 2), as: .json(Order.self), to: "orders.fine")
        #expect(try orders.values(1) == [Order(id: 2, price: 2)])
        guard case .undecodable("orders.broken", nil, let reason) = try failures.values(1)[0] else {
            Issue.record("the failure is \(failures.values)")
            return
        }
        #expect(!reason.isEmpty)
        #expect(connection.statistics.undecodable == 1)
        try connection.publish(Data([0xFF]), to: "orders.latin")
        let expected = NATSError.undecodable(subject: "orders.latin", sequence: nil, reason: "it isn't UTF-8")
        #expect(try texts.waitForEnd() == expected)
        #expect(try failures.values(3).contains(expected))
        #expect(connection.statistics.undecodable == 3)
        #expect(orders.end == nil)
    }

    @Test func reportsWhatDoesNotEncode() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        try connection.wait(for: .connected)
        let expected = NATSError.unencodable(subject: "numbers", reason: "it is negative")
        #expect(throws: expected) { try connection.publish(-1, as: Number(), to: "numbers") }
        let (source, input) = Signal<Int, Never>.pipe()
        try connection.publisher(to: "numbers", as: Number()) <~ source
        input.send(value: -1)
        #expect(try failures.values(1) == [expected])
        let (request, _) = connection.request(-1, as: Number(), to: "numbers", replyAs: .text).collected()
        #expect(try request.waitForEnd() == expected)
    }

    @Test func requests() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let running = connection.respond(to: "echo") { SignalProducer(value: $0.data) }.start()
        try connection.flushed()
        let (reply, _) = connection.request(5, as: Number(), to: "echo", replyAs: Number()).collected()
        #expect(try reply.waitForEnd() == nil)
        #expect(reply.values == [5])
        let (wrong, _) = connection.request(5, as: Number(), to: "echo", replyAs: .json([Int].self)).collected()
        guard case .undecodable = try wrong.waitForEnd() else {
            Issue.record("the end is \(String(describing: wrong.end))")
            return
        }
        running.dispose()
    }
}
