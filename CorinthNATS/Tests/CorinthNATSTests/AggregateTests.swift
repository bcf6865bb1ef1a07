import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

struct AggregateTests {
    /// What a key has seen: each number once, in order, if the aggregate keeps its promise.
    struct Tally: Codable, Equatable, Sendable {
        var count = 0
        var sum = 0
        var isOrdered = true

        mutating func add(_ number: Int) {
            isOrdered = isOrdered && number == count
            count += 1
            sum += number
        }

        /// The tally of the numbers from 0.
        init(_ count: Int = 0) {
            for number in 0..<count { add(number) }
        }
    }

    let partitions = NATSPartitions.orders
    let totals = NATSGroup.quick("totals", snapshotEvery: 50)

    /// Publishes numbers from `first` on, for each of some keys.
    func publish(_ jetStream: JetStream, keys: Int, _ numbers: Range<Int>) throws {
        try SignalProducer<NATSOutgoing, NATSError>(
            numbers.flatMap { number in
                (0..<keys).map { key in
                    NATSOutgoing(
                        Data("\(key) \(number)".utf8), to: partitions.subject(forKey: "\(key)"), id: "\(key) \(number)")
                }
            }
        )
        .published(to: jetStream).completed()
    }

    func start(
        _ connection: NATSConnection, _ group: NATSGroup? = nil, applied: Corinth.Atomic<Int> = Atomic(0),
        undecodable: UndecodablePolicy = .fail
    ) -> (Collector<NATSAggregated<Tally>>, any Disposable) {
        connection.jetStream().aggregate(
            partitions, as: .text, by: { String($0.split(separator: " ")[0]) }, of: group ?? totals,
            state: .json(Tally.self), undecodable: undecodable
        ) { tally, text in
            applied.modify { $0 += 1 }
            tally = tally ?? Tally()
            tally?.add(Int(text.split(separator: " ")[1]) ?? -1)
        }
        .collected()
    }

    /// The newest state of each key in some workers' output.
    func newest(_ workers: [Collector<NATSAggregated<Tally>>]) -> [String: Tally] {
        var found: [String: NATSAggregated<Tally>] = [:]
        for value in workers.flatMap(\.values) where (found[value.key]?.sequence ?? 0) <= value.sequence {
            found[value.key] = value
        }
        return found.compactMapValues(\.state)
    }

    func expect(_ count: Int, keys: Int, in workers: Collector<NATSAggregated<Tally>>...) throws {
        let wanted = Dictionary(uniqueKeysWithValues: (0..<keys).map { ("\($0)", Tally(count)) })
        try Wait.until(
            "each of \(keys) keys has \(count); there is \(newest(workers)), the ends are \(workers.map(\.end))"
        ) { newest(workers) == wanted }
    }

    /// A worker that starts again goes on where it was, and applies again only what wasn't stored.
    @Test func goesOn() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups()
        let applied = Atomic(0)
        for round in 1...3 {
            let (states, disposable) = start(connection, applied: applied)
            try publish(connection.jetStream(), keys: 10, (100 * round - 100)..<(100 * round))
            try expect(100 * round, keys: 10, in: states)
            disposable.dispose()
            let kinds = Set(states.values.map(\.kind))
            #expect(kinds == (round == 1 ? [.changed] : [.restored, .changed]))
        }
        // All was stored before each end.
        #expect(applied.value == 3000)
    }

    /// Draining stores what was handled and sends it, and the next worker begins at once: nothing is applied twice.
    @Test(arguments: [1, 3])
    func drainingStores(_ workers: Int) throws {
        let server = try NATSTestServer(jetStream: true)
        let sender = NATSConnection.to(server)
        try sender.jetStream().declareGroups()
        // It stores by itself only in an hour, and others take over by themselves only after five.
        var group = NATSGroup.quick("totals", snapshotEvery: 1_000_000)
        group.snapshotWithin = .seconds(3600)
        let applied = Atomic(0)
        let connections = (0..<workers).map { _ in NATSConnection.to(server) }
        let first = connections.map { start($0, group, applied: applied) }
        try publish(sender.jetStream(), keys: 10, 0..<100)
        try Wait.until("all are applied; \(applied.value) are") { applied.value == 1000 }
        #expect(first.allSatisfy { $0.0.values.isEmpty })
        let next = start(sender, group, applied: applied)
        for (connection, worker) in zip(connections, first) {
            let (closed, _) = connection.drain(within: .seconds(60)).collected()
            #expect(connection.state.value == .draining || connection.state.value == .closed(nil))
            #expect(try closed.waitForEnd() == nil)
            #expect(try worker.0.waitForEnd() == nil && worker.0.end?.isCompleted == true)
        }
        // Each state was sent by the worker that has stored it, and is read by the next one.
        let stored = Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", Tally(100)) })
        try Wait.until("the next worker has read all states") { newest([next.0]) == stored }
        #expect(newest(first.map(\.0)) == stored)
        #expect(next.0.values.allSatisfy { $0.kind == .restored })
        #expect(applied.value == 1000)
        next.1.dispose()
    }

    /// A drain whose time is up before the states are stored closes the connection nevertheless.
    @Test func drainingHasADeadline() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups()
        var group = totals
        group.snapshotWithin = .seconds(3600)
        group.snapshotEvery = 1_000_000
        let applied = Atomic(0)
        let (states, _) = start(connection, group, applied: applied)
        try publish(connection.jetStream(), keys: 10, 0..<10)
        try Wait.until("all are applied; \(applied.value) are") { applied.value == 100 }
        server.pause()
        let (closed, _) = connection.drain(within: .milliseconds(200)).collected()
        #expect(try closed.waitForEnd() == nil)
        #expect(try states.waitForEnd() == nil)
        server.resume()
    }

    /// Workers come and go: each partition has one at a time, and nothing is applied twice.
    @Test func workersShare() throws {
        let server = try NATSTestServer(jetStream: true)
        let connections = (0..<3).map { _ in NATSConnection.to(server) }
        try connections[0].jetStream().declareGroups()
        let first = start(connections[0])
        try publish(connections[0].jetStream(), keys: 20, 0..<20)
        try expect(20, keys: 20, in: first.0)
        // One more worker gets half of the partitions.
        let second = start(connections[1])
        try Wait.until("the second worker has two partitions") {
            Set(second.0.values.filter { $0.kind == .restored }.map(\.partition)).count == 2
        }
        try publish(connections[0].jetStream(), keys: 20, 20..<40)
        try expect(40, keys: 20, in: first.0, second.0)
        // One disappears without a word, and one goes.
        connections[0].close()
        #expect(try first.0.waitForEnd() == nil)
        let third = start(connections[2])
        try publish(connections[1].jetStream(), keys: 20, 40..<60)
        try expect(60, keys: 20, in: second.0, third.0)
        second.1.dispose()
        try publish(connections[2].jetStream(), keys: 20, 60..<80)
        try expect(80, keys: 20, in: second.0, third.0)
        #expect(Set(third.0.values.map(\.partition)).count == 4)
        third.1.dispose()
    }

    /// Workers that can't hear each other both believe that they have all partitions. What they store is right nevertheless.
    @Test func replacedWorkersStoreNothing() throws {
        let server = try NATSTestServer(
            jetStream: true,
            configuration: """
                authorization { users: [
                    { user: all, password: all },
                    { user: deaf, password: deaf, permissions: {
                        publish: { deny: "_CORINTH.>" }, subscribe: { deny: "_CORINTH.>" } } } ] }
                """)
        func connect(_ user: String) -> NATSConnection {
            NATSConnection.to(server) { $0.credentials = .user(user, password: user) }
        }
        let connections = ["deaf", "deaf", "all"].map { connect($0) }
        try connections[2].jetStream().declareGroups()
        let applied = Atomic(0)
        let workers = connections.prefix(2).map { start($0, applied: applied) }
        /// Whether a worker has read the state of a key twice: it was replaced, and has taken over again.
        func wasReplaced(_ worker: Collector<NATSAggregated<Tally>>) -> Bool {
            let restored = worker.values.filter { $0.kind == .restored }.map(\.key)
            return Set(restored).count < restored.count
        }
        var rounds = 0
        while rounds < 10 || !workers.allSatisfy({ wasReplaced($0.0) }) {
            try publish(connections[2].jetStream(), keys: 10, (rounds * 20)..<(rounds * 20 + 20))
            rounds += 1
            try expect(20 * rounds, keys: 10, in: workers[0].0, workers[1].0)
            if rounds == 200 {
                Issue.record("no worker was replaced")
                break
            }
        }
        // Some messages were applied by both.
        #expect(applied.value > rounds * 200)
        for worker in workers { worker.1.dispose() }
    }

    /// The server dies and comes back.
    @Test func survivesTheServer() throws {
        let server = try NATSTestServer(jetStream: true)
        let (sender, worker) = (NATSConnection.to(server), NATSConnection.to(server))
        try sender.jetStream().declareGroups()
        let (states, disposable) = start(worker)
        for round in 0..<4 {
            try publish(sender.jetStream(), keys: 10, (round * 50)..<(round * 50 + 50))
            if round < 3 {
                server.kill()
                try server.start()
                try sender.wait(for: .connected)
            }
        }
        try expect(200, keys: 10, in: states)
        disposable.dispose()
    }

    /// The server is gone for good: a typed failure after the stated time.
    @Test func failsWithoutTheServer() throws {
        let server = try NATSTestServer(jetStream: true)
        let worker = NATSConnection.to(server) { $0.reconnection.giveUpAfter = .milliseconds(500) }
        try worker.jetStream().declareGroups()
        let (states, _) = start(worker)
        try publish(worker.jetStream(), keys: 10, 0..<10)
        try expect(10, keys: 10, in: states)
        server.kill()
        guard case .unreachable = try states.waitForEnd() else {
            Issue.record("the end is \(String(describing: states.end))")
            return
        }
    }

    /// An observer that stalls: the worker fetches no more than it has places for, and the publisher isn't held up.
    @Test func slowObserver() throws {
        let server = try NATSTestServer(jetStream: true)
        let connections = (0..<2).map { _ in NATSConnection.to(server) }
        try connections[0].jetStream().declareGroups()
        var group = totals
        group.places = 8
        group.snapshotEvery = 1
        let applied = Atomic(0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let (states, disposable) = connections[0].jetStream().aggregate(
            partitions, as: .text, by: { String($0.split(separator: " ")[0]) }, of: group, state: .json(Tally.self)
        ) { tally, text in
            if applied.modify({
                $0 += 1; return $0
            }) == 1 {
                entered.signal()
                mayGoOn.wait()
            }
            tally = tally ?? Tally()
            tally?.add(Int(text.split(separator: " ")[1]) ?? -1)
        }
        .collected()
        // All of one key, and so of one partition.
        try publish(connections[1].jetStream(), keys: 1, 0..<500)
        #expect(entered.wait(timeout: .now() + Wait.seconds) == .success)
        // All are stored, and the worker receives no more than its places, also when the server has been silent for some seconds.
        let (beats, _) = connections[1].messages(on: "_CORINTH.groups.STATE.totals").collected()
        try beats.values(90)
        try connections[0].flushed()
        let info = try connections[1].jetStream().info(ofStream: "ORDERS").completed()[0]
        #expect(info.consumers == 4)
        let received = connections[0].statistics.messagesIn
        try beats.values(120)
        try connections[0].flushed()
        // Heartbeats of the worker itself, and of the other partitions' consumers.
        #expect(connections[0].statistics.messagesIn - received <= 30 + 3 * 10)
        #expect(applied.value == 1)
        mayGoOn.signal()
        try expect(500, keys: 1, in: states)
        disposable.dispose()
    }

    /// A state that is larger than a message.
    @Test func largeStates() throws {
        let server = try NATSTestServer(jetStream: true, configuration: "max_payload: 4096")
        let connection = NATSConnection.to(server)
        try connection.jetStream().declareGroups()
        let (states, disposable) = start(connection)
        try publish(connection.jetStream(), keys: 300, 0..<3)
        try expect(3, keys: 300, in: states)
        disposable.dispose()
        let again = start(connection)
        try again.0.values(300)
        #expect(again.0.values.allSatisfy { $0.kind == .restored && $0.state == Tally(3) })
        // The states of earlier workers are deleted: a head and some parts for each partition stay.
        try publish(connection.jetStream(), keys: 300, 3..<4)
        try expect(4, keys: 300, in: again.0)
        try Wait.until("what isn't used any more is deleted") {
            let parts = try connection.jetStream().info(ofStream: "KV_STATE").completed()[0].bytes
            return parts < 4 * 2 * 75 * 150
        }
        again.1.dispose()
    }

    /// A key is removed by setting its state to nil.
    @Test func removes() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        let partitions = partitions
        let producer = jetStream.aggregate(
            partitions, as: .text, by: { String($0.prefix(1)) }, of: totals, state: .text
        ) { state, text in state = text.hasSuffix("-") ? nil : text }
        func send(_ texts: String...) throws {
            try SignalProducer<NATSOutgoing, NATSError>(
                texts.map { NATSOutgoing(Data($0.utf8), to: partitions.subject(of: "a")) }
            )
            .published(to: jetStream, limit: 1).completed()
        }
        let (states, disposable) = producer.collected()
        try send("a1", "b1")
        try Wait.until("both are there") { Set(states.values.map(\.key)) == ["a", "b"] }
        try send("a-")
        try Wait.until("a is removed") {
            states.values.contains { $0.key == "a" && $0.state == nil && $0.kind == .closed }
        }
        try send("b2")
        try Wait.until("b has changed") { states.values.last?.state == "b2" }
        disposable.dispose()
        let again = producer.collected()
        try Wait.until("b is restored alone") { again.0.values.map(\.state) == ["b2"] }
        again.1.dispose()
    }

    /// Windows by the date of the event: closed by later events, the same after a restart; what is too late is counted.
    @Test func windows() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let partitions = partitions
        let producer = jetStream.aggregate(
            partitions, as: CodecTests.Number(), by: { _ in "k" }, of: totals, state: .json([Int].self),
            windows: NATSWindows(.seconds(10), lateness: .seconds(5)),
            at: { second, _ in Date(timeIntervalSince1970: Double(second)) }
        ) { $0 = ($0 ?? []) + [$1] }
        func send(_ seconds: Int...) throws {
            try SignalProducer<NATSOutgoing, NATSError>(
                seconds.map { NATSOutgoing(Data("\($0)".utf8), to: partitions.subject(of: "k")) }
            )
            .published(to: jetStream, limit: 1).completed()
        }
        func closed(_ states: Collector<NATSAggregated<[Int]>>) -> [Int: [Int]] {
            states.values.filter { $0.kind == .closed }.reduce(into: [:]) {
                $0[Int($1.window!.lowerBound.timeIntervalSince1970)] = $1.state
            }
        }
        let first = producer.collected()
        try send(1, 12, 9, 3)
        try Wait.until("both windows are open") { first.0.values.last?.sequence == 4 }
        #expect(closed(first.0) == [:])
        first.1.dispose()
        let second = producer.collected()
        // 15 closes the first window, and 8 is too late for it.
        try send(15, 8, 19, 31)
        try Wait.until("two windows are closed") { closed(second.0).count == 2 }
        #expect(closed(second.0) == [0: [1, 9, 3], 10: [12, 15, 19]])
        #expect(connection.statistics.late == 1)
        second.1.dispose()
    }

    /// Windows that overlap.
    @Test func slidingWindows() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        let partitions = partitions
        let (states, disposable) = jetStream.aggregate(
            partitions, as: CodecTests.Number(), by: { _ in "k" }, of: totals, state: .json([Int].self),
            windows: NATSWindows(.seconds(10), every: .seconds(4)),
            at: { second, _ in Date(timeIntervalSince1970: Double(second)) }
        ) { $0 = ($0 ?? []) + [$1] }.collected()
        try SignalProducer<NATSOutgoing, NATSError>(
            [8, 11, 100].map { NATSOutgoing(Data("\($0)".utf8), to: partitions.subject(of: "k")) }
        )
        .published(to: jetStream, limit: 1).completed()
        try Wait.until("the windows of 8 and 11 are closed") { states.values.filter { $0.kind == .closed }.count == 3 }
        let closed = states.values.filter { $0.kind == .closed }.reduce(into: [Int: [Int]]()) {
            $0[Int($1.window!.lowerBound.timeIntervalSince1970)] = $1.state
        }
        #expect(closed == [0: [8], 4: [8, 11], 8: [8, 11]])
        disposable.dispose()
    }

    @Test func `If it is to, time goes on without messages, and stays so after a restart`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let partitions = partitions
        func run(_ name: String, idleAfter: Duration?) -> (Collector<NATSAggregated<[Int]>>, any Disposable) {
            jetStream.aggregate(
                partitions, as: CodecTests.Number(), by: { _ in "k" }, of: .quick(name, snapshotEvery: 1),
                state: .json([Int].self), windows: NATSWindows(.seconds(2), idleAfter: idleAfter),
                at: { second, _ in Date(timeIntervalSince1970: Double(second)) }
            ) { $0 = ($0 ?? []) + [$1] }.collected()
        }
        func send(_ second: Int) throws {
            try jetStream.publish(NATSOutgoing(Data("\(second)".utf8), to: partitions.subject(of: "k"))).completed()
        }
        func closed(_ states: Collector<NATSAggregated<[Int]>>) -> [[Int]] {
            states.values.filter { $0.kind == .closed }.compactMap(\.state)
        }
        let (waiting, going) = (run("waiting", idleAfter: nil), run("going", idleAfter: .seconds(1)))
        try send(1)
        try Wait.until("its window is closed") { closed(going.0) == [[1]] }
        going.1.dispose()
        // The date is stored with the states.
        let again = run("going", idleAfter: .seconds(1))
        try send(1)
        try send(6)
        try Wait.until("the window of 6 is closed") { closed(again.0).contains([6]) }
        #expect(!closed(again.0).contains { $0 == [1, 1] })
        #expect(connection.statistics.late == 1)
        // 6 has closed it.
        try Wait.until("the other group has closed its first window") { !closed(waiting.0).isEmpty }
        #expect(closed(waiting.0) == [[1, 1]])
        for disposable in [waiting.1, again.1] { disposable.dispose() }
    }

    @Test func `A server that says nothing doesn't let time go on`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let partitions = partitions
        let (states, disposable) = jetStream.aggregate(
            partitions, as: CodecTests.Number(), by: { _ in "k" }, of: .quick("idle", snapshotEvery: 1),
            state: .json([Int].self), windows: NATSWindows(.seconds(2), idleAfter: .seconds(5)),
            at: { second, _ in Date(timeIntervalSince1970: Double(second)) }
        ) { $0 = ($0 ?? []) + [$1] }.collected()
        func send(_ second: Int) throws {
            try jetStream.publish(NATSOutgoing(Data("\(second)".utf8), to: partitions.subject(of: "k"))).completed()
        }
        try send(1)
        try Wait.until("it is stored") { states.values.last?.state == [1] }
        server.pause()
        Thread.sleep(forTimeInterval: 6)
        server.resume()
        // Long enough for the server to say that there is nothing.
        Thread.sleep(forTimeInterval: 1.5)
        try send(1)
        try Wait.until("it isn't late") { states.values.last?.state == [1, 1] || connection.statistics.late > 0 }
        #expect(connection.statistics.late == 0)
        disposable.dispose()
    }

    // MARK: Bad input

    struct Broken: NATSCodec {
        struct Failure: Error, CustomStringConvertible { let description = "it is broken" }
        var breaks = "1"
        func encode(_ value: String) -> Data { Data(value.utf8) }
        func decode(_ payload: Data) throws -> String {
            let text = String(decoding: payload, as: UTF8.self)
            if text == breaks { throw Failure() }
            return text
        }
    }

    @Test func undecodableStates() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let partitions = partitions
        func start(_ undecodable: UndecodablePolicy) -> (Collector<NATSAggregated<String>>, any Disposable) {
            jetStream.aggregate(
                partitions, as: .text, by: { $0 }, of: totals, state: Broken(), undecodable: undecodable
            ) { state, _ in state = "\((state.flatMap { Int($0) } ?? 0) + 1)" }.collected()
        }
        func send(_ texts: String...) throws {
            try SignalProducer<NATSOutgoing, NATSError>(
                texts.map { NATSOutgoing(Data($0.utf8), to: partitions.subject(of: "a")) }
            )
            .published(to: jetStream, limit: 1).completed()
        }
        let first = start(.fail)
        try send("a", "b", "b")
        try Wait.until("all are stored") { first.0.values.last?.sequence == 3 }
        first.1.dispose()
        let failing = start(.fail)
        let error = try failing.0.waitForEnd()
        guard case .undecodable("$KV.STATE.totals.\(partitions.partition(ofKey: "a"))", _, let reason) = error else {
            Issue.record("the error is \(String(describing: error))")
            return
        }
        #expect(reason == "the state of 'a' doesn't decode: it is broken")
        let skipping = start(.skip)
        try Wait.until("b is restored alone") { skipping.0.values.map(\.key) == ["b"] }
        try send("a", "a")
        try Wait.until("a begins anew") { skipping.0.values.last { $0.key == "a" }?.state == "2" }
        skipping.1.dispose()
        #expect(connection.statistics.undecodable == 2)
    }

    @Test func refusals() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        // No stream.
        guard case .jetStream(10059, _) = try start(connection).0.waitForEnd() else {
            Issue.record("a missing stream is accepted")
            return
        }
        var stream = NATSStream("ORDERS", subjects: ["orders.>"])
        stream.retention = .workQueue
        try jetStream.declare(stream).completed()
        guard case .drifted("the stream ORDERS", let drifts) = try start(connection).0.waitForEnd() else {
            Issue.record("a work queue is accepted")
            return
        }
        #expect(drifts.map(\.setting) == ["retention"])
        try jetStream.delete(stream: "ORDERS").completed()
        stream.retention = .limits
        try jetStream.declare(stream).completed()
        // No bucket.
        guard case .jetStream(10059, _) = try start(connection).0.waitForEnd() else {
            Issue.record("a missing bucket is accepted")
            return
        }
        var illegal = totals
        illegal.name = "a b"
        guard case .invalidSubject("a b", _) = try start(connection, illegal).0.waitForEnd() else {
            Issue.record("an illegal name is accepted")
            return
        }
        // A head that something else has written.
        try jetStream.declare(NATSStream.bucket("STATE")).completed()
        let damaged = [
            "x", "{}",
            #"{"version":2,"position":-1,"epoch":1,"commit":1,"chunks":1,"bytes":0,"owner":"a"}"#,
            #"{"version":2,"position":1,"epoch":1,"commit":1,"chunks":0,"bytes":7,"owner":"a"}"#,
        ]
        for head in damaged {
            try jetStream.publish(NATSOutgoing(Data(head.utf8), to: "$KV.STATE.totals.0")).completed()
            guard case .undecodable("$KV.STATE.totals.0", _, _) = try start(connection).0.waitForEnd() else {
                Issue.record("a damaged head is accepted: \(head)")
                return
            }
        }
    }
}

extension NATSPartitions {
    func subject(of key: String) -> String { subject(forKey: key) }
}
