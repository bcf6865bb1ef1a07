import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

struct SubjectTests {
    private func texts(_ collector: Collector<NATSMessage>, _ count: Int) throws -> [String] {
        try collector.values(count).map { "\($0.subject) \(String(decoding: $0.data, as: UTF8.self))" }
    }

    @Test func wildcardsAndPayloads() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (one, _) = connection.messages(on: "a.*").collected()
        let (all, _) = connection.messages(on: "a.>").collected()
        try connection.flushed()
        try connection.publish(Data("1".utf8), to: "a.b")
        try connection.publish([UInt8]("2".utf8), to: "a.b.c")
        try connection.publish(Data(), to: "a.d", headers: ["Trace": "7", "Other": "a: b"], replyTo: "answers")
        #expect(try texts(all, 3) == ["a.b 1", "a.b.c 2", "a.d "])
        #expect(try texts(one, 2) == ["a.b 1", "a.d "])
        let last = all.values[2]
        #expect(last.count == 0)
        #expect(last.replySubject == "answers")
        #expect(last.header("Trace") == "7")
        #expect(last.header("trace") == nil)
        #expect(Set(last.headers.fields.map(\.name)) == ["Trace", "Other"])
        #expect(all.values[0].headers.isEmpty)
        // A message is a payload, too.
        let (copy, _) = connection.messages(on: "copy").collected()
        try connection.flushed()
        try connection.publish(all.values[1], to: "copy")
        #expect(try texts(copy, 1) == ["copy 2"])
    }

    /// The payload isn't copied, and outlives its message.
    @Test func dataOwnsItsMessage() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let payload = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let (datas, disposable) = connection.messages(on: "big").map { message in
            let data = message.data
            let isSame = unsafe message.withUnsafeBytes { inner in
                unsafe data.withUnsafeBytes { unsafe $0.baseAddress == inner.baseAddress }
            }
            #expect(isSame)
            return data
        }.collected()
        try connection.flushed()
        try connection.publish(payload, to: "big")
        #expect(try datas.values(1) == [payload])
        // A start that goes on until the process ends keeps the data. A leak checker then reports it: the reference has tag bits.
        disposable.dispose()
    }

    /// Each message goes to one member of a group, and all arrive.
    @Test func queueGroup() throws {
        let server = try NATSTestServer()
        let connections = (0..<3).map { _ in NATSConnection.to(server) }
        let collector = Collector<Int>()
        let merged = SignalProducer<Int, NATSError>.merge(
            connections.map { connection in
                connection.messages(on: "jobs", queueGroup: "workers")
                    .map { Int(String(decoding: $0.data, as: UTF8.self))! }
            })
        merged.start(collector.observer)
        for connection in connections { try connection.flushed() }
        for number in 0..<3000 { try connections[0].publish(Data("\(number)".utf8), to: "jobs") }
        #expect(try collector.values(3000).sorted() == Array(0..<3000))
    }

    /// Each start is a subscription; disposing ends it at once, also inside the callback.
    @Test func disposalUnsubscribes() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let producer = connection.messages(on: "news")
        for _ in 0..<50 {
            let disposal = SerialDisposable()
            let collector = Collector<NATSMessage>()
            disposal.inner = producer.on(value: { _ in disposal.dispose() }).start(collector.observer)
            try connection.flushed()
            try connection.publish(Data(), to: "news")
            try connection.publish(Data(), to: "news")
            try collector.waitForEnd()
            #expect(collector.values.count <= 1)
        }
        // Without subscriptions, a request has no responders. The end comes before the disposal of the subscription.
        try Wait.until("the subscriptions have ended") {
            let (request, _) = connection.request(Data(), to: "news", within: .milliseconds(100)).collected()
            return try request.waitForEnd() == .noResponders(subject: "news")
        }
    }

    /// What a start captures is released when it ends, though libnats's thread may be in its callback.
    @Test func releasesWhatItCaptures() throws {
        final class Captured: Sendable {}
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        weak var released: Captured?
        do {
            let captured = Captured()
            released = captured
            let disposable = connection.messages(on: "news").startWithResult { _ in withExtendedLifetime(captured) {} }
            try connection.flushed()
            disposable.dispose()
        }
        try Wait.until("the start is released") { released == nil }
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "a b", "a\r\nb", "a.>.b", "a.b*", ">.a", "\u{0}"])
    func refusesSubject(_ subject: String) throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (messages, _) = connection.messages(on: subject).collected()
        guard case .invalidSubject(subject, _) = try messages.waitForEnd() else {
            Issue.record("the end is \(String(describing: messages.end))")
            return
        }
        #expect(throws: NATSError.self) { try connection.publish(Data(), to: subject) }
        #expect(throws: NATSError.self) { _ = try connection.publisher(to: subject) }
        let (request, _) = connection.request(Data(), to: subject).collected()
        #expect(try request.waitForEnd() != nil)
    }

    @Test func refusesMessages() throws {
        let server = try NATSTestServer(configuration: "max_payload: 1000")
        let connection = NATSConnection.to(server)
        try connection.wait(for: .connected)
        #expect(throws: NATSError.messageTooLarge(size: 1001, limit: 1000)) {
            try connection.publish(Data(count: 1001), to: "a")
        }
        #expect(throws: NATSError.invalidSubject("a.*", reason: "a message can't be published to a wildcard")) {
            try connection.publish(Data(), to: "a.*")
        }
        for headers: NATSHeaders in [["a b": "x"], ["": "x"], ["a:": "x"], ["a": "x\r\ny"], ["a": ""], ["a": " "]] {
            #expect(throws: NATSError.invalidHeader(headers.fields[0].name)) {
                try connection.publish(Data(), to: "a", headers: headers)
            }
        }
        let (messages, _) = connection.messages(on: "a", queueGroup: "no group").collected()
        #expect(try messages.waitForEnd() != nil)
        #expect(connection.state.value == .connected)
    }

    @Test func publishesABinding() throws {
        let server = try NATSTestServer(configuration: "max_payload: 1000")
        let connection = NATSConnection.to(server)
        let (messages, _) = connection.messages(on: "prices").collected()
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        try connection.flushed()
        let (prices, input) = Signal<Data, Never>.pipe()
        try connection.publisher(to: "prices") <~ prices
        for price in ["1", "2"] { input.send(value: Data(price.utf8)) }
        input.send(value: Data(count: 2000))
        input.send(value: Data("3".utf8))
        #expect(try texts(messages, 3) == ["prices 1", "prices 2", "prices 3"])
        #expect(try failures.values(1) == [.messageTooLarge(size: 2000, limit: 1000)])
        // The binding ends with the connection.
        connection.close()
        let (closed, _) = connection.closed.collected()
        try closed.waitForEnd()
        input.send(value: Data("4".utf8))
        try failures.waitForEnd()
        #expect(failures.values.count == 1)
    }

    // MARK: Slow consumers

    /// An observer that keeps libnats's thread busy: libnats drops what exceeds its bound, and this is reported.
    @Test func slowObserver() throws {
        let server = try NATSTestServer()
        let sender = NATSConnection.to(server)
        let connection = NATSConnection.to(server) { $0.pendingMessages = 100 }
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        let (gate, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (messages, _) = connection.messages(on: "news").on(value: { _ in
            entered.signal()
            gate.wait()
        }).collected()
        try connection.flushed()
        try sender.wait(for: .connected)
        try sender.publish(Data(), to: "news")
        entered.wait()
        for _ in 0..<5000 { try sender.publish(Data(), to: "news") }
        try sender.flushed()
        guard case .slowConsumer("news", let dropped) = try failures.values(1)[0] else {
            Issue.record("the failure is \(failures.values)")
            return
        }
        #expect(dropped >= 1)
        // Other subscriptions of the connection aren't affected.
        let (others, _) = connection.messages(on: "others").collected()
        try connection.flushed()
        try sender.publish(Data(), to: "others")
        try others.values(1)
        for _ in 0..<101 { gate.signal() }
        try messages.values(101)
        #expect(connection.state.value == .connected)
    }

    /// A hop whose scheduler stalls: the thread of libnats goes on, and the policy says what is dropped.
    @Test(arguments: ["newest", "oldest", "failing", "unbounded"])
    func stalledHop(_ name: String) throws {
        let policy: BufferingPolicy<NATSError> =
            switch name {
            case "newest": .dropNewest(capacity: 100)
            case "oldest": .dropOldest(capacity: 100)
            case "failing": .failing(capacity: 100, with: .timedOut("overflow"))
            default: .unbounded
            }
        let server = try NATSTestServer()
        let stalled = try StalledObserver(server, policy)
        let (messages, statistics) = (stalled.messages, stalled.statistics)
        // The thread of libnats has taken all messages: it doesn't wait for the hop.
        if name == "failing" {
            try Wait.until("the buffer is full") { statistics.dropped >= 1 }
        } else {
            try Wait.until("all messages were taken; \(statistics.sent) were") { statistics.sent == 5000 }
        }
        stalled.resume()
        switch name {
        case "newest", "oldest":
            try Wait.until("the rest is delivered") {
                statistics.waiting == 0 && messages.values.count == statistics.delivered
            }
            #expect(statistics.dropped >= 5000 - 100 - 20)
            #expect(statistics.dropped + statistics.delivered == 5000)
            let numbers = messages.values
            #expect(numbers == numbers.sorted())
            #expect(numbers.contains(0))
            #expect(numbers.contains(4999) == (name == "oldest"))
        case "failing": #expect(try messages.waitForEnd() == .timedOut("overflow"))
        default: #expect(try messages.values(5000) == Array(0..<5000))
        }
    }

    /// With a policy to block, the thread of libnats waits, and nothing is dropped within its own bound.
    @Test func blockingPolicy() throws {
        let server = try NATSTestServer()
        let stalled = try StalledObserver(server, .blocking(capacity: 10, stallTimeout: .never))
        try stalled.sender.flushed()
        try stalled.connection.flushed()
        #expect(stalled.statistics.sent <= 40)
        stalled.resume()
        #expect(try stalled.messages.values(5000) == Array(0..<5000))
        #expect(stalled.statistics.dropped == 0)
    }

    /// A thread of libnats that waits for a hop is released by the disposal.
    @Test func disposalReleasesAThreadThatWaits() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (gate, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (messages, disposable) = connection.messages(
            on: "news", bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never)
        )
        .observe(on: QueueScheduler(), bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
        .on(value: { _ in
            entered.signal()
            gate.wait()
        }).collected()
        try connection.flushed()
        for _ in 0..<100 { try connection.publish(Data(), to: "news") }
        entered.wait()
        try connection.flushed()
        disposable.dispose()
        gate.signal()
        try messages.waitForEnd()
        // The thread has left its callback: libnats drains without it.
        let (closed, _) = connection.drain(within: .seconds(60)).collected()
        #expect(try closed.waitForEnd() == nil)
    }
}

/// Sends 5,000 messages to an observer behind a hop, which waits at the first one until ``resume()``.
private struct StalledObserver {
    let sender: NATSConnection
    let connection: NATSConnection
    let statistics = BufferStatistics()
    let messages: Collector<Int>
    private let gate = DispatchSemaphore(value: 0)

    /// - Parameter policy: The policy of the buffer in front of the hop.
    init(_ server: NATSTestServer, _ policy: BufferingPolicy<NATSError>) throws {
        sender = .to(server)
        connection = .to(server)
        let entered = DispatchSemaphore(value: 0)
        (messages, _) = connection.messages(on: "news", bufferingPolicy: policy, statistics: statistics)
            .map { Int(String(decoding: $0.data, as: UTF8.self))! }
            .observe(on: QueueScheduler(), bufferingPolicy: .blocking(capacity: 10, stallTimeout: .never))
            .on(value: { [gate] _ in
                entered.signal()
                gate.wait()
            }).collected()
        try connection.flushed()
        try sender.wait(for: .connected)
        for number in 0..<5000 { try sender.publish(Data("\(number)".utf8), to: "news") }
        entered.wait()
    }

    func resume() {
        for _ in 0..<5000 { gate.signal() }
    }
}
