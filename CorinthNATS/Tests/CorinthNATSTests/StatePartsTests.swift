import Corinth
import CorinthNATSTesting
import CorinthTesting
import Foundation
import Testing

@testable import CorinthNATS

/// A state is stored in parts: what has changed, and what was stored before.
struct StatePartsTests {
    private let group = NATSGroup.quick("totals", snapshotEvery: 1)

    /// Keys with texts. An empty text removes its key.
    private func start(_ jetStream: JetStream) -> (Collector<NATSAggregated<String>>, any Disposable) {
        jetStream.aggregate(
            .orders, as: .text, by: { String($0.split(separator: " ")[0]) }, of: group, state: .text, undecodable: .skip
        ) { state, text in
            let words = text.split(separator: " ")
            state = words.count == 2 ? String(words[1]) : nil
        }
        .collected()
    }

    /// All go to the same partition.
    private func publish(_ jetStream: JetStream, _ texts: [String]) throws {
        try publish(jetStream, texts.map { Data($0.utf8) })
    }

    private func publish(_ jetStream: JetStream, _ payloads: [Data]) throws {
        let subject = NATSPartitions.orders.subject(forKey: "")
        try SignalProducer<NATSOutgoing, NATSError>(payloads.map { NATSOutgoing($0, to: subject) })
            .published(to: jetStream).completed()
    }

    private func head(_ jetStream: JetStream) throws -> SnapshotStore.Head? {
        let subject = group.subject(of: NATSPartitions.orders.partition(ofKey: ""))
        return try jetStream.newest(subject, in: group.bucket).completed()[0].flatMap { SnapshotStore.Head($0.data) }
    }

    /// Waits until all messages are stored. Returns the newest snapshot.
    private func stored(_ jetStream: JetStream, _ messages: UInt64) throws -> SnapshotStore.Snapshot {
        try Wait.until("\(messages) messages are stored") { try head(jetStream)?.snapshot.position == messages }
        return try #require(try head(jetStream)).snapshot
    }

    @Test func `A change is written without the states that haven't changed`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        let first = start(jetStream).1
        try publish(jetStream, (0..<2000).map { "\($0) \(String(repeating: "x", count: 40))" })
        _ = try stored(jetStream, 2000)
        first.dispose()
        let disposable = start(jetStream).1
        defer { disposable.dispose() }
        // A new owner begins with the whole state.
        try publish(jetStream, ["0 y"])
        let whole = try stored(jetStream, 2001).parts
        #expect(whole.count == 1 && whole[0].bytes > 2000 * 80)
        var written = 0
        for number in 1...100 {
            try publish(jetStream, ["\(number * 7) y"])
            let snapshot = try stored(jetStream, UInt64(2001 + number))
            let part = try #require(snapshot.parts.last)
            #expect(part.commit == snapshot.commit && snapshot.parts[0] == whole[0])
            written += part.bytes
        }
        // Each change is written some times, as the parts are merged.
        let record = StateRecord(kind: .live, window: nil, key: "700", state: Data("y".utf8)).data.count
        #expect(written > 100 * (record - 2) && written < 8 * 100 * record, "they have written \(written) bytes")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `Whatever changes and is removed, and whoever goes on, the parts are the state`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        var wanted: [String: String] = [:]
        var count: UInt64 = 0
        var most = 0
        for _ in 0..<5 {
            let (restored, disposable) = start(jetStream)
            try Wait.until("\(wanted.count) states are restored") {
                Set(restored.values.filter { $0.kind == .restored }.map(\.key)) == Set(wanted.keys)
            }
            for value in restored.values where value.kind == .restored { #expect(value.state == wanted[value.key]) }
            for _ in 0..<40 {
                let changes = (0..<Int.random(in: 1...[1, 1, 3, 30].randomElement(using: &random)!, using: &random))
                    .map { _ in
                        let key = "k\(Int.random(in: 0..<60, using: &random))"
                        let length = Int.random(in: -4..<12, using: &random)
                        wanted[key] = length > 0 ? String(repeating: "x", count: length) : nil
                        return wanted[key].map { "\(key) \($0)" } ?? key
                    }
                try publish(jetStream, changes)
                count += UInt64(changes.count)
                let parts = try stored(jetStream, count).parts
                #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.bytes >= 2 * $1.bytes }, "\(parts)")
                #expect(Set(parts.map(\.place)).count == parts.count)
                most = max(most, parts.count)
            }
            disposable.dispose()
            let read = try jetStream.states(of: group, over: .orders, state: .text).completed()
            #expect(
                Dictionary(uniqueKeysWithValues: read.filter { $0.kind == .restored }.map { ($0.key, $0.state) })
                    == wanted.mapValues { $0 })
        }
        // It wasn't written whole each time.
        #expect(most > 2)
        #expect(connection.statistics.undecodable == 0)
    }

    /// What a worker has stored last it may not have sent.
    @Test(arguments: [true, false])
    func `A removal is sent to the next worker, unless something was stored since`(isLast: Bool) throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        let first = start(jetStream).1
        try publish(jetStream, ["a 1", "b 1"])
        _ = try stored(jetStream, 2)
        try publish(jetStream, ["a"])
        _ = try stored(jetStream, 3)
        // What isn't text changes nothing.
        if !isLast { try publish(jetStream, [Data([0xFF])]) }
        _ = try stored(jetStream, isLast ? 3 : 4)
        first.dispose()
        let (states, disposable) = start(jetStream)
        try Wait.until("b is restored") { states.values.contains { $0.key == "b" } }
        #expect(states.values.map(\.key).sorted() == (isLast ? ["a", "b"] : ["b"]))
        disposable.dispose()
    }

    @Test func `What was removed stays removed, and is said once`() throws {
        func record(_ kind: StateRecord.Kind, _ key: String, _ state: String = "") -> Data {
            StateRecord(kind: kind, window: nil, key: key, state: Data(state.utf8)).data
        }
        func merged(_ parts: [Data], _ endsWithChanges: Bool) throws -> [String: String] {
            var states: [String: String] = [:]
            try StateRecord.read(try StateRecord.merged(parts, endsWithChanges: endsWithChanges)) { record, _ in
                #expect(states[record.key] == nil)
                states[record.key] = "\(record.kind) \(String(decoding: record.state, as: UTF8.self))"
            }
            return states
        }
        let base = record(.live, "a", "1") + record(.live, "b", "1") + record(.live, "c", "1")
        let change = record(.removed, "a") + record(.closed, "b", "2") + record(.live, "c", "2")
        #expect(try merged([base, change], true) == ["a": "removed ", "b": "closed 2", "c": "live 2"])
        // A later commit wrote nothing, or something else.
        #expect(try merged([base, change], false) == ["c": "live 2"])
        #expect(try merged([base, change, record(.live, "d", "3")], true) == ["c": "live 2", "d": "live 3"])
        #expect(try merged([base, record(.forgotten, "a")], true) == ["b": "live 1", "c": "live 1"])
        #expect(try merged([], true) == [:])
        #expect(throws: StateRecord.Damaged.self) { try merged([base.dropLast()], true) }
    }

    @Test func `The heads of earlier versions have one part, in one of three places`() throws {
        let old = #"{"version":2,"position":9,"epoch":3,"commit":7,"chunks":2,"bytes":300000,"owner":"a"}"#
        let head = try #require(SnapshotStore.Head(Data(old.utf8)))
        #expect(head.snapshot.parts == [SnapshotStore.Part(commit: 7, place: 1, chunks: 2, bytes: 300_000)])
        #expect(SnapshotStore.Head(head.data) == head)
    }

    @Test func `No part is written where the newest two snapshots have one`() {
        var random = SeededGenerator(seed: 1)
        var head = SnapshotStore.Head()
        var parts = StateParts<Int>()
        for commit in 1...10_000 {
            let size = Int.random(in: 0...[10, 100, 10_000].randomElement(using: &random)!, using: &random)
            let kept = parts.kept(behind: size)
            let bytes = size + head.snapshot.parts[kept...].reduce(0) { $0 + $1.bytes / 2 }
            let place = head.freePlace(ofSize: bytes)
            let level = 3 * (Int.bitWidth - bytes.leadingZeroBitCount)
            #expect((level..<level + 3).contains(place))
            #expect(!(head.snapshot.parts + (head.previous?.parts ?? [])).contains { $0.place == place })
            parts.write([], bytes, behind: kept)
            var next = SnapshotStore.Snapshot(position: UInt64(commit), commit: commit)
            next.parts = Array(head.snapshot.parts.prefix(kept))
            if bytes > 0 {
                next.parts.append(SnapshotStore.Part(commit: commit, place: place, chunks: 1, bytes: bytes))
            }
            head.append(next)
        }
    }
}
