import Corinth
import CorinthNATSTesting
import CorinthTesting
import Foundation
import Testing

@testable import CorinthNATS

/// Windows that are as long as something is being done.
struct SessionTests {
    // MARK: The ranges alone

    /// Each date is a message of a key. Returns the sessions that aren't part of another one, and the dates that were late.
    private func sessions(
        of dates: [Int64], gap: Int64, lateness: Int64 = 1 << 40
    ) -> (all: [Range<Int64>: [Int64]], late: [Int64]) {
        var table = SessionTable(gap: gap)
        var found: [Int64: (session: Range<Int64>, dates: [Int64])] = [:]
        var late: [Int64] = []
        var newest = Int64.min
        for date in dates {
            newest = max(newest, date)
            let bound = newest - lateness
            guard let (session, joined) = table.add(date, to: "k", isOver: { $0 <= bound }) else {
                late.append(date)
                continue
            }
            let earlier = joined.compactMap { found.removeValue(forKey: $0.lowerBound) }
            #expect(earlier.map(\.session) == joined, "sessions join that are, in their order")
            #expect(earlier.allSatisfy { $0.session.upperBound > bound }, "none of them is closed")
            #expect(found[session.lowerBound] == nil, "no other session begins at \(session.lowerBound)")
            found[session.lowerBound] = (session, earlier.flatMap(\.dates) + [date])
        }
        return (Dictionary(uniqueKeysWithValues: found.values.map { ($0.session, $0.dates) }), late)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `In whatever order messages come, sessions are the same`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let gap = Int64.random(in: 1...20, using: &random)
            let dates = (0..<40).map { _ in Int64.random(in: -200...200, using: &random) }
            // Those of sorted dates are runs of them.
            var expected: [[Int64]] = []
            for date in dates.sorted() {
                if let last = expected.last?.last, date - last < gap {
                    expected[expected.count - 1].append(date)
                } else {
                    expected.append([date])
                }
            }
            let (found, late) = sessions(of: dates, gap: gap)
            #expect(late == [])
            #expect(found.values.map { $0.sorted() }.sorted { $0[0] < $1[0] } == expected)
            #expect(found.allSatisfy { $0.key == $0.value.min()!..<($0.value.max()! + gap) })
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `What is late is in none, and no two have the same beginning`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var count = 0
        for _ in 0..<50 {
            let gap = Int64.random(in: 1...10, using: &random)
            let lateness = Int64.random(in: 0...10, using: &random)
            let dates = (0..<60).map { Int64($0) + Int64.random(in: -30...3, using: &random) }
            let (found, late) = sessions(of: dates, gap: gap, lateness: lateness)
            #expect((found.values.flatMap { $0 } + late).sorted() == dates.sorted())
            count += late.count
        }
        #expect(count > 0)
    }

    @Test func `A late message is a part of a session that it is within, and doesn't let one begin earlier`() {
        // 30 has closed what ends until 20. The session from 0 isn't over.
        let within = sessions(of: [0, 8, 16, 24, 30, 5], gap: 10, lateness: 10)
        #expect(within.all == [0..<40: [0, 8, 16, 24, 30, 5]] && within.late == [])
        // 8 is near to the session from 12, and a session of its own would be closed.
        let before = sessions(of: [12, 28, 8], gap: 10, lateness: 10)
        #expect(before.all == [12..<22: [12], 28..<38: [28]] && before.late == [8])
        // 9 wouldn't.
        let open = sessions(of: [12, 28, 9], gap: 10, lateness: 10)
        #expect(open.all == [9..<22: [12, 9], 28..<38: [28]] && open.late == [])
    }

    @Test func `A session is stored with its end`() throws {
        let record = StateRecord(kind: .live, window: -5, end: 17, key: "k", state: Data("s".utf8))
        var found: [StateRecord] = []
        try StateRecord.read(record.data + StateRecord(kind: .live, window: 1, key: "k", state: Data()).data) {
            record, _ in
            found.append(record)
        }
        #expect(found.map(\.window) == [-5, 1] && found.map(\.end) == [17, nil])
        #expect(found[0].range(nil) == Date(timeIntervalSince1970: -0.005)..<Date(timeIntervalSince1970: 0.017))
        var damaged = record
        damaged.end = -6
        #expect(throws: StateRecord.Damaged.self) { try StateRecord.read(damaged.data) { _, _ in } }
    }

    // MARK: In a group

    private let group = NATSGroup.quick("visits", snapshotEvery: 3)

    /// Counts the seconds of a session. A negative one removes the session that it is within.
    private func start(
        _ jetStream: JetStream, _ sessions: NATSSessions,
        outputs: (@Sendable (NATSAggregated<[Int]>) -> [NATSOutgoing])? = nil
    ) -> (Collector<NATSAggregated<[Int]>>, any Disposable) {
        let date = { @Sendable (second: Int, _: NATSDelivery) in Date(timeIntervalSince1970: Double(abs(second))) }
        return jetStream.aggregate(
            .orders, as: .json(Int.self), by: { _ in "k" }, of: group, state: .json([Int].self), sessions: sessions,
            at: date, outputs: outputs, merging: { $0.append(contentsOf: $1) }
        ) { (counted: inout [Int]?, second: Int) in
            counted = second < 0 ? nil : (counted ?? []) + [second]
        }
        .collected()
    }

    private func send(_ jetStream: JetStream, _ seconds: Int...) throws {
        let subject = NATSPartitions.orders.subject(forKey: "k")
        try SignalProducer<NATSOutgoing, NATSError>(
            seconds.map { NATSOutgoing(Data("\($0)".utf8), to: subject) }
        )
        .published(to: jetStream, limit: 1).completed()
    }

    /// The last that was sent of each session: its beginning and its end, in seconds, with its state.
    private func last(
        _ kind: NATSAggregated<[Int]>.Kind, _ states: Collector<NATSAggregated<[Int]>>
    ) -> [Int: [Int]] {
        var last: [Int: NATSAggregated<[Int]>] = [:]
        for value in states.values {
            guard let window = value.window else { continue }
            last[Int(window.lowerBound.timeIntervalSince1970)] = value
        }
        return last.filter { $0.value.kind == kind }.compactMapValues { value in
            value.state.map { $0 + [Int(value.window!.upperBound.timeIntervalSince1970)] }
        }
    }

    @Test func `Sessions grow, are joined, and are closed, also by the next worker`() throws {
        let server = try NATSTestServer(jetStream: true)
        let connection = NATSConnection.to(server)
        let jetStream = connection.jetStream()
        try jetStream.declareGroups()
        let sessions = NATSSessions(gap: .seconds(10), lateness: .seconds(15))
        let first = start(jetStream, sessions)
        try send(jetStream, 100, 105, 118, 103)
        try Wait.until("two sessions are open") { first.0.values.last?.sequence == 4 }
        #expect(last(.changed, first.0) == [100: [100, 105, 103, 115], 118: [118, 128]])
        first.1.dispose()
        let second = start(jetStream, sessions)
        // 112 is near to both, and 94 to the one that they are.
        try send(jetStream, 112, 94)
        try Wait.until("they are one") { second.0.values.last?.sequence == 6 }
        #expect(last(.changed, second.0) == [94: [100, 105, 103, 118, 112, 94, 128]])
        for begin in [100.0, 118] {
            let before = second.0.values.last { $0.window?.lowerBound.timeIntervalSince1970 == begin }
            #expect(before?.kind == .closed && before?.state == nil)
        }
        let read = try jetStream.states(of: group, over: .orders, state: .json([Int].self)).completed()
        #expect(
            read.filter { $0.state != nil }.map(\.window) == [
                Date(timeIntervalSince1970: 94)..<Date(timeIntervalSince1970: 128)
            ])
        second.1.dispose()
        let third = start(jetStream, sessions)
        // 143 closes it, so 120 begins another one, and 100 is late. -150 removes the one of 143, and closes that of 120.
        try send(jetStream, 143, 120, 100, -150)
        try Wait.until("all is stored") { third.0.values.last?.sequence == 10 }
        #expect(last(.closed, third.0) == [94: [100, 105, 103, 118, 112, 94, 128], 120: [120, 130]])
        #expect(connection.statistics.late == 1)
        let removed = third.0.values.last { $0.window?.lowerBound.timeIntervalSince1970 == 143 }
        #expect(removed?.kind == .closed && removed?.state == nil)
        try send(jetStream, 155, 190)
        try Wait.until("155 is over") { last(.closed, third.0)[155] != nil }
        #expect(last(.closed, third.0)[155] == [155, 165])
        third.1.dispose()
    }

    @Test func `A session that is closed leads to one output, whoever closes it`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        try jetStream.declare(NATSStream("CLOSED", subjects: ["closed"])).completed()
        func run() -> (Collector<NATSAggregated<[Int]>>, any Disposable) {
            start(NATSConnection.to(server).jetStream(), NATSSessions(gap: .seconds(10), lateness: .seconds(10))) {
                change in
                guard change.kind == .closed, let state = change.state else { return [] }
                return [NATSOutgoing(Data("\(state)".utf8), to: "closed")]
            }
        }
        try send(jetStream, 1000, 1015, 1008, 1024, 1040, 1045, 1070, 1100, 1101, 1200)
        let closed = ["[1000, 1015, 1008, 1024]", "[1040, 1045]", "[1070]", "[1100, 1101]"]
        for _ in 0..<2 {
            let (states, disposable) = run()
            try Wait.until("all are closed; the end is \(String(describing: states.end))") {
                last(.closed, states).count == closed.count
            }
            disposable.dispose()
            // All of it is handled again.
            try jetStream.call("STREAM.DELETE.KV_STATE").completed()
            try jetStream.declareGroups()
        }
        let consumer = NATSConsumer("reader", of: "CLOSED")
        try jetStream.declare(consumer).completed()
        #expect(try jetStream.info(ofStream: "CLOSED").completed()[0].messages == closed.count)
        let stored = try jetStream.deliveries(of: consumer).take(first: closed.count).completed()
        #expect(stored.map { String(decoding: $0.data, as: UTF8.self) } == closed)
    }

    @Test func `If they are to, sessions end without messages`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        let (states, disposable) = start(jetStream, NATSSessions(gap: .seconds(2), idleAfter: .seconds(1)))
        try send(jetStream, 1, 2)
        try Wait.until("it is closed") { last(.closed, states) == [1: [1, 2, 4]] }
        disposable.dispose()
    }

    @Test func `Workers with another gap, with windows, or without, are refused`() throws {
        let server = try NATSTestServer(jetStream: true)
        let jetStream = NATSConnection.to(server).jetStream()
        try jetStream.declareGroups()
        let (states, disposable) = start(jetStream, NATSSessions(gap: .seconds(2)))
        try send(jetStream, 1)
        try Wait.until("the group is made") { !states.values.isEmpty }
        disposable.dispose()
        guard case .drifted(_, let gap) = try start(jetStream, NATSSessions(gap: .seconds(3))).0.waitForEnd() else {
            Issue.record("another gap is accepted")
            return
        }
        #expect(gap.map(\.setting) == ["session"])
        for (windows, settings) in [(NATSWindows(.seconds(10)), ["session", "step", "window"]), (nil, ["session"])] {
            let (states, _) = jetStream.aggregate(
                .orders, as: .text, by: { $0 }, of: group, state: .json(Int.self), windows: windows
            ) { $0 = ($0 ?? 0) + $1.count }.collected()
            guard case .drifted(_, let shape) = try states.waitForEnd() else {
                Issue.record("\(String(describing: windows)) is accepted")
                return
            }
            #expect(shape.map(\.setting) == settings)
        }
    }
}
