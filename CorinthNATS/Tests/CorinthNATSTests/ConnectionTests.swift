import Corinth
import CorinthNATSTesting
import Foundation
import Testing

@testable import CorinthNATS

struct ConnectionTests {
    @Test func connectsAndCloses() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (states, _) = connection.state.producer.promoteError(NATSError.self).collected()
        try connection.wait(for: .connected)
        let (closed, _) = connection.closed.collected()
        connection.close()
        connection.close()
        #expect(try closed.waitForEnd() == nil)
        #expect(states.values.suffix(2) == [.connected, .closed(nil)])
    }

    /// The server is killed and started again: the state says so, and a subscription goes on.
    @Test func reconnects() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (messages, _) = connection.messages(on: "news").collected()
        try connection.flushed()
        try connection.publish(Data("before".utf8), to: "news")
        try messages.values(1)
        for round in 1...2 {
            server.kill()
            try connection.wait(for: .reconnecting)
            // Buffered, and sent when the connection is back, after the subscriptions.
            try connection.publish(Data("between \(round)".utf8), to: "news")
            try server.start()
            try connection.wait(for: .connected)
            try messages.values(1 + round)
            #expect(connection.statistics.reconnections == round)
        }
        let texts = messages.values.map { String(decoding: $0.data, as: UTF8.self) }
        #expect(texts == ["before", "between 1", "between 2"])
        #expect(connection.statistics.messagesIn == 3)
    }

    /// A server that is gone for good: everything ends with a typed failure.
    @Test func givesUp() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server) { $0.reconnection.giveUpAfter = .milliseconds(300) }
        let (messages, _) = connection.messages(on: "news").collected()
        let (request, _) = connection.request(Data(), to: "nobody.yet", within: .seconds(60)).collected()
        _ = try? request.waitForEnd()  // No responders.
        let (service, _) = connection.messages(on: "silent").collected()
        try connection.flushed()
        let (waiting, _) = connection.request(Data(), to: "silent", within: .seconds(60)).collected()
        try service.values(1)
        server.kill()
        let expected = NATSError.unreachable("\(server.address), for 0.3 seconds")
        #expect(try messages.waitForEnd() == expected)
        #expect(try waiting.waitForEnd() == expected)
        #expect(connection.state.value == .closed(expected))
        let (late, _) = connection.messages(on: "news").collected()
        #expect(try late.waitForEnd() == expected)
        #expect(throws: expected) { try connection.publish(Data(), to: "news") }
    }

    /// A server that is alive but silent is as good as dead.
    @Test func noticesASilentServer() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server) {
            $0.pingInterval = .milliseconds(50)
            $0.connectTimeout = .milliseconds(200)
        }
        try connection.wait(for: .connected)
        server.pause()
        try connection.wait(for: .reconnecting)
        server.resume()
        try connection.wait(for: .connected)
    }

    @Test func failsWithoutAServer() throws {
        let server = try NATSTestServer()
        server.kill()
        let connection = NATSConnection.to(server)
        let (messages, _) = connection.messages(on: "news").collected()
        #expect(try messages.waitForEnd() == .unreachable(server.address))
        let (closed, _) = connection.closed.collected()
        #expect(try closed.waitForEnd() == .unreachable(server.address))
    }

    @Test func waitsForItsFirstServer() throws {
        let server = try NATSTestServer()
        server.kill()
        let connection = NATSConnection.to(server) { $0.retriesFirstConnection = true }
        let (messages, _) = connection.messages(on: "news").collected()
        #expect(connection.state.value == .connecting)
        #expect(throws: NATSError.notYetConnected) { try connection.publish(Data(), to: "news") }
        try server.start()
        try connection.flushed()
        try connection.publish(Data("x".utf8), to: "news")
        #expect(try messages.values(1).count == 1)
    }

    @Test(arguments: ["foo", "http://127.0.0.1:4222", "nats://", ""])
    func refusesAddress(_ address: String) throws {
        let connection = NATSConnection(NATSOptions(servers: [address]))
        let (closed, _) = connection.closed.collected()
        #expect(try closed.waitForEnd() == .invalidAddress(address))
    }

    @Test func authentication() throws {
        let server = try NATSTestServer(configuration: "authorization { user: ada, password: secret }")
        let wrong = NATSConnection.to(server) { $0.credentials = .user("ada", password: "guess") }
        let (closed, _) = wrong.closed.collected()
        #expect(try closed.waitForEnd() == .authenticationFailed(server.address))
        let right = NATSConnection.to(server) { $0.credentials = .user("ada", password: "secret") }
        try right.wait(for: .connected)
        // Files that are something else.
        let junk = server.folder.appending(path: "junk").path
        try Data("junk".utf8).write(to: URL(fileURLWithPath: junk))
        let key = "U" + String(repeating: "A", count: 55)
        for credentials in [NATSOptions.Credentials.file(junk), .nkey(key, seedFile: junk)] {
            let broken = NATSConnection.to(server) { $0.credentials = credentials }
            guard case .invalidOption(let text) = try broken.closed.collected().0.waitForEnd() else {
                Issue.record("the end is \(broken.state.value)")
                return
            }
            #expect(text.hasPrefix("the file '\(junk)' can't be used: "))
        }
        let missing = NATSConnection.to(server) { $0.credentials = .file("/nonexistent/ada.creds") }
        let (end, _) = missing.closed.collected()
        #expect(try end.waitForEnd() == .invalidOption("the file '/nonexistent/ada.creds' can't be read"))
    }

    @Test func `A user and a password in an address may be percent-encoded`() throws {
        let server = try NATSTestServer(configuration: #"authorization { user: "ada:b", password: "p@s/s %" }"#)
        let address = server.address.replacing("//", with: "//ada%3Ab:p%40s%2Fs%20%25@")
        let connection = NATSConnection(NATSOptions(servers: [address]))
        try connection.wait(for: .connected)
        let others = NATSConnection(NATSOptions(servers: [address, "nats://bob@127.0.0.1:1"]))
        guard case .invalidOption = try others.closed.collected().0.waitForEnd() else {
            Issue.record("two users are taken")
            return
        }
    }

    /// Credentials that are refused later, as when they have expired or were revoked: a typed failure, and no endless attempts.
    @Test func revokedCredentials() throws {
        let server = try NATSTestServer(configuration: "authorization { user: ada, password: secret }")
        let connection = NATSConnection.to(server) { $0.credentials = .user("ada", password: "secret") }
        let (messages, _) = connection.messages(on: "news").collected()
        try connection.flushed()
        try server.reload("authorization { user: ada, password: changed }")
        guard case .authenticationFailed = try messages.waitForEnd() else {
            Issue.record("the end is \(String(describing: messages.end))")
            return
        }
        #expect(connection.state.value == .closed(messages.end?.error))
    }

    @Test func permissions() throws {
        let server = try NATSTestServer(
            configuration: """
                authorization { users = [ { user: ada, password: a, permissions: { publish: "open.>", subscribe: ["open.>", "_INBOX.>"] } } ] }
                """)
        let connection = NATSConnection.to(server) { $0.credentials = .user("ada", password: "a") }
        let failures = Collector<NATSError>()
        connection.failures.promoteError(NATSError.self).observe(failures.observer)
        try connection.wait(for: .connected)
        try connection.publish(Data(), to: "shut")
        guard case .notPermitted(let text) = try failures.values(1)[0] else {
            Issue.record("the failure is \(failures.values)")
            return
        }
        #expect(text.contains("shut"))
        #expect(connection.state.value == .connected)
    }

    /// Draining delivers what has arrived.
    @Test func drains() throws {
        let server = try NATSTestServer()
        let (sender, receiver) = (NATSConnection.to(server), NATSConnection.to(server))
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let (messages, _) = receiver.messages(on: "news").on(value: { _ in
            entered.signal()
            gate.wait()
        }).collected()
        try receiver.flushed()
        try sender.wait(for: .connected)
        for number in 1...100 { try sender.publish(Data("\(number)".utf8), to: "news") }
        try sender.flushed()
        entered.wait()
        try receiver.flushed()
        let (closed, _) = receiver.drain(within: .seconds(60)).collected()
        for _ in 1...100 { gate.signal() }
        #expect(try messages.waitForEnd() == nil)
        #expect(messages.end?.isCompleted == true)
        #expect(messages.values.map { String(decoding: $0.data, as: UTF8.self) } == (1...100).map(String.init))
        #expect(try closed.waitForEnd() == nil)
        #expect(receiver.state.value == .closed(nil))
    }

    /// Before version 3.6.1, the thread of libnats that reads may be about to lock a subscription that has ended. A connection that
    /// is closed waits for that thread before it tells that it is: here, what comes before is held up.
    @Test func keepsEndedSubscriptionsUntilNobodyReads() throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server)
        let (_, subscription) = connection.messages(on: "news").collected()
        try connection.flushed()
        let (lost, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // The first change to come is that the connection is lost.
        connection.core.state.signal.take(first: 1).observeValues { _ in
            lost.signal()
            goesOn.wait()
        }
        // So that it can't answer that the end of the subscription has arrived.
        server.pause()
        subscription.dispose()
        connection.close()
        lost.wait()
        Thread.sleep(forTimeInterval: 0.3)
        #expect(connection.core.subscriptions.endedCount == 1)
        goesOn.signal()
        try Wait.until("the subscription is freed") { connection.core.subscriptions.endedCount == 0 }
        server.resume()
    }

    /// A connection that is closed before it is made.
    @Test func closesWhileConnecting() throws {
        let server = try NATSTestServer()
        for _ in 1...20 {
            let connection = NATSConnection.to(server)
            let (messages, _) = connection.messages(on: "news").collected()
            connection.close()
            #expect(try messages.waitForEnd() == nil)
        }
    }

    /// Streams that start while the connection is being closed complete, as those before and after do.
    @Test func closesWhileStreamsStart() throws {
        let server = try NATSTestServer()
        for _ in 1...20 {
            let connection = NATSConnection.to(server)
            try connection.wait(for: .connected)
            let started = DispatchSemaphore(value: 0)
            let ended = DispatchSemaphore(value: 0)
            let all = Atomic<[Collector<NATSMessage>]>([])
            Thread.detachNewThread {
                for number in 1...400 {
                    let (messages, _) = connection.messages(on: "news.\(number)").collected()
                    all.modify { $0.append(messages) }
                    if number == 100 { started.signal() }
                }
                ended.signal()
            }
            started.wait()
            connection.close()
            ended.wait()
            for messages in all.value { #expect(try messages.waitForEnd() == nil) }
        }
    }

    /// The last reference is released on the thread of a subscription, inside its callback.
    @Test func releasedInItsOwnCallback() throws {
        let server = try NATSTestServer()
        let sender = NATSConnection.to(server)
        try sender.wait(for: .connected)
        for _ in 1...20 {
            let disposal = SerialDisposable()
            let (ended, signalEnd) = Signal<Never, NATSError>.pipe()
            let collector = Collector<Never>()
            ended.observe(collector.observer)
            weak var released: NATSConnection?
            do {
                let connection = NATSConnection.to(server)
                released = connection
                let (first, _) = connection.messages(on: "ready").collected()
                disposal.inner = connection.messages(on: "news").startWithResult { _ in
                    disposal.dispose()
                    signalEnd.sendCompleted()
                }
                try connection.flushed()
                _ = first
            }
            try sender.publish(Data(), to: "news")
            try collector.waitForEnd()
            #expect(released == nil)
        }
    }
}
