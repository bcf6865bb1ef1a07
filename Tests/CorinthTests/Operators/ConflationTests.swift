import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// `observe(on:latestBy:)` and its kin: the latest value of each key.
struct ConflationTests {
    private struct Quote: Sendable, Equatable, ExpressibleByStringLiteral {
        let symbol: String
        let price: Int

        init(_ symbol: String, _ price: Int) { (self.symbol, self.price) = (symbol, price) }

        /// `a1` has the symbol a and the price 1.
        init(stringLiteral text: String) { self.init(String(text.prefix(1)), Int(text.dropFirst()) ?? 0) }
    }

    private enum Source: String, CaseIterable {
        case signal, producer

        func observe(
            _ signal: Signal<Quote, Never>, on scheduler: any Scheduler, _ statistics: BufferStatistics,
            _ recorder: EventRecorder<Quote, Never>
        ) -> (any Disposable)? {
            switch self {
            case .signal:
                signal.observe(on: scheduler, latestBy: \.symbol, statistics: statistics).observe(recorder.observer)
            case .producer:
                SignalProducer(signal).observe(on: scheduler, latestBy: { $0.symbol }, statistics: statistics)
                    .start(recorder.observer)
            }
        }
    }

    @Test(arguments: Source.allCases)
    private func theLatestValueOfEachKeyIsDeliveredInTheOrderOfTheKeys(source: Source) {
        let (scheduler, statistics) = (TestScheduler(), BufferStatistics())
        let (output, input) = Signal<Quote, Never>.pipe()
        let recorder = EventRecorder<Quote, Never>()
        let observation = source.observe(output, on: scheduler, statistics, recorder)
        for quote: Quote in ["a1", "b1", "a2", "a3", "b2"] { input.send(value: quote) }
        #expect(recorder.events.isEmpty)
        #expect((statistics.sent, statistics.waiting, statistics.replaced) == (5, 2, 3))
        scheduler.advance()
        #expect(recorder.values == ["a3", "b2"])
        // A key that has been delivered comes last.
        for quote: Quote in ["b3", "a4", "b4"] { input.send(value: quote) }
        input.sendCompleted()
        scheduler.advance()
        #expect(recorder.values == ["a3", "b2", "b4", "a4"] && recorder.termination == .completed)
        #expect((statistics.sent, statistics.delivered) == (8, 4))
        #expect((statistics.dropped, statistics.replaced, statistics.waiting) == (4, 4, 0))
        withExtendedLifetime(observation) {}
    }

    @Test(arguments: Source.allCases)
    private func anInterruptionDropsWhatWaits(source: Source) {
        let (scheduler, statistics) = (TestScheduler(), BufferStatistics())
        let recorder = EventRecorder<Quote, Never>()
        do {
            let (output, input) = Signal<Quote, Never>.pipe()
            let observation = source.observe(output, on: scheduler, statistics, recorder)
            for quote: Quote in ["a1", "b1", "a2"] { input.send(value: quote) }
            input.sendInterrupted()
            scheduler.advance()
            withExtendedLifetime(observation) {}
        }
        #expect(recorder.events == [.interrupted])
        #expect((statistics.sent, statistics.delivered) == (3, 0))
        #expect((statistics.dropped, statistics.replaced, statistics.waiting) == (3, 1, 0))
    }

    /// Each start and each iteration has values of its own.
    @Test func startsShareNothing() {
        let scheduler = TestScheduler()
        let (output, input) = Signal<Quote, Never>.pipe()
        let conflated = SignalProducer(output).observe(on: scheduler, latestBy: { $0.symbol })
        let recorders = (0..<2).map { _ in EventRecorder<Quote, Never>() }
        for recorder in recorders { conflated.start(recorder.observer) }
        for quote: Quote in ["a1", "a2"] { input.send(value: quote) }
        scheduler.advance()
        for recorder in recorders { #expect(recorder.values == ["a2"]) }
    }

    @Test func keysWithoutAValueAreForgotten() {
        let conflation = Conflation<Int, Int>(by: { $0 }, counting: nil)
        for number in 0..<10_000 {
            let cell = conflation.put(number)
            #expect(cell?.take() == number)
            #expect(conflation.cells.count <= 64)
        }
        // Those with a value aren't.
        let waiting = (0..<1_000).compactMap { conflation.put($0) }
        #expect(waiting.count == 1_000)
        #expect((0..<1_000).allSatisfy { conflation.put($0) == nil })
        #expect(waiting.compactMap { $0.take() } == Array(0..<1_000))
    }

    /// What a closure of the user's does when a value is released isn't done while the flag is held.
    @Test func aReplacedValueIsReleasedOutsideTheFlag() {
        final class Value: Sendable {
            let onRelease: @Sendable () -> Void
            init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        let conflation = Conflation<Int, Value>(by: { _ in 0 }, counting: nil)
        let released = Counter()
        let cell = conflation.put(Value { released.increment() })
        let isNil = Flag()
        _ = conflation.put(Value { if cell?.isEmpty == true { isNil.raise() } })
        #expect(released.value == 1)
        _ = cell?.take()
        #expect(isNil.isRaised)
    }

    /// The last value of each key arrives, prices of a key only rise, and no value is uncounted.
    @Test(arguments: ["queue", "thread", "pool"])
    func underThreads(way: String) async {
        let (statistics, delivered) = (BufferStatistics(), Atomic<[Int: [Int]]>([:]))
        let (output, input) = Signal<(key: Int, number: Int), Never>.pipe()
        let senders = 4
        let keys = 3
        func deliver(_ value: (key: Int, number: Int)) {
            delivered.modify { $0[value.key, default: []].append(value.number) }
        }
        let pool = QueueSchedulerPool(count: 2, qos: .default, name: "conflation")
        let thread = ThreadScheduler(name: "conflation")
        let result: Signal<(key: Int, number: Int), Never> =
            switch way {
            case "queue":
                output.observe(
                    on: QueueScheduler(qos: .default, name: "conflation"), latestBy: { $0.key }, statistics: statistics)
            case "thread": output.observe(on: thread, latestBy: { $0.key }, statistics: statistics)
            default: output.observe(on: pool, latestBy: { $0.key }, statistics: statistics) { $0 }
            }
        let ended = Flag()
        result.observe { event in
            if case .value(let value) = event { deliver(value) } else { ended.raise() }
        }
        let group = DispatchGroup()
        let count = 20_000
        for sender in 0..<senders {
            group.enter()
            Thread.detachNewThread {
                for number in 0..<count { input.send(value: (key: sender * keys + number % keys, number: number)) }
                group.leave()
            }
        }
        #expect(await Stress.eventually { group.wait(timeout: .now()) == .success })
        input.sendCompleted()
        #expect(await Stress.eventually { ended.isRaised })
        for (key, numbers) in delivered.value {
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(key)")
            #expect(numbers.last == (0..<count).last { $0 % keys == key % keys }, "\(key)")
        }
        #expect(delivered.value.count == senders * keys)
        #expect(statistics.sent == senders * count && statistics.waiting == 0)
        #expect(statistics.delivered == delivered.value.values.map(\.count).reduce(0, +))
        #expect(statistics.dropped == statistics.replaced)
    }

    @Test func aTaskGetsTheLatestValueOfEachKey() async throws {
        let (output, input) = Signal<Quote, Never>.pipe()
        let statistics = BufferStatistics()
        let quotes = output.values(latestBy: { $0.symbol }, statistics: statistics)
        var (iterator, other) = (quotes.makeAsyncIterator(), quotes.makeAsyncIterator())
        for quote: Quote in ["a1", "b1", "a2"] { input.send(value: quote) }
        #expect(await iterator.next(isolation: nil) == "a2")
        input.send(value: "a3")
        input.sendCompleted()
        #expect(await iterator.next(isolation: nil) == "b1")
        #expect(await iterator.next(isolation: nil) == "a3")
        #expect(await iterator.next(isolation: nil) == nil)
        #expect(await other.next(isolation: nil) == "a3")
        #expect(await other.next(isolation: nil) == "b1")
        #expect(await other.next(isolation: nil) == nil)
        #expect((statistics.sent, statistics.delivered, statistics.replaced) == (8, 5, 3))
    }
}
