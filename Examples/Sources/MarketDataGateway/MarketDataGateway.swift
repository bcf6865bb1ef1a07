import Corinth
import CorinthTesting
import Dispatch
import ExampleSupport

// A gateway between an exchange and its clients. The feed sends more quotes than a slow client can take: such a client gets the latest
// quote of each symbol. The exchange takes a limited number of orders a second: orders wait, and too many of them are refused. The
// connection breaks now and then, and is made again.

struct Quote: Sendable, Equatable {
    let symbol: String
    let price: Int
}

enum FeedError: Error, Equatable {
    case broken
    case notAllowed
}

/// Quotes of three symbols, a hundred a second. The first connection breaks after five seconds, the second one can't be made.
func feed(_ clock: TestScheduler, _ transcript: Transcript) -> SignalProducer<Quote, FeedError> {
    let connections = Atomic(0)
    return SignalProducer { observer, lifetime in
        let number = connections.modify { number -> Int in
            number += 1
            return number
        }
        guard number != 2 else { return observer.send(error: .broken) }
        transcript("connection \(number) opens")
        lifetime += SignalProducer.interval(0..<10_000, interval: .milliseconds(10), on: clock)
            .map { Quote(symbol: ["ABC", "DEF", "XYZ"][$0 % 3], price: 1000 * number + $0) }
            .startWithValues { observer.send(value: $0) }
        guard number == 1 else { return }
        lifetime += clock.schedule(after: .milliseconds(5_005)) { observer.send(error: .broken) }
    }
}

/// A client with a thread of its own, which takes one look at its quotes in so many seconds.
final class Client: Sendable {
    let name: String
    let scheduler = TestScheduler()
    let statistics = BufferStatistics()
    private let seen = Atomic<[Quote]>([])

    init(_ name: String, _ quotes: Signal<Quote, Never>) {
        self.name = name
        quotes.observe(on: scheduler, latestBy: \.symbol, statistics: statistics)
            .observeValues { [seen] quote in seen.modify { $0.append(quote) } }
    }

    /// The quotes since the last look.
    func look() -> [Quote] {
        scheduler.advance()
        return seen.swap([])
    }
}

@main
enum MarketDataGateway {
    static func main() {
        let clock = TestScheduler()
        let transcript = Transcript(clock)

        let (quotes, publish) = Signal<Quote, Never>.pipe()
        // A failure that no retry can cure is forwarded. After a quote, the waits and the limit begin anew.
        let policy = Retry<FeedError>.exponential(from: .seconds(1), jitter: 0)
            .limited(to: 5)
            .startingOverAfterValues()
            .when { $0 != .notAllowed }
        let connection = feed(clock, transcript)
            .on(failed: { transcript("the feed fails: \($0)") })
            .retry(policy, on: clock)
            .startWithResult { if case .success(let quote) = $0 { publish.send(value: quote) } }

        let (fast, slow) = (Client("fast", quotes), Client("slow", quotes))

        // Two orders a second, of which two may come at once; five may wait.
        let (orders, order) = Signal<Int, Never>.pipe()
        let orderStatistics = BufferStatistics()
        orders.pace(
            2, per: 1, burst: 2, on: clock, bufferingPolicy: .dropNewest(capacity: 5), statistics: orderStatistics
        )
        .observeValues { transcript("order \($0) goes to the exchange") }

        for second in 1...12 {
            if second == 2 { for number in 1...6 { order.send(value: number) } }
            for _ in 0..<10 {
                clock.advance(by: .milliseconds(100))
                _ = fast.look()
            }
            if second % 4 == 0 {
                let text = slow.look().map { "\($0.symbol) \($0.price)" }.joined(separator: ", ")
                transcript("the slow client sees \(text)")
            }
        }
        connection.dispose()
        _ = fast.look()

        for client in [fast, slow] {
            let statistics = client.statistics
            transcript.check("quotes for the \(client.name) client", statistics.sent, is: slow.statistics.sent)
            transcript.check("  of these replaced by newer ones", statistics.replaced, is: statistics.dropped)
            transcript.check("  of these neither seen nor replaced", statistics.waiting, is: 0)
            print("       seen by the \(client.name) client: \(statistics.delivered)")
        }
        transcript.check("orders refused", orderStatistics.dropped, is: 1)
        transcript.check("actions that still wait", clock.pendingCount, is: 0)
    }
}
