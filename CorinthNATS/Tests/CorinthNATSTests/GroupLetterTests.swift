import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

/// What a group doesn't make a part of its state, and where it goes.
struct GroupLetterTests {
    private let subject = NATSPartitions.orders.subject(forKey: "a")

    private func publish(_ jetStream: JetStream, _ texts: [String]) throws {
        try SignalProducer<NATSOutgoing, NATSError>(texts.map { NATSOutgoing(Data($0.utf8), to: subject) })
            .published(to: jetStream).completed()
    }

    /// The messages of a stream, once there are so many.
    private func letters(_ jetStream: JetStream, _ stream: String, _ count: Int) throws -> [NATSDelivery] {
        try Wait.until("\(stream) has \(count) messages") {
            try jetStream.info(ofStream: stream).completed()[0].messages >= count
        }
        let consumer = NATSConsumer("reader-\(stream)", of: stream)
        try jetStream.declare(consumer).completed()
        return try jetStream.deliveries(of: consumer).take(first: count).completed()
    }

    /// A state of all numbers.
    private func numbered(
        by group: NATSGroup, _ jetStream: JetStream
    ) -> (Collector<NATSAggregated<[Int]>>, any Disposable) {
        jetStream.aggregate(.orders, as: CodecTests.Number(), by: { _ in "a" }, of: group, state: .json([Int].self)) {
            numbers, number in numbers = (numbers ?? []) + [number]
        }.collected()
    }

    /// Has a group handle a message. Returns what reads the head of its partition with the revision, and what writes it.
    private func handled(
        by group: NATSGroup, _ jetStream: JetStream
    ) throws -> (read: () throws -> (SnapshotStore.Head, UInt64), write: (SnapshotStore.Head, UInt64) throws -> Void) {
        let (states, disposable) = numbered(by: group, jetStream)
        try publish(jetStream, ["0"])
        try Wait.until("a state is stored; the end is \(String(describing: states.end))") { !states.values.isEmpty }
        disposable.dispose()
        let key = group.subject(of: NATSPartitions.orders.partition(ofKey: "a"))
        func read() throws -> (SnapshotStore.Head, UInt64) {
            let found = try jetStream.newest(key, in: group.bucket).completed()
            let value = try #require(found[0])
            return (try #require(SnapshotStore.Head(value.data)), value.revision)
        }
        return (read, { head, revision in try jetStream.write(head.data, to: key, over: revision).completed() })
    }

    @Test func `What doesn't decode and what is late is published, once, and before the position is stored`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        try jetStream.declare(NATSStream("LATE", subjects: ["late"])).completed()
        var group = NATSGroup.quick("windows", snapshotEvery: 3)
        group.deadLetters = "dead"
        group.lateOutput = "late"
        try publish(jetStream, ["1000", "none", "32503680000", "1001", "1020", "1002", "1021"])
        func run(_ connection: NATSConnection) -> (Collector<NATSAggregated<Int>>, any Disposable) {
            connection.jetStream().aggregate(
                .orders, as: CodecTests.Number(), by: { _ in "a" }, of: group, state: .json(Int.self),
                windows: NATSWindows(.seconds(10)), at: { number, _ in Date(timeIntervalSince1970: Double(number)) }
            ) { count, _ in count = (count ?? 0) + 1 }.collected()
        }
        let (states, disposable) = run(connection)
        let dead = try letters(jetStream, "DEAD", 2)
        #expect(dead.map { String(decoding: $0.data, as: UTF8.self) } == ["none", "32503680000"])
        #expect(dead.map { $0.message.header("Corinth-Stream-Sequence") } == ["2", "3"])
        #expect(dead.allSatisfy { $0.message.header("Corinth-Subject") == subject })
        #expect(dead[0].message.header("Corinth-Reason")?.contains("it is negative") == true)
        #expect(dead[1].message.header("Corinth-Reason")?.contains("32503680000") == true)
        let late = try letters(jetStream, "LATE", 1)
        #expect(late.map { String(decoding: $0.data, as: UTF8.self) } == ["1002"])
        try Wait.until("the first window is closed; the end is \(String(describing: states.end))") {
            states.values.contains { $0.kind == .closed && $0.state == 2 }
        }
        disposable.dispose()
        // The position is lost, so that all of it is handled again: the same letters, which have the same ids.
        try jetStream.call("STREAM.DELETE.KV_STATE").completed()
        try jetStream.declareGroups()
        let (again, _) = run(connection)
        try Wait.until("it is handled again") { again.values.contains { $0.kind == .closed && $0.state == 2 } }
        #expect(try jetStream.info(ofStream: "DEAD").completed()[0].messages == 2)
        #expect(try jetStream.info(ofStream: "LATE").completed()[0].messages == 1)
    }

    @Test func `A group whose letters nothing would store doesn't start`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        for change in [{ $0.deadLetters = "nowhere" }, { $0.lateOutput = "nowhere" }] as [(inout NATSGroup) -> Void] {
            var group = NATSGroup.quick("letters", snapshotEvery: 1)
            change(&group)
            let (numbers, _) = jetStream.observe(.orders, as: CodecTests.Number(), by: group) { $0 }.collected()
            #expect(try numbers.waitForEnd() == .invalidSubject("nowhere", reason: "no stream stores it"))
        }
    }

    /// Its workers don't come to storing anything behind it: their connections end.
    @Test func `A message of which workers die is set aside, and all others are counted once`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        var group = NATSGroup.quick("deadly", snapshotEvery: 5)
        group.deadLetters = "dead"
        // The first one, so that nothing before it is stored.
        let poison = 0
        try publish(jetStream, (0..<20).map { "\($0)" })
        let deaths = Corinth.Atomic(0)
        let all = Corinth.Atomic<[NATSAggregated<[Int]>]>([])
        for _ in 0..<10 {
            let connection = NATSConnection.to(server)
            let (states, disposable) = connection.jetStream().aggregate(
                .orders, as: CodecTests.Number(), by: { _ in "a" }, of: group, state: .json([Int].self)
            ) { numbers, number in
                if number == poison {
                    deaths.modify { $0 += 1 }
                    let isClosed = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async {
                        connection.close()
                        isClosed.signal()
                    }
                    // As if it came no further.
                    _ = isClosed.wait(timeout: .now() + 10)
                }
                numbers = (numbers ?? []) + [number]
            }.collected()
            try Wait.until("the worker has died, or has counted all") {
                states.end != nil || states.values.contains { $0.state?.last == 19 }
            }
            all.modify { $0 += states.values }
            if states.end == nil {
                disposable.dispose()
                break
            }
        }
        // Two in a row that have stored nothing, and two of it alone.
        #expect(deaths.value == 4)
        #expect(all.value.last?.state == (0..<20).filter { $0 != poison })
        let letter = try letters(jetStream, "DEAD", 1)[0]
        #expect(String(decoding: letter.data, as: UTF8.self) == "\(poison)")
        #expect(letter.message.header("Corinth-Reason") == "2 workers have died of it")
    }

    @Test func `A message from which no handler returns is set aside, and all others are counted`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        var group = NATSGroup.quick("stuck", snapshotEvery: 5)
        group.deadLetters = "dead"
        group.within = .milliseconds(300)
        try publish(jetStream, (0..<20).map { "\($0)" })
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        let (calls, isReleased) = (Corinth.Atomic(0), DispatchSemaphore(value: 0))
        let (states, disposable) = jetStream.aggregate(
            .orders, as: CodecTests.Number(), by: { _ in "a" }, of: group, state: .json([Int].self)
        ) { numbers, number in
            if number == 7 {
                calls.modify { $0 += 1 }
                isReleased.wait()
            }
            numbers = (numbers ?? []) + [number]
        }.collected()
        try Wait.until("all others are counted; the end is \(String(describing: states.end))") {
            states.values.last?.state?.last == 19
        }
        #expect(states.values.last?.state == (0..<20).filter { $0 != 7 })
        let letter = try letters(jetStream, "DEAD", 1)[0]
        #expect(String(decoding: letter.data, as: UTF8.self) == "7")
        let count = calls.value
        #expect(4...5 ~= count)
        let stuck = failures.values.filter { $0 == .stuck(subject: subject, sequence: 8) }
        #expect(stuck.count == count)
        // What they do afterwards is stored by nobody.
        for _ in 0..<count { isReleased.signal() }
        try publish(jetStream, ["20"])
        try Wait.until("the next one is counted") { states.values.last?.state?.last == 20 }
        #expect(states.values.last?.state == (0..<21).filter { $0 != 7 })
        disposable.dispose()
    }

    /// The last of them is being stored when the next ones come.
    @Test(arguments: 2...7)
    func `Messages that come while an owner takes care keep their order`(places: Int) throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        var group = NATSGroup.quick("careful", snapshotEvery: 2)
        group.places = places
        // As if owners had died.
        let (head, write) = try handled(by: group, jetStream)
        var (careful, revision) = try head()
        careful.claims = 5
        try write(careful, revision)
        let numbers = Array(0..<60)
        try publish(jetStream, numbers.dropFirst().map { "\($0)" })
        let (states, _) = numbered(by: group, jetStream)
        try Wait.until("all are in the state; the end is \(String(describing: states.end))") {
            states.values.last?.state?.count ?? 0 >= numbers.count
        }
        #expect(states.values.last?.state == numbers)
    }

    /// What it takes for a message that others have begun depends on whether they come back.
    @Test(arguments: [true, false])
    func `A message is set aside if those that have begun it are silent, and not if they were replaced`(silent: Bool)
        throws
    {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("DEAD", subjects: ["dead"])).completed()
        var group = NATSGroup.quick("suspects", snapshotEvery: 2)
        group.heartbeat = .milliseconds(200)
        group.deadLetters = "dead"
        let (head, write) = try handled(by: group, jetStream)
        try publish(jetStream, ["1", "2", "3"])
        var (suspicious, revision) = try head()
        suspicious.claims = 5
        suspicious.attempt = SnapshotStore.Head.Attempt(sequence: 2, owners: ["x", "y"])
        try write(suspicious, revision)
        let (states, _) = numbered(by: group, jetStream)
        if !silent {
            // It has claimed, and waits whether x and y come back. They do.
            try Wait.until("it has claimed") { try head().0.claims == 6 }
            var (claimed, revision) = try head()
            claimed.claim(by: "x")
            claimed.claim(by: "y")
            try write(claimed, revision)
        }
        let numbers = silent ? [0, 2, 3] : [0, 1, 2, 3]
        try Wait.until("the others are counted; the end is \(String(describing: states.end))") {
            states.values.last?.state?.last == 3
        }
        #expect(states.values.last?.state == numbers)
        #expect(try jetStream.info(ofStream: "DEAD").completed()[0].messages == (silent ? 1 : 0))
        #expect(connection.statistics.undecodable == (silent ? 1 : 0))
    }

    @Test func `The head says what its owners have begun, and versions without that read it`() throws {
        var head = SnapshotStore.Head(owner: "me", claims: 3)
        head.begin(17)
        head.claim(by: "you")
        head.begin(17)
        #expect(SnapshotStore.Head(head.data) == head)
        #expect(head.suspects(of: 17) == ["me", "you"] && head.suspects(of: 18) == [] && head.claims == 4)
        // It was replaced, and lives.
        head.claim(by: "me")
        #expect(head.suspects(of: 17) == ["you"])
        var old = try JSONValue(head.data).objectValue
        old["attemptedBy"] = nil
        old["attempts"] = .integer(2)
        #expect(SnapshotStore.Head(JSONValue.object(old).data)?.suspects(of: 17).count == 2)
        head.append(SnapshotStore.Snapshot(position: 18))
        #expect(head.claims == 0 && head.attempt == nil)
        #expect(SnapshotStore.Head(head.data) == head)
        let plain = try JSONValue(head.data).objectValue
        #expect(plain["claims"] == nil && plain["attempted"] == nil)
    }
}
