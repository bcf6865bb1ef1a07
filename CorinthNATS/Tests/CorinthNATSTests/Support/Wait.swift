import Corinth
import CorinthNATS
import CorinthNATSTesting
import Dispatch
import Foundation
import Testing

/// Waits for other processes, which give no signal. A limit is far beyond what is needed.
enum Wait {
    static let seconds = 60.0

    struct TimeUp: Error, CustomStringConvertible {
        let description: String
    }

    /// Polls until a condition holds.
    ///
    /// - Parameter factor: For what takes this many times as long.
    static func until(
        _ what: @autoclosure () -> String, times factor: Int = 1, _ condition: () throws -> Bool
    ) throws {
        let seconds = seconds * Double(factor)
        let end = DispatchTime.now() + seconds
        let never = DispatchSemaphore(value: 0)
        while try !condition() {
            if DispatchTime.now() > end { throw TimeUp(description: "after \(seconds) s, not so: \(what())") }
            _ = never.wait(timeout: .now() + .milliseconds(5))
        }
    }
}

/// Collects what a stream sends, and waits for it.
final class Collector<Value: Sendable>: @unchecked Sendable {  // The condition guards the rest.
    private let condition = NSCondition()
    private var list: [Value] = []
    private var ending: Signal<Value, NATSError>.Event?

    var observer: Signal<Value, NATSError>.Observer {
        Signal<Value, NATSError>.Observer { event in
            self.condition.withLock {
                if let value = event.value { self.list.append(value) } else { self.ending = event }
                self.condition.broadcast()
            }
        }
    }

    var values: [Value] { condition.withLock { list } }
    var end: Signal<Value, NATSError>.Event? { condition.withLock { ending } }

    private func wait(_ what: String, _ isDone: () -> Bool) throws {
        try condition.withLock {
            let limit = Date().addingTimeInterval(Wait.seconds)
            while !isDone() {
                if !condition.wait(until: limit) {
                    throw Wait.TimeUp(
                        description: "\(what); there are \(list.count); the end is \(String(describing: ending))")
                }
            }
        }
    }

    /// Waits for a number of values. Returns all that have come.
    @discardableResult
    func values(_ count: Int) throws -> [Value] {
        try wait("\(count) values haven't come") { list.count >= count || ending != nil }
        return values
    }

    /// Waits for the end. Returns the error, or nil if the stream has completed or was interrupted.
    @discardableResult
    func waitForEnd() throws -> NATSError? {
        try wait("the stream hasn't ended") { ending != nil }
        return end?.error
    }
}

extension SignalProducer where Value: Sendable, Error == NATSError {
    /// Starts, and collects the events.
    func collected() -> (Collector<Value>, any Disposable) {
        let collector = Collector<Value>()
        return (collector, start(collector.observer))
    }
}

extension NATSConnection {
    static func to(_ server: NATSTestServer, _ change: (inout NATSOptions) -> Void = { _ in }) -> NATSConnection {
        var options = NATSOptions(servers: [server.address])
        options.connectTimeout = .seconds(20)
        options.reconnection.firstPause = .milliseconds(5)
        options.reconnection.longestPause = .milliseconds(50)
        change(&options)
        return NATSConnection(options)
    }

    /// Waits until the state is as wanted.
    func wait(for wanted: @escaping @Sendable (NATSConnectionState) -> Bool) throws {
        let states = Collector<NATSConnectionState>()
        let disposable = state.producer.filter(wanted).promoteError(NATSError.self).start(states.observer)
        defer { disposable.dispose() }
        try states.values(1)
    }

    func wait(for wanted: NATSConnectionState) throws { try wait { $0 == wanted } }

    /// Waits until the server knows all subscriptions and has received everything.
    func flushed() throws {
        try wait(for: .connected)
        let (end, _) = flush(within: .seconds(60)).collected()
        if let error = try end.waitForEnd() { throw error }
    }
}
