import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

/// Servers lose what they have acknowledged: a part of a state, all states, or the head that refers to them.
extension AggregateTests {
    /// The place of a partition's state, as a worker has stored it.
    private struct Head: Decodable {
        struct Part: Decodable {
            var commit: Int
            var place: Int
        }

        struct Snapshot: Decodable { var position: Int }

        var position: Int
        var epoch: Int
        var commit: Int
        var parts: [Part]
        var previous: Snapshot?
    }

    private struct Stored: Decodable {
        struct Message: Decodable { var data: Data }
        var message: Message?
    }

    private func subject(_ partition: Int) -> String { "$KV.STATE.totals.\(partition)" }

    /// The bytes of a head. nil if there is none.
    private func head(_ connection: NATSConnection, _ partition: Int) throws -> Data? {
        let body = #"{"last_by_subj":"\#(subject(partition))"}"#
        let reply = try connection.request(Data(body.utf8), to: "$JS.API.STREAM.MSG.GET.KV_STATE").completed()[0]
        return try JSONDecoder().decode(Stored.self, from: reply.data).message?.data
    }

    private func heads(_ connection: NATSConnection) throws -> [Int: Head] {
        try (0..<partitions.count).reduce(into: [:]) { heads, partition in
            heads[partition] = try head(connection, partition).map { try JSONDecoder().decode(Head.self, from: $0) }
        }
    }

    private func purge(_ connection: NATSConnection, _ stream: String, _ filter: String) throws {
        let body = Data(#"{"filter":"\#(filter)"}"#.utf8)
        let reply = try connection.request(body, to: "$JS.API.STREAM.PURGE.\(stream)").completed()[0]
        #expect(String(decoding: reply.data, as: UTF8.self).contains(#""success":true"#))
    }

    /// Deletes what the newest commit of each partition has written.
    private func loseNewest(_ connection: NATSConnection, _ heads: [Int: Head]) throws {
        for (partition, head) in heads {
            let part = try #require(head.parts.last)
            #expect(part.commit == head.commit)
            try purge(connection, "KV_STATE", "\(subject(partition)).\(head.epoch).\(part.place).>")
        }
    }

    /// Makes states of 10 keys, several for each partition, and stops. Returns the heads.
    private func stored(_ connection: NATSConnection) throws -> [Int: Head] {
        try connection.jetStream().declareGroups()
        let (states, disposable) = start(connection)
        for round in 0..<3 {
            try publish(connection.jetStream(), keys: 10, (round * 10)..<(round * 10 + 10))
            try expect(round * 10 + 10, keys: 10, in: states)
        }
        disposable.dispose()
        let heads = try heads(connection)
        #expect(heads.count == partitions.count)
        return heads
    }

    private func losses(of connection: NATSConnection) -> Collector<NATSError> {
        let losses = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(losses.observer)
        return losses
    }

    /// A part of the newest state is lost: the worker goes on from the state before, and from its position.
    @Test func goesOnFromTheStateBefore() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let heads = try stored(connection)
        let losses = losses(of: connection)
        try loseNewest(connection, heads)
        let applied = Atomic(0)
        let (states, disposable) = start(connection, applied: applied)
        try expect(30, keys: 10, in: states)
        // What the state before has isn't applied again.
        #expect(applied.value > 0 && applied.value < 300)
        for (partition, head) in heads {
            let previous = try #require(head.previous)
            #expect(previous.position < head.position)
            let restored = states.values.filter { $0.kind == .restored && $0.partition == partition }
            #expect(!restored.isEmpty && restored.allSatisfy { $0.sequence == UInt64(previous.position) })
            #expect(
                losses.values.contains(.stateLost(subject: subject(partition), position: UInt64(previous.position))))
        }
        #expect(losses.values.count == partitions.count)
        try publish(connection.jetStream(), keys: 10, 30..<40)
        try expect(40, keys: 10, in: states)
        disposable.dispose()
        // The states that were stored since are whole.
        let again = start(connection)
        try expect(40, keys: 10, in: again.0)
        #expect(again.0.values.allSatisfy { $0.kind == .restored })
        #expect(losses.values.count == partitions.count)
        again.1.dispose()
    }

    /// No state is left, and the stream has all messages: they are applied again.
    @Test func beginsAnew() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let heads = try stored(connection)
        let losses = losses(of: connection)
        for partition in heads.keys { try purge(connection, "KV_STATE", "\(subject(partition)).>") }
        let applied = Atomic(0)
        let (states, disposable) = start(connection, applied: applied)
        try expect(30, keys: 10, in: states)
        #expect(applied.value == 300)
        #expect(states.values.allSatisfy { $0.kind == .changed })
        let wanted = (0..<partitions.count).map { NATSError.stateLost(subject: subject($0), position: 0) }
        #expect(losses.values.count == wanted.count && wanted.allSatisfy { losses.values.contains($0) })
        disposable.dispose()
    }

    /// No state is left, and the stream has deleted messages: the aggregate fails, or begins with what there is.
    @Test func cannotBeginAnew() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let heads = try stored(connection)
        for partition in heads.keys { try purge(connection, "KV_STATE", "\(subject(partition)).>") }
        try purge(connection, "ORDERS", ">")
        let error = try start(connection).0.waitForEnd()
        guard case .stateLost(_, 0) = error else {
            Issue.record("the end is \(String(describing: error))")
            return
        }
        let losses = losses(of: connection)
        let (states, disposable) = start(connection, undecodable: .skip)
        try publish(connection.jetStream(), keys: 10, 30..<40)
        try Wait.until("each of 10 keys has 10; there is \(newest([states]))") {
            newest([states]).values.filter { $0.count == 10 && $0.sum == (30..<40).reduce(0, +) }.count == 10
        }
        for partition in heads.keys {
            #expect(losses.values.contains(.stateLost(subject: subject(partition), position: 0)))
        }
        disposable.dispose()
    }

    /// The newest head is lost: the one before is there again, and its parts are.
    @Test func goesOnFromTheHeadBefore() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups()
        let losses = losses(of: connection)
        let partition = partitions.partition(ofKey: "0")
        let (states, disposable) = start(connection)
        var heads: [Data] = []
        for number in 0..<5 {
            try publish(connection.jetStream(), keys: 1, number..<(number + 1))
            try expect(number + 1, keys: 1, in: states)
            heads.append(try #require(try head(connection, partition)))
        }
        disposable.dispose()
        // The one before the last.
        try connection.jetStream().publish(NATSOutgoing(heads[3], to: subject(partition))).completed()
        let applied = Atomic(0)
        let again = start(connection, applied: applied)
        try expect(5, keys: 1, in: again.0)
        #expect(again.0.values.first.map { $0.kind == .restored && $0.state == Tally(4) } == true)
        #expect(applied.value == 1)
        #expect(losses.values.isEmpty)
        again.1.dispose()
    }
}
