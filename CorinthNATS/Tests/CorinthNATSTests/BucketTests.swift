import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

/// Keys and values of a bucket.
struct BucketTests {
    private struct Setup {
        let server: NATSTestServer
        let connection: NATSConnection
        let bucket: NATSBucket<JSONCodec<Int>>

        init() throws {
            server = try NATSTestServer(jetStream: true)
            connection = .to(server)
            bucket = connection.jetStream().bucket("COUNTS", as: .json(Int.self))
            try declare()
        }

        func declare() throws {
            try connection.jetStream().declare(NATSStream.bucket("COUNTS")).completed()
        }

        func put(_ value: Int, _ key: String) throws { try bucket.put(value, for: key).completed() }

        /// What another client has written, which doesn't know the codec.
        func put(text: String, _ key: String) throws {
            try connection.jetStream().publish(NATSOutgoing(Data(text.utf8), to: "$KV.COUNTS.\(key)")).completed()
        }
    }

    private typealias Entry = NATSEntry<Int>

    // MARK: One key

    @Test func `A key is written, read, replaced and deleted`() throws {
        let setup = try Setup()
        let bucket = setup.bucket
        #expect(try bucket.get("a").completed() == [nil])
        #expect(try bucket.put(1, for: "a").completed() == [1])
        #expect(try bucket.put(2, for: "b.c").completed() == [2])
        #expect(try bucket.put(3, for: "a").completed() == [3])
        #expect(try bucket.get("a").completed() == [Entry(key: "a", value: 3, revision: 3)])
        #expect(try bucket.get("b.c").completed() == [Entry(key: "b.c", value: 2, revision: 2)])
        try bucket.delete("a").completed()
        #expect(try bucket.get("a").completed() == [nil])
        try bucket.delete("never").completed()
        #expect(try bucket.get("never").completed() == [nil])
    }

    @Test func `A key is made once, and again when it was deleted`() throws {
        let setup = try Setup()
        let bucket = setup.bucket
        #expect(try bucket.create(1, for: "a").completed() == [1])
        #expect(throws: NATSError.revisionConflict(key: "a")) { try bucket.create(2, for: "a").completed() }
        try bucket.delete("a").completed()
        #expect(try bucket.create(3, for: "a").completed() == [3])
        #expect(try bucket.get("a").completed() == [Entry(key: "a", value: 3, revision: 3)])
    }

    @Test func `Nobody's change is overwritten by who names a revision`() throws {
        let setup = try Setup()
        let bucket = setup.bucket
        #expect(try bucket.put(1, for: "a").completed() == [1])
        #expect(try bucket.update(2, for: "a", over: 1).completed() == [2])
        let conflict = NATSError.revisionConflict(key: "a")
        #expect(throws: conflict) { try bucket.update(3, for: "a", over: 1).completed() }
        #expect(throws: conflict) { try bucket.delete("a", over: 1).completed() }
        #expect(try bucket.get("a").completed() == [Entry(key: "a", value: 2, revision: 2)])
        try bucket.delete("a", over: 2).completed()
        #expect(try bucket.get("a").completed() == [nil])
    }

    /// A cluster refuses a write while another one of the key is on its way. Only later ones tell whether that was stored.
    @Test func `A write on top of one that isn't decided is a conflict, and a group tries it again`() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        let (arrived, _) = connection.messages(on: "$KV.COUNTS.a").collected()
        try connection.flushed()
        let undecided = Data(#"{"error":{"code":400,"err_code":10164,"description":"wrong last sequence"}}"#.utf8)
        let (updated, _) = jetStream.bucket("COUNTS", as: .json(Int.self)).update(2, for: "a", over: 1).collected()
        try connection.publish(undecided, to: try arrived.values(1)[0].replySubject!)
        #expect(try updated.waitForEnd() == .revisionConflict(key: "a"))
        let (stored, _) = jetStream.persistently(jetStream.write(Data(), to: "$KV.COUNTS.a", over: 1)).collected()
        try connection.publish(undecided, to: try arrived.values(2)[1].replySubject!)
        let again = try arrived.values(3)[2]
        try connection.publish(Data(#"{"stream":"KV_COUNTS","seq":2}"#.utf8), to: again.replySubject!)
        #expect(try stored.waitForEnd() == nil && stored.values == [2])
    }

    @Test func `Of changes that several make at the same time, none is lost`() throws {
        let setup = try Setup()
        let bucket = setup.bucket
        let (writers, changes) = (4, 25)
        let starts = (0..<writers).map { _ in
            SignalProducer<Int, NATSError>(0..<changes)
                .flatMap(.concat) { _ in bucket.modify("a") { ($0 ?? 0) + 1 } }
                .collected().0
        }
        for start in starts { #expect(try start.waitForEnd() == nil) }
        #expect(try bucket.get("a").completed()[0]?.value == writers * changes)
        // Each has seen its own values grow, and no two have made the same.
        let values = starts.map { $0.values.compactMap(\.value) }
        #expect(values.allSatisfy { $0 == $0.sorted() })
        #expect(values.joined().sorted() == Array(1...writers * changes))
        #expect(try bucket.modify("a") { _ in nil }.completed().map(\.value) == [nil])
        #expect(try bucket.get("a").completed() == [nil])
        #expect(try bucket.modify("a") { ($0 ?? 0) + 1 }.completed().map(\.value) == [1])
    }

    @Test func `Illegal names, missing buckets and wrong payloads are errors`() throws {
        let setup = try Setup()
        for key in ["", "a b", "a.*", ">", "a..b", ".a", "a.", "ä", "$a"] {
            #expect("\(key)") {
                try setup.bucket.put(1, for: key).completed()
            } throws: { error in
                if case NATSError.invalidSubject = error { true } else { false }
            }
        }
        let missing = setup.connection.jetStream().bucket("MISSING", as: .json(Int.self))
        #expect(throws: NATSError.self) { try missing.get("a").completed() }
        #expect(throws: NATSError.self) { try missing.put(1, for: "a").completed() }
        try setup.put(text: "none", "a")
        #expect {
            try setup.bucket.get("a").completed()
        } throws: { error in
            if case NATSError.undecodable(subject: "$KV.COUNTS.a", sequence: 1, _) = error { true } else { false }
        }
    }

    // MARK: Watching

    @Test func `A watch sends what is there, says so, and sends each change`() throws {
        let setup = try Setup()
        for (key, value) in [("a", 1), ("b", 2), ("a", 3), ("c", 4)] { try setup.put(value, key) }
        try setup.bucket.delete("b").completed()
        let (watched, disposable) = setup.bucket.watch().collected()
        try watched.values(4)
        try setup.put(6, "b")
        try setup.bucket.delete("a").completed()
        #expect(
            try watched.values(6) == [
                .entry(Entry(key: "a", value: 3, revision: 3)), .entry(Entry(key: "c", value: 4, revision: 4)),
                .entry(Entry(key: "b", value: nil, revision: 5)), .current,
                .entry(Entry(key: "b", value: 6, revision: 6)), .entry(Entry(key: "a", value: nil, revision: 7)),
            ])
        disposable.dispose()
    }

    @Test func `A watch of an empty bucket is current at once, and a pattern sees its keys only`() throws {
        let setup = try Setup()
        let (all, everything) = setup.bucket.watch().collected()
        let (some, pattern) = setup.bucket.watch("orders.*").collected()
        let (key, one) = setup.bucket.watch("orders.ada").collected()
        #expect(try all.values(1) == [.current])
        #expect(try some.values(1) == [.current])
        #expect(try key.values(1) == [.current])
        try setup.put(1, "orders.ada")
        try setup.put(2, "orders.bob")
        try setup.put(3, "orders.ada.x")
        try setup.put(4, "orders.ada")
        let (first, second, fourth) = (
            NATSWatched.entry(Entry(key: "orders.ada", value: 1, revision: 1)),
            NATSWatched.entry(Entry(key: "orders.bob", value: 2, revision: 2)),
            NATSWatched.entry(Entry(key: "orders.ada", value: 4, revision: 4))
        )
        #expect(try some.values(4) == [.current, first, second, fourth])
        #expect(try key.values(3) == [.current, first, fourth])
        try all.values(5)
        #expect(try setup.bucket.entries("orders.*").completed().map(\.key) == ["orders.bob", "orders.ada"])
        #expect(try setup.bucket.entries("none.>").completed() == [])
        for disposable in [everything, pattern, one] { disposable.dispose() }
        let wrong = setup.bucket.watch("a..b").collected().0
        #expect(try wrong.waitForEnd() != nil)
    }

    @Test func `A property has the value of a key`() throws {
        let setup = try Setup()
        let values = setup.bucket.values(of: "limit")
        let (before, first) = values.collected()
        #expect(try before.values(1) == [nil])
        try setup.put(1, "limit")
        let limit = Property(initial: nil, then: values.flatMapError { _ in .never })
        try Wait.until("the property has it") { limit.value == 1 }
        try setup.put(2, "limit")
        try Wait.until("the property has the next") { limit.value == 2 }
        try setup.bucket.delete("limit").completed()
        try Wait.until("the property has none") { limit.value == nil }
        #expect(try before.values(4) == [nil, 1, 2, nil])
        first.dispose()
    }

    @Test func `What doesn't decode is left out and reported, or ends the watch`() throws {
        let setup = try Setup()
        try setup.put(text: "none", "a")
        try setup.put(1, "b")
        let failures = Collector<NATSError>()
        let reports = setup.connection.failures.promoteError(NATSError.self).observe(failures.observer)
        defer { reports?.dispose() }
        let (watched, disposable) = setup.bucket.watch().collected()
        #expect(try watched.values(2) == [.entry(Entry(key: "b", value: 1, revision: 2)), .current])
        #expect(failures.values.count == 1)
        disposable.dispose()
        let end = try setup.bucket.watch(undecodable: .fail).collected().0.waitForEnd()
        #expect(end != nil)
    }

    @Test func `A watch goes on behind a restart of the server, and each key's newest value comes`() throws {
        let setup = try Setup()
        let (watched, disposable) = setup.bucket.watch().collected()
        try watched.values(1)
        let (keys, changes) = (5, 40)
        for change in 0..<changes {
            if change == 10 || change == 25 {
                setup.server.kill()
                try setup.server.start()
            }
            for key in 0..<keys {
                try setup.bucket.put(change, for: "k\(key)")
                    .retry(upTo: 200, interval: .milliseconds(20), on: timers)
                    .completed()
            }
        }
        let entries = { watched.values.compactMap { if case .entry(let entry) = $0 { entry } else { nil } } }
        try Wait.until("the last value of each key has come; the end is \(String(describing: watched.end))") {
            let newest = Dictionary(entries().map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
            return newest.count == keys && newest.values.allSatisfy { $0 == changes - 1 }
        }
        let revisions = entries().map(\.revision)
        #expect(revisions == revisions.sorted() && Set(revisions).count == revisions.count)
        #expect(watched.values.count { $0 == .current } == 1)
        disposable.dispose()
    }

    private let timers = QueueScheduler(name: "bucket-tests")

    @Test func `A watch of a bucket that was made anew fails`() throws {
        let setup = try Setup()
        try setup.put(1, "a")
        let (watched, _) = setup.bucket.watch().collected()
        try watched.values(2)
        try setup.connection.jetStream().delete(stream: "KV_COUNTS").completed()
        try setup.declare()
        for value in 0..<5 { try setup.put(value, "a") }
        #expect(try watched.waitForEnd() == .streamReplaced("KV_COUNTS"))
    }
}
