import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

/// What a group publishes because of its states: each message once, whatever is handled again.
struct GroupOutputTests {
    private func publish(_ jetStream: JetStream, _ numbers: Range<Int>) throws {
        let partitions = NATSPartitions.orders
        try SignalProducer<NATSOutgoing, NATSError>(
            numbers.map { NATSOutgoing(Data("\($0)".utf8), to: partitions.subject(forKey: "\($0 % 5)")) }
        ).published(to: jetStream).completed()
    }

    private func stored(_ jetStream: JetStream, _ stream: String, _ count: Int) throws -> [(
        subject: String, text: String
    )] {
        let consumer = NATSConsumer("reader", of: stream)
        try jetStream.declare(consumer).completed()
        return try jetStream.deliveries(of: consumer).take(first: count).completed().map {
            ($0.subject, String(decoding: $0.data, as: UTF8.self))
        }
    }

    @Test func `Each output is stored once and in its order, although its message is handled again`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("TOTALS", subjects: ["totals.>"])).completed()
        let group = NATSGroup.quick("outputs", snapshotEvery: 7)
        let calls = Corinth.Atomic(0)
        func run() -> (Collector<NATSAggregated<Int>>, NATSConnection, any Disposable) {
            let connection = NATSConnection.to(server)
            let (states, disposable) = connection.jetStream().aggregate(
                .orders, as: CodecTests.Number(), by: { "\($0 % 5)" }, of: group, state: .json(Int.self),
                outputs: { change in
                    calls.modify { $0 += 1 }
                    let text = "\(change.key) \(change.state ?? -1)"
                    // Two of each, so that they need numbers.
                    return [
                        NATSOutgoing(Data(text.utf8), to: "totals.\(change.key)"),
                        NATSOutgoing(Data(text.utf8), to: "totals.all"),
                    ]
                }
            ) { total, number in total = (total ?? 0) + number }.collected()
            return (states, connection, disposable)
        }
        func outputs() throws -> Int { try jetStream.info(ofStream: "TOTALS").completed()[0].messages }
        try publish(jetStream, 0..<200)
        // Workers end in the middle: a part of what they have published isn't a part of what is stored.
        for part in 1...3 {
            let (states, connection, _) = run()
            try Wait.until("a part is published; the end is \(String(describing: states.end))") {
                try outputs() > 100 * part
            }
            connection.close()
        }
        let (states, _, disposable) = run()
        try Wait.until("all is published; the end is \(String(describing: states.end))") { try outputs() >= 400 }
        disposable.dispose()
        // The position is lost, so that all of it is handled again.
        try jetStream.call("STREAM.DELETE.KV_STATE").completed()
        try jetStream.declareGroups()
        let before = calls.value
        let (again, _, last) = run()
        let totals = (0..<5).map { key in (0..<200).filter { $0 % 5 == key }.reduce(0, +) }
        try Wait.until("it is handled again; the end is \(String(describing: again.end))") {
            (0..<5).allSatisfy { key in again.values.contains { $0.key == "\(key)" && $0.state == totals[key] } }
        }
        last.dispose()
        #expect(calls.value >= before + 200)
        #expect(try outputs() == 400)
        let outputs = try stored(jetStream, "TOTALS", 400)
        for key in 0..<5 {
            var total = 0
            let expected = (0..<200).filter { $0 % 5 == key }.map { number in
                total += number
                return "\(key) \(total)"
            }
            #expect(outputs.filter { $0.subject == "totals.\(key)" }.map(\.text) == expected)
            #expect(
                outputs.filter { $0.subject == "totals.all" }.map(\.text).filter { $0.hasPrefix("\(key) ") } == expected
            )
        }
    }

    @Test func `A window that is closed leads to one output`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("CLOSED", subjects: ["closed"])).completed()
        let group = NATSGroup.quick("windows", snapshotEvery: 3)
        let subject = NATSPartitions.orders.subject(forKey: "a")
        func run() -> (Collector<NATSAggregated<Int>>, any Disposable) {
            NATSConnection.to(server).jetStream().aggregate(
                .orders, as: CodecTests.Number(), by: { _ in "a key.with*all>" }, of: group, state: .json(Int.self),
                windows: NATSWindows(.seconds(10)), at: { number, _ in Date(timeIntervalSince1970: Double(number)) },
                outputs: { change in
                    guard change.kind == .closed, let window = change.window else { return [] }
                    let text = "\(Int(window.lowerBound.timeIntervalSince1970)) \(change.state ?? -1)"
                    return [NATSOutgoing(Data(text.utf8), to: "closed")]
                }
            ) { count, _ in count = (count ?? 0) + 1 }.collected()
        }
        try SignalProducer<NATSOutgoing, NATSError>(
            [1000, 1001, 1012, 1013, 1014, 1005, 1021, 1037, 1060].map { NATSOutgoing(Data("\($0)".utf8), to: subject) }
        ).published(to: jetStream).completed()
        let expected = ["1000 2", "1010 3", "1020 1", "1030 1"]
        let (states, disposable) = run()
        try Wait.until("the windows are closed; the end is \(String(describing: states.end))") {
            try jetStream.info(ofStream: "CLOSED").completed()[0].messages >= expected.count
        }
        disposable.dispose()
        try jetStream.call("STREAM.DELETE.KV_STATE").completed()
        try jetStream.declareGroups()
        let (again, _) = run()
        try Wait.until("they are closed again; the end is \(String(describing: again.end))") {
            again.values.count { $0.kind == .closed } == expected.count
        }
        #expect(try jetStream.info(ofStream: "CLOSED").completed()[0].messages == expected.count)
        #expect(try stored(jetStream, "CLOSED", expected.count).map(\.text) == expected)
    }

    @Test func `A stream that is made anew has outputs of its own, of its messages and its windows`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declare(NATSStream("OUTPUTS", subjects: ["output"])).completed()
        var group = NATSGroup.quick("outputs", snapshotEvery: 3)
        group.recovery = .beginAnew(.first)
        let subject = NATSPartitions.orders.subject(forKey: "a")
        for round in 1...2 {
            try jetStream.declareGroups()
            // The same numbers of the stream, and the same windows.
            try SignalProducer<NATSOutgoing, NATSError>(
                [1000, 1001, 1012, 1037].map { NATSOutgoing(Data("\($0)".utf8), to: subject) }
            ).published(to: jetStream).completed()
            let (states, disposable) = NATSConnection.to(server).jetStream().aggregate(
                .orders, as: CodecTests.Number(), by: { _ in "a" }, of: group, state: .json(Int.self),
                windows: NATSWindows(.seconds(10)), at: { number, _ in Date(timeIntervalSince1970: Double(number)) },
                outputs: { [NATSOutgoing(Data("\($0.kind)".utf8), to: "output")] }
            ) { count, _ in count = (count ?? 0) + 1 }.collected()
            // Four messages, and two windows that are closed.
            try Wait.until("round \(round): the outputs are stored; the end is \(String(describing: states.end))") {
                try jetStream.info(ofStream: "OUTPUTS").completed()[0].messages == 6 * round
            }
            disposable.dispose()
            try jetStream.call("STREAM.DELETE.ORDERS").completed()
        }
    }

    @Test func `Headers go through a partition to a handler, and traces on to its outputs`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("TOTALS", subjects: ["totals"])).completed()
        let codec = NATSEnvelopeCodec(CodecTests.Number())
        let orders = (1...3).map { number in
            NATSEnvelope(number, headers: ["traceparent": "00-\(number)", "Kind": "order"])
        }
        try SignalProducer<NATSEnvelope<Int>, NATSError>(orders)
            .partitioned(over: .orders, as: codec, by: { _ in "a" }).published(to: jetStream).completed()
        let (states, _) = jetStream.aggregate(
            .orders, as: codec, by: { _ in "a" }, of: .quick("traces", snapshotEvery: 10), state: .json([String].self),
            outputs: { change in
                let headers: NATSHeaders = change.state?.count == 2 ? ["traceparent": "own"] : [:]
                return [NATSOutgoing(Data(), to: "totals", headers: headers)]
            }
        ) { kinds, order in kinds = (kinds ?? []) + ["\(order.headers["Kind"] ?? "none") \(order.value)"] }.collected()
        try Wait.until("the outputs are stored; the end is \(String(describing: states.end))") {
            try jetStream.info(ofStream: "TOTALS").completed()[0].messages == 3
        }
        let consumer = NATSConsumer("reader", of: "TOTALS")
        try jetStream.declare(consumer).completed()
        let outputs = try jetStream.deliveries(of: consumer).take(first: 3).completed().map(\.message)
        #expect(outputs.map { $0.header("traceparent") } == ["00-1", "own", "00-3"])
        #expect(outputs.allSatisfy { $0.header("Kind") == nil })
        try Wait.until("the state is sent") { states.values.last?.state == ["order 1", "order 2", "order 3"] }
        let group = NATSGroup.quick("seen", snapshotEvery: 10)
        let (seen, _) = jetStream.observe(.orders, as: codec, by: group) { $0 }.collected()
        let envelopes = try seen.values(3)
        #expect(envelopes.map(\.value) == [1, 2, 3])
        // libnats doesn't keep the order of headers.
        for (envelope, order) in zip(envelopes, orders) {
            #expect(
                envelope.headers.fields.sorted { $0.name < $1.name }
                    == order.headers.fields.sorted { $0.name < $1.name })
        }
    }

    @Test func `An output that is too large fails the group, and what it belongs to isn't stored`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try publish(jetStream, 0..<1)
        let (states, _) = jetStream.aggregate(
            .orders, as: CodecTests.Number(), by: { _ in "a" }, of: NATSGroup.quick("large", snapshotEvery: 1),
            state: .json(Int.self), outputs: { _ in [NATSOutgoing(Data(count: 2_000_000), to: "large")] }
        ) { total, number in total = (total ?? 0) + number }.collected()
        let end = try states.waitForEnd()
        let isTooLarge = if case .messageTooLarge(2_000_000, _) = end { true } else { false }
        #expect(isTooLarge, "\(String(describing: end))")
        #expect(states.values.isEmpty)
    }
}
