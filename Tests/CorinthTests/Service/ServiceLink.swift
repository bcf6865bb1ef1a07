import Corinth
import Foundation

enum ServiceError: Error {
    case disconnected, poisoned, late
}

/// A request of a client.
struct ServiceRequest: Sendable {
    /// From 0 for each connection.
    let number: Int
    /// When the client was to send it, in nanoseconds of the monotonic clock.
    let due: UInt64
    let token: LeakCounter.Token
    let payload: Counter

    init(number: Int, due: UInt64, _ surroundings: ServiceSurroundings) {
        self.number = number
        self.due = due
        token = surroundings.requests.token()
        payload = surroundings.payload
    }
}

/// What a connection brings into the service: its requests, then its end.
struct ServiceItem: Sendable {
    let link: ServiceLink
    let event: Signal<ServiceRequest, ServiceError>.Event
}

/// A connection. It fails now and then, and is made again. A client owns one end, and the service the other one.
final class ServiceLink: @unchecked Sendable {  // The lock guards the input; the rest is constant or atomic.
    let id: Int
    /// How many requests the client has sent.
    let sent = Atomic(0)
    private let token: LeakCounter.Token
    private let lock = NSLock()
    /// nil while there is no connection.
    private var input: Signal<ServiceRequest, ServiceError>.Observer?
    private var isClosed = false

    /// Connections that a seeded bug forgets to release. The test that seeds it does.
    static let forgotten = Atomic<[ServiceLink]>([])

    init(_ id: Int, _ leaks: LeakCounter) {
        self.id = id
        token = leaks.token()
    }

    // MARK: The service's end

    /// The requests, over all connections that are made one after the other.
    func requests(retryingOn timers: any DateScheduler) -> SignalProducer<ServiceItem, Never> {
        SignalProducer<ServiceRequest, ServiceError> { observer, lifetime in
            let (signal, input) = Signal<ServiceRequest, ServiceError>.pipe(inboxCapacity: 256)
            lifetime += signal.observe(observer)
            self.connect(input)
        }
        .retry(upTo: .max, backoff: .exponential(from: 0.001, factor: 2, upTo: 0.02), on: timers)
        .materialize()
        .map { ServiceItem(link: self, event: $0) }
    }

    private func connect(_ input: Signal<ServiceRequest, ServiceError>.Observer) {
        let wasClosed = lock.withLock {
            if !isClosed { self.input = input }
            return isClosed
        }
        if wasClosed { input.sendCompleted() }
    }

    // MARK: The client's end

    /// The input, if there is a connection.
    var open: Signal<ServiceRequest, ServiceError>.Observer? { lock.withLock { input } }

    /// The connection breaks. The service makes another one.
    func fail() { take(closing: false)?.send(error: .disconnected) }

    /// The client ends the connection: all that it has sent arrives.
    func close() { take(closing: true)?.sendCompleted() }

    /// The client disconnects without an end. Values in the inbox are dropped.
    ///
    /// - Returns: false if there is no connection.
    func vanish() -> Bool { take(closing: false) != nil }

    /// A seeded bug.
    func leak() { ServiceLink.forgotten.modify { $0.append(self) } }

    private func take(closing: Bool) -> Signal<ServiceRequest, ServiceError>.Observer? {
        lock.withLock {
            if closing { isClosed = true }
            return input.take()
        }
    }
}
