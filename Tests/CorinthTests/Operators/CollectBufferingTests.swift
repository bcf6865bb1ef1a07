@testable import Corinth
import CorinthTesting
import Dispatch
import Testing

/// Collecting with a capacity.
struct CollectBufferingTests {
    typealias Policy = BufferingPolicy<TestError>

    private static func overloads(
        _ policy: Policy, counting statistics: BufferStatistics? = nil
    ) -> Overloads<Int, TestError, [Int], TestError> {
        Overloads(
            { $0.collect(bufferingPolicy: policy, statistics: statistics) },
            { $0.collect(bufferingPolicy: policy, statistics: statistics) })
    }

    @Test(arguments: [1, 2, 3, 7])
    func drops(capacity: Int) {
        let values = Array(1...7)
        Self.overloads(.dropNewest(capacity: capacity))
            .expect([.value(Array(values.prefix(capacity))), .completed], of: values, then: .completed)
        Self.overloads(.dropOldest(capacity: capacity))
            .expect([.value(Array(values.suffix(capacity))), .completed], of: values, then: .completed)
        Self.overloads(.unbounded).expect([.value(values), .completed], of: values, then: .completed)
    }

    @Test func nothing() {
        Self.overloads(.latest).expect([.value([]), .completed], of: [], then: .completed)
        Self.overloads(.latest).expect([.failed(.first)], of: [1, 2], then: .failed(.first))
        Self.overloads(.latest).expect([.interrupted], of: [1, 2], then: .interrupted)
        Self.overloads(.latest).expectDisposal(after: [1, 2], gives: [])
    }

    @Test func `E6: it fails at once, drops the collected values, and cancels its source`() {
        let overloads = Self.overloads(.failing(capacity: 2, with: .second))
        overloads.expect([.failed(.second)], of: [1, 2, 3, 4], then: .completed)
        overloads.expect([.value([1, 2]), .completed], of: [1, 2], then: .completed)
        overloads.expectEnd(after: [1, 2, 3], gives: [.failed(.second)])
        overloads.expectDisposal(after: [1, 2], gives: [])
    }

    @Test(arguments: terminations)
    func counts(termination: Signal<Int, TestError>.Event) {
        let statistics = BufferStatistics()
        let overloads = Self.overloads(.dropOldest(capacity: 2), counting: statistics)
        _ = overloads.synchronousEvents(of: [1, 2, 3], then: termination)
        let delivers = termination == .completed
        statistics.expect(sent: 6, delivered: delivers ? 4 : 0, dropped: delivers ? 2 : 6)
        _ = overloads.disposals(after: [1, 2, 3])
        #expect(statistics.sent == 9 && statistics.waiting == 0)
        _ = overloads.signalEvents(of: [1, 2, 3], then: termination)
        #expect(statistics.sent == 12 && statistics.waiting == 0)
    }

    @Test func `S3: a signal that can't be observed any more releases and counts its collected values`() {
        let statistics = BufferStatistics()
        let leaks = LeakCounter()
        let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
        do {
            let observation = signal.collect(bufferingPolicy: .dropOldest(capacity: 3), statistics: statistics)
                .observeValues { _ in }
            for _ in 0..<5 { input.send(value: leaks.token()) }
            #expect(leaks.count == 3)
            observation?.dispose()
        }
        #expect(leaks.count == 0)
        #expect(statistics.sent == 5 && statistics.dropped == 5)
    }

    // MARK: At each tick of a timer

    private final class Collected {
        let scheduler = TestScheduler()
        let recorder = EventRecorder<[Int], TestError>()
        let statistics = BufferStatistics()
        let input: Signal<Int, TestError>.Observer

        init(_ policy: Policy, discardWhenCompleted: Bool = true) {
            let (signal, input) = Signal<Int, TestError>.pipe()
            self.input = input
            signal.collect(
                every: .seconds(3), on: scheduler, discardWhenCompleted: discardWhenCompleted, bufferingPolicy: policy,
                statistics: statistics
            ).observe(recorder.observer)
        }

        func send(_ values: ClosedRange<Int>) {
            for value in values { input.send(value: value) }
        }

        deinit {
            input.sendCompleted()
            scheduler.run()
        }
    }

    @Test func everyTick() {
        let newest = Collected(.dropNewest(capacity: 2))
        let oldest = Collected(.dropOldest(capacity: 2))
        for collected in [newest, oldest] {
            for tick in 0..<3 {
                collected.send(tick * 10...tick * 10 + 4)
                collected.scheduler.advance(by: .seconds(3))
            }
            collected.statistics.expect(sent: 15, delivered: 6, dropped: 9)
        }
        #expect(newest.recorder.values == [[0, 1], [10, 11], [20, 21]])
        #expect(oldest.recorder.values == [[3, 4], [13, 14], [23, 24]])
    }

    @Test func everyTickFailing() {
        let collected = Collected(.failing(capacity: 2, with: .second))
        collected.send(1...2)
        collected.scheduler.advance(by: .seconds(3))
        collected.send(3...6)
        collected.scheduler.advance()
        #expect(collected.recorder.events == [.value([1, 2]), .failed(.second)])
        collected.statistics.expect(sent: 6, delivered: 2, dropped: 4)
    }

    @Test(arguments: [true, false])
    func everyTickEnds(discards: Bool) {
        for end in terminations {
            let collected = Collected(.dropOldest(capacity: 2), discardWhenCompleted: discards)
            collected.send(1...3)
            collected.input.send(end)
            collected.scheduler.advance(by: .seconds(3))
            let delivers = end == .completed && !discards
            #expect(collected.recorder.events == (delivers ? [.value([2, 3])] : []) + [end.map { [$0] }])
            collected.statistics.expect(sent: 3, delivered: delivers ? 2 : 0, dropped: delivers ? 1 : 3)
        }
    }

    /// A sender waits until a tick has freed capacity.
    @Test func everyTickBlocking() {
        let statistics = BufferStatistics()
        let (signal, input) = Signal<Int, Never>.pipe()
        signal.collect(
            every: .milliseconds(1), on: QueueScheduler(name: "test"),
            bufferingPolicy: .blocking(capacity: 2, stallTimeout: .seconds(60)), statistics: statistics
        ).observeValues { _ in }
        for sent in 1...20 {
            input.send(value: sent)
            #expect(statistics.delivered >= sent - 2)
        }
        #expect(statistics.dropped == 0)
    }
}
