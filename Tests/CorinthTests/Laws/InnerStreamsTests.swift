import Corinth
import CorinthTesting
import Dispatch
import Testing

/// Law S6 on every operator that makes inner streams: sent = delivered + dropped, whatever becomes of the inner streams.
@Suite("Inner streams")
struct InnerStreamsTests {
    private static let count = 300

    /// A strategy, and whether every inner stream gets its turn and is observed to its end.
    struct Strategy: Sendable, CustomTestStringConvertible {
        let strategy: FlattenStrategy
        let isComplete: Bool

        var testDescription: String { "\(strategy)" }

        static let all: [Strategy] =
            [.merge, .concat, .concurrent(limit: 2), .concatEager(), .concatEager(limit: 2)].map {
                Strategy(strategy: $0, isComplete: true)
            }
            + [.latest, .race, .throttle].map { Strategy(strategy: $0, isComplete: false) }
    }

    /// What is between the operator and the strategy.
    enum Route: String, Sendable, CaseIterable {
        case direct, hop, pool
    }

    @Test(arguments: OperatorRegistry.innerStreams, Strategy.all)
    func `sent = delivered + dropped, and nothing is dropped unless the strategy leaves inner streams`(
        entry: InnerStreams, strategy: Strategy
    ) {
        let (queue, pool) = (QueueScheduler(name: "hop"), QueueSchedulerPool(count: 2))
        for route in Route.allCases {
            for isProducer in [false, true] {
                let statistics = BufferStatistics()
                let received = Atomic<[Int]>([])
                run(isProducer: isProducer, statistics, entry, into: received) { inner in
                    switch route {
                    case .direct: inner.flatten(strategy.strategy)
                    case .hop: inner.observe(on: queue).flatten(strategy.strategy)
                    case .pool: inner.flatMap(strategy.strategy, on: pool) { $0 }
                    }
                }
                let what = "\(route), \(isProducer ? "producer" : "signal")"
                let (sent, delivered, dropped) = (statistics.sent, statistics.delivered, statistics.dropped)
                #expect(sent == Self.count && sent == delivered + dropped, "\(what): \(sent), \(delivered), \(dropped)")
                if strategy.isComplete {
                    #expect(dropped == 0, "\(what): \(dropped) dropped")
                    #expect(received.value.sorted() == Array(0..<Self.count), "\(what): \(received.value.count)")
                } else {
                    #expect(received.value.count <= delivered, "\(what)")
                    #expect(Set(received.value).count == received.value.count, "\(what)")
                }
            }
        }
    }

    /// Sends the items, and waits until the result has ended and everything is accounted for.
    private func run(
        isProducer: Bool, _ statistics: BufferStatistics, _ entry: InnerStreams, into received: Atomic<[Int]>,
        _ flatten: (SignalProducer<StreamProducer, TestError>) -> StreamProducer
    ) {
        let ended = DispatchSemaphore(value: 0)
        let inputs = HarnessInputs(
            signals: [], producers: [], scheduler: TestScheduler(), lifetime: .empty, leaks: LeakCounter(),
            calls: Counter())
        let (source, input) = Stream.pipe()
        let inner =
            isProducer
            ? entry.producer(source.producer, inputs, .unbounded, statistics)
            : entry.signal(source, inputs, .unbounded, statistics).producer
        flatten(inner).start { event in
            if let item = event.value { received.modify { $0.append(item.number) } } else { ended.signal() }
        }
        for number in 0..<Self.count {
            input.send(value: Item(number))
            if number % 20 == 0 { inputs.scheduler.advance(by: .seconds(1)) }
        }
        input.sendCompleted()
        ended.wait(orElse: "the result hasn't ended")
        // Another thread may still release the last inner stream, or hold the strand of an earlier one, where values are queued.
        let deadline = DispatchTime.now() + WaitLimit.seconds
        while statistics.waiting != 0 || statistics.sent != Self.count {
            if DispatchTime.now() > deadline {
                WaitLimit.exceeded("of \(statistics.sent) values, \(statistics.waiting) are in no account")
            }
            Work.yield()
        }
    }

    @Test(arguments: OperatorRegistry.innerStreams)
    func `Each policy keeps what it says, and counts the rest`(entry: InnerStreams) {
        // All values are in one inner stream, or in several that are kept.
        func kept(
            _ policy: BufferingPolicy<TestError>, isProducer: Bool
        ) -> (statistics: BufferStatistics, streams: [[Int]], end: String) {
            let statistics = BufferStatistics()
            let inputs = HarnessInputs(
                signals: [], producers: [], scheduler: TestScheduler(), lifetime: .empty, leaks: LeakCounter(),
                calls: Counter())
            let (source, input) = Stream.pipe()
            let streams = Atomic<[StreamProducer]>([])
            let end = Atomic("")
            let inner =
                isProducer
                ? entry.producer(source.producer, inputs, policy, statistics)
                : entry.signal(source, inputs, policy, statistics).producer
            inner.start { event in
                if let stream = event.value {
                    streams.modify { $0.append(stream) }
                } else {
                    end.value = event.description
                }
            }
            // Every fourth number has the same key.
            for number in 0..<12 { input.send(value: Item(number * 4)) }
            input.sendCompleted()
            let contents = streams.value.map { stream in
                let values = Atomic<[Int]>([])
                stream.startWithResult { result in
                    if case .success(let item) = result { values.modify { $0.append(item.number / 4) } }
                }
                return values.value
            }
            return (statistics, contents, end.value)
        }
        for isProducer in [false, true] {
            let all = kept(.unbounded, isProducer: isProducer)
            #expect(all.streams.flatMap { $0 } == Array(0..<12) && all.end == "COMPLETED")
            let newest = kept(.dropOldest(capacity: 1), isProducer: isProducer)
            #expect(newest.streams == all.streams.map { Array($0.suffix(1)) })
            let oldest = kept(.dropNewest(capacity: 1), isProducer: isProducer)
            #expect(oldest.streams == all.streams.map { Array($0.prefix(1)) })
            for one in [all, newest, oldest] {
                let delivered = one.streams.joined().count
                #expect(one.statistics.sent == 12 && one.statistics.delivered == delivered)
                #expect(one.statistics.dropped == 12 - delivered)
            }
            let failed = kept(.failing(capacity: 1, with: .second), isProducer: isProducer)
            #expect(failed.end == "FAILED second")
            #expect(failed.statistics.sent == failed.statistics.delivered + failed.statistics.dropped)
            #expect(failed.statistics.dropped >= 1)
        }
    }
}
