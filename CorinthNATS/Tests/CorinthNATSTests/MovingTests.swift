import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

/// States over another number of partitions, and states that somebody else asks for.
struct MovingTests {
    private let few = NATSPartitions.orders
    private let many = NATSPartitions(7, of: "ORDERS", subjects: "orders.partition", consumer: "unused")
    private let old = NATSGroup.quick("totals", snapshotEvery: 10)
    private let new = NATSGroup.quick("totals-7", snapshotEvery: 10)

    private func publish(_ numbers: Range<Int>, _ partitions: NATSPartitions, _ jetStream: JetStream) throws {
        try SignalProducer<Int, NATSError>(numbers)
            .partitioned(over: partitions, as: CodecTests.Number(), by: { "\($0 % 40)" })
            .published(to: jetStream).completed()
    }

    /// Runs a worker until the lists of all keys have so many numbers, and returns them.
    private func lists(
        _ server: NATSTestServer, _ partitions: NATSPartitions, _ group: NATSGroup, until count: Int
    ) throws -> [String: [Int]] {
        let connection = NATSConnection.to(server)
        let (states, _) = connection.jetStream().aggregate(
            partitions, as: CodecTests.Number(), by: { "\($0 % 40)" }, of: group, state: .json([Int].self)
        ) { list, number in list = (list ?? []) + [number] }.collected()
        var lists: [String: [Int]] = [:]
        try Wait.until("\(count) are counted; the end is \(String(describing: states.end))") {
            lists = states.values.reduce(into: [:]) { $0[$1.key] = $1.state }
            return lists.values.reduce(0) { $0 + $1.count } == count
        }
        let (closed, _) = connection.drain(within: .seconds(60)).collected()
        #expect(try closed.waitForEnd() == nil)
        return lists
    }

    @Test func `Each key goes on where it was, over another number of partitions`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try publish(0..<200, few, jetStream)
        let before = try lists(server, few, old, until: 200)

        // What isn't handled yet would be lost.
        try publish(200..<210, few, jetStream)
        let unsettled = try jetStream.move(old, over: few, to: new, over: many).collected().0.waitForEnd()
        #expect(unsettled == .unsettled(group: "totals", messages: 10))
        _ = try lists(server, few, old, until: 210)
        // Another shape than it has.
        guard case .drifted = try jetStream.move(old, over: many, to: new, over: many).collected().0.waitForEnd() else {
            Issue.record("another number is taken for the old one")
            return
        }
        try jetStream.move(old, over: few, to: new, over: many).completed()
        // There is one now.
        guard case .drifted = try jetStream.move(old, over: few, to: new, over: many).collected().0.waitForEnd() else {
            Issue.record("a group is overwritten")
            return
        }
        try publish(210..<400, many, jetStream)
        let after = try lists(server, many, new, until: 400)
        for key in 0..<40 {
            #expect(after["\(key)"] == Array(stride(from: key, to: 400, by: 40)))
            #expect(before["\(key)"] == Array(stride(from: key, to: 200, by: 40)))
        }
    }

    @Test func `The states can be asked for, while a worker stores them`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let missing = try jetStream.states(of: old, over: few, state: .json([Int].self)).collected().0.waitForEnd()
        guard case .stateLost = missing else {
            Issue.record("a group that isn't there has states: \(String(describing: missing))")
            return
        }
        try publish(0..<400, few, jetStream)
        _ = try lists(server, few, old, until: 400)
        let (_, disposable) = jetStream.aggregate(
            few, as: CodecTests.Number(), by: { "\($0 % 40)" }, of: old, state: .json([Int].self)
        ) { list, number in list = (list ?? []) + [number] }.collected()
        let publishing = DispatchQueue(label: "publishing")
        publishing.async { try? self.publish(400..<1200, few, jetStream) }
        var count = 0
        while count < 1200 {
            let states = try jetStream.states(of: old, over: few, state: .json([Int].self)).completed()
            #expect(Set(states.map(\.key)).count == 40)
            for state in states {
                let (list, first) = (state.state ?? [], Int(state.key) ?? 0)
                #expect(list == Array(stride(from: first, to: first + 40 * list.count, by: 40)))
            }
            let sum = states.reduce(0) { $0 + ($1.state?.count ?? 0) }
            #expect(sum >= count)
            count = sum
        }
        publishing.sync {}
        disposable.dispose()
        let one = try jetStream.states(of: old, over: few, state: .json([Int].self), forKey: "7").completed()
        #expect(one.map(\.key) == ["7"] && one[0].kind == .restored && one[0].state?.count == 30)
        #expect(one[0].partition == few.partition(ofKey: "7"))
        #expect(try jetStream.states(of: old, over: few, state: .json([Int].self), forKey: "x").completed().isEmpty)
        let wrong = try jetStream.states(of: old, over: few, state: .json(String.self), forKey: "7").collected().0
            .waitForEnd()
        guard case .undecodable = wrong else {
            Issue.record("a list is a text")
            return
        }
    }

    @Test func `What has begun is done again from the beginning`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try publish(0..<200, few, jetStream)
        _ = try lists(server, few, old, until: 200)
        // As if the first attempt had ended before its last write.
        try jetStream.move(old, over: few, to: new, over: many).completed()
        try jetStream.call("STREAM.PURGE.KV_STATE", ["filter": .string(new.subject)]).completed()
        try jetStream.move(old, over: few, to: new, over: many).completed()
        try publish(200..<240, many, jetStream)
        #expect(try lists(server, many, new, until: 240).count == 40)
        // The old one is still there.
        #expect(try jetStream.status(of: old, over: few).completed()[0].partitions.allSatisfy { $0.position > 0 })
    }
}
