@testable import Corinth
import CorinthTesting
import Dispatch
import Testing

/// A delay with a capacity for the delayed values.
struct DelayBufferingTests {
    private final class Delayed {
        let scheduler = TestScheduler()
        let recorder = EventRecorder<Int, TestError>()
        let statistics = BufferStatistics()
        let input: Signal<Int, TestError>.Observer

        init(_ policy: BufferingPolicy<TestError>) {
            let (signal, input) = Signal<Int, TestError>.pipe()
            self.input = input
            signal.delay(3, on: scheduler, bufferingPolicy: policy, statistics: statistics)
                .observe(recorder.observer)
        }

        /// Sends the numbers from 0, one per second.
        func send(_ count: Int) {
            for number in 0..<count {
                input.send(value: number)
                scheduler.advance(by: .seconds(1))
            }
        }

        deinit {
            input.sendCompleted()
            scheduler.run()
        }
    }

    @Test func `A start that fails because its buffer is full cancels its source`() {
        let scheduler = TestScheduler()
        let recorder = EventRecorder<Int, TestError>()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let isCancelled = Flag()
        SignalProducer(signal).on(disposed: { isCancelled.raise() })
            .delay(3, on: scheduler, bufferingPolicy: .failing(capacity: 1, with: .first)).start(recorder.observer)
        input.send(value: 1)
        #expect(!isCancelled.isRaised)
        input.send(value: 2)
        scheduler.advance()
        #expect(recorder.events == [.failed(.first)])
        #expect(isCancelled.isRaised)
    }

    @Test func dropNewest() {
        let delayed = Delayed(.dropNewest(capacity: 2))
        delayed.send(8)
        delayed.input.sendCompleted()
        delayed.scheduler.advance(by: .seconds(10))
        #expect(delayed.recorder.events == [0, 1, 3, 4, 6, 7].map { .value($0) } + [.completed])
        delayed.statistics.expect(sent: 8, delivered: 6, dropped: 2)
    }

    /// A dropped value's timer is dropped with it: the other values come at their own times, not earlier.
    @Test func dropOldest() {
        let delayed = Delayed(.dropOldest(capacity: 2))
        delayed.send(4)
        #expect(delayed.recorder.values.isEmpty, "0 and 1 were dropped, and 2 is due a second later")
        delayed.scheduler.advance(by: .seconds(1))
        #expect(delayed.recorder.values == [2])
        delayed.scheduler.advance(by: .seconds(1))
        #expect(delayed.recorder.values == [2, 3])
        delayed.statistics.expect(sent: 4, delivered: 2, dropped: 2)
    }

    @Test func latest() {
        let delayed = Delayed(.latest)
        delayed.send(5)
        #expect(delayed.recorder.values.isEmpty)
        delayed.scheduler.advance(by: .seconds(2))
        #expect(delayed.recorder.values == [4])
    }

    /// The same holds for the policy's failure.
    @Test func `E6: a failure isn't delayed, and drops the delayed values`() {
        let delayed = Delayed(.failing(capacity: 2, with: .second))
        delayed.send(3)
        delayed.input.send(value: 3)
        delayed.scheduler.advance()
        #expect(delayed.recorder.events == [.failed(.second)])
        delayed.statistics.expect(sent: 3, delivered: 0, dropped: 3)
    }

    @Test(arguments: [BufferingPolicy<TestError>.unbounded, .dropOldest(capacity: 4), .blocking(capacity: 4)])
    func ends(policy: BufferingPolicy<TestError>) {
        let failed = Delayed(policy)
        failed.send(2)
        failed.input.send(error: .first)
        failed.scheduler.advance()
        #expect(failed.recorder.events == [.failed(.first)])
        #expect(failed.statistics.dropped == 2)
        let interrupted = Delayed(policy)
        interrupted.send(2)
        interrupted.input.sendInterrupted()
        interrupted.scheduler.advance()
        #expect(interrupted.recorder.events == [.interrupted])
        #expect(interrupted.statistics.dropped == 2)
        let completed = Delayed(policy)
        completed.send(2)
        completed.input.sendCompleted()
        completed.scheduler.advance(by: .seconds(3))
        #expect(completed.recorder.events == [.value(0), .value(1), .completed])
        #expect(completed.statistics.delivered == 2)
    }

    /// A sender waits until a delayed value has been delivered.
    @Test func blocking() {
        let statistics = BufferStatistics()
        let (signal, input) = Signal<Int, Never>.pipe()
        signal.delay(
            0.001, on: QueueScheduler(name: "test"),
            bufferingPolicy: .blocking(capacity: 2, stallTimeout: .seconds(60)),
            statistics: statistics
        ).observeValues { _ in }
        for sent in 1...20 {
            input.send(value: sent)
            #expect(statistics.delivered >= sent - 2)
        }
    }

    @Test func `S3: a signal that can't be observed any more releases and counts its delayed values`() {
        let statistics = BufferStatistics()
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        do {
            let observation = signal.delay(3, on: scheduler, bufferingPolicy: .unbounded, statistics: statistics)
                .observeValues { _ in }
            for value in 0..<5 { input.send(value: value) }
            observation?.dispose()
        }
        #expect(statistics.sent == 5 && statistics.dropped == 5)
    }
}
