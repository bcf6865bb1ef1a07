import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

struct RequestTests {
    private func number(_ message: NATSMessage) -> Int { Int(String(decoding: message.data, as: UTF8.self))! }

    @Test func answers() throws {
        let server = try NATSTestServer()
        let (client, service) = (NATSConnection.to(server), NATSConnection.to(server))
        let squares = service.respond(to: "square") { request in
            let number = Int(String(decoding: request.data, as: UTF8.self))!
            return SignalProducer(value: Data("\(number * number)".utf8))
        }
        let running = squares.start()
        try service.flushed()
        let collector = Collector<Int>()
        SignalProducer<Int, NATSError>(0..<1000)
            .flatMap(.concurrent(limit: 100)) { number in
                client.request(Data("\(number)".utf8), to: "square").map { [number] reply in
                    #expect(self.number(reply) == number * number)
                    return number
                }
            }
            .start(collector.observer)
        #expect(try collector.waitForEnd() == nil)
        #expect(collector.values.sorted() == Array(0..<1000))
        running.dispose()
        try service.flushed()
        let (none, _) = client.request(Data("2".utf8), to: "square").collected()
        #expect(try none.waitForEnd() == .noResponders(subject: "square"))
    }

    /// Concurrent starts of one producer are requests of their own.
    @Test func eachStartIsARequest() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (seen, _) = connection.messages(on: "count").collected()
        try connection.flushed()
        let request = connection.request(Data(), to: "count", within: .seconds(60))
        let starts = (0..<5).map { _ in request.collected() }
        let requests = try seen.values(5)
        #expect(Set(requests.map(\.replySubject)).count == 5)
        for (index, request) in requests.enumerated() {
            try connection.publish(Data("\(index)".utf8), to: request.replySubject!)
            // A second reply is ignored.
            try connection.publish(Data("again".utf8), to: request.replySubject!)
        }
        for start in starts { #expect(try start.0.waitForEnd() == nil) }
        #expect(starts.flatMap { $0.0.values }.map(number).sorted() == [0, 1, 2, 3, 4])
    }

    @Test func timesOut() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (silent, _) = connection.messages(on: "silent").collected()
        try connection.flushed()
        let (request, _) = connection.request(Data(), to: "silent", within: .milliseconds(20)).collected()
        #expect(try request.waitForEnd() == .timedOut("a reply on 'silent' within 0.02 seconds"))
        // A reply that is late is ignored.
        try connection.publish(Data(), to: silent.values(1)[0].replySubject!)
        try connection.flushed()
        #expect(request.values.isEmpty)
    }

    /// The time counts from the start, also while there is no server.
    @Test func timesOutWithoutAServer() throws {
        let server = try NATSTestServer()
        server.kill()
        let connection = NATSConnection.to(server) { $0.retriesFirstConnection = true }
        let (request, _) = connection.request(Data(), to: "silent", within: .milliseconds(20)).collected()
        guard case .timedOut = try request.waitForEnd() else {
            Issue.record("the end is \(String(describing: request.end))")
            return
        }
    }

    @Test func endsWithTheConnection() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (silent, _) = connection.messages(on: "silent").collected()
        let pending = (0..<10).map { _ in connection.request(Data(), to: "silent", within: .seconds(60)).collected().0 }
        try silent.values(10)
        connection.close()
        for request in pending { #expect(try request.waitForEnd() == .closed) }
        let (late, _) = connection.request(Data(), to: "silent").collected()
        #expect(try late.waitForEnd() == .closed)
    }

    @Test func action() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let running = connection.respond(to: "echo") { SignalProducer(value: $0.data) }.start()
        try connection.flushed()
        let action = connection.requester(to: "echo", within: .seconds(60))
        let collector = Collector<NATSMessage>()
        action.apply(Data("5".utf8)).mapError { _ in NATSError.closed }.start(collector.observer)
        #expect(try collector.waitForEnd() == nil)
        #expect(collector.values.map(number) == [5])
        running.dispose()
    }
}
