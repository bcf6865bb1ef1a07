import Corinth
import CorinthTesting
import Dispatch
import ExampleSupport

// A feed of prices over a connection that can break, or stop sending without an error. All observers share one connection,
// which lasts as long as there are observers. After a failure, the feed reconnects with increasing delays.

enum FeedError: Error, Equatable {
    case connectionLost
    case silent
}

/// A server with scripted connections: the first one breaks, the second one is refused, and the third one stops sending.
final class Server: Sendable {
    let scheduler: TestScheduler
    let transcript: Transcript
    private let count = Atomic(0)
    private let open = Atomic(0)

    var connections: Int { count.value }
    var openConnections: Int { open.value }

    init(_ scheduler: TestScheduler, _ transcript: Transcript) {
        self.scheduler = scheduler
        self.transcript = transcript
    }

    /// Each start opens a connection.
    var prices: SignalProducer<Int, FeedError> {
        SignalProducer { [self] observer, lifetime in
            let number = count.modify { number -> Int in
                number += 1
                return number
            }
            transcript("connection \(number) opens")
            open.modify { $0 += 1 }
            lifetime.observeEnded { [self] in
                // Keeps the observer alive as long as the connection is open. Releasing it would interrupt the stream.
                withExtendedLifetime(observer) { open.modify { $0 -= 1 } }
                transcript("connection \(number) is closed")
            }

            let prices: [Int]
            switch number {
            case 1: prices = [100, 101]
            case 2: prices = []
            case 3: prices = [102]
            default: prices = Array(103..<120)
            }
            lifetime += SignalProducer.interval(prices, interval: .seconds(1), on: scheduler)
                .startWithValues { observer.send(value: $0) }
            if number <= 2 {
                lifetime += scheduler.schedule(after: .milliseconds(prices.count * 1000 + 500)) {
                    observer.send(error: .connectionLost)
                }
            }
        }
    }
}

@main
enum ReconnectingSource {
    static func main() {
        let scheduler = TestScheduler()
        let transcript = Transcript(scheduler)
        let server = Server(scheduler, transcript)

        let feed = server.prices
            .timeout(perValue: 3, raising: .silent, on: scheduler)
            .on(failed: { transcript("lost: \($0)") })
            // The delays are 1 s, 2 s, 4 s, and so on. Omit `jitter` if many clients can lose the same server at once: by
            // default, half of each delay is random.
            .retry(upTo: 5, backoff: .exponential(from: 1, factor: 2, upTo: 30, jitter: 0), on: scheduler)
            // All observers share one connection. A later observer receives the last price first. After the last observer has
            // been removed, the connection stays open for two seconds.
            .share(replay: 1, grace: 2, on: scheduler)

        transcript("nobody is interested")
        scheduler.advance(by: .seconds(5))
        transcript.check("connections before anybody starts", server.connections, is: 0)

        let first = EventRecorder<Int, FeedError>()
        let second = EventRecorder<Int, FeedError>()
        transcript("Ada starts")
        let ada = feed.on(value: { transcript("  Ada gets \($0)") }).start(first.observer)
        scheduler.advance(by: .milliseconds(1500))
        transcript("Grace starts")
        let grace = feed.on(value: { transcript("  Grace gets \($0)") }).start(second.observer)
        scheduler.advance(by: .milliseconds(16000))
        transcript("Ada leaves")
        ada.dispose()
        scheduler.advance(by: .milliseconds(1000))
        transcript("Grace leaves, and comes back")
        grace.dispose()
        scheduler.advance(by: .seconds(1))
        transcript.check("connections open for the time being", server.openConnections, is: 1)
        let third = EventRecorder<Int, FeedError>()
        let again = feed.on(value: { transcript("  Grace gets \($0)") }).start(third.observer)
        scheduler.advance(by: .seconds(1))
        transcript("Grace leaves for good")
        again.dispose()
        scheduler.advance(by: .seconds(10))

        transcript.check("connections made", server.connections, is: 4)
        transcript.check("connections open at the end", server.openConnections, is: 0)
        transcript.check("Ada's prices", first.values, is: [100, 101, 102, 103, 104, 105])
        transcript.check("Grace's prices", second.values, is: first.values + [106])
        transcript.check("Grace's prices, back again", third.values, is: [107, 108])
        transcript.check("actions that still wait", scheduler.pendingCount, is: 0)
    }
}
