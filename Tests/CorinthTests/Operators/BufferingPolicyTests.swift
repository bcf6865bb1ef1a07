@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// What the policies do with values that exceed the capacity, on one thread at a time.
struct BufferingPolicyTests {
    typealias Policy = BufferingPolicy<TestError>

    /// A hop whose scheduler the test runs.
    private final class Hop {
        let scheduler = StepScheduler()
        let recorder = EventRecorder<Int, TestError>()
        let statistics = BufferStatistics()
        let input: Signal<Int, TestError>.Observer

        init(_ policy: Policy) {
            let (signal, input) = Signal<Int, TestError>.pipe()
            self.input = input
            signal.observe(on: scheduler, bufferingPolicy: policy, statistics: statistics).observe(recorder.observer)
        }

        func send(_ values: some Sequence<Int>) {
            for value in values { input.send(value: value) }
        }

        deinit {
            input.sendCompleted()
            scheduler.run()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64, 100])
    func dropNewest(capacity: Int) {
        let hop = Hop(.dropNewest(capacity: capacity))
        for round in 1...5 {
            hop.send(0..<150)
            hop.scheduler.run()
            hop.statistics.expect(sent: round * 150, delivered: round * capacity, dropped: round * (150 - capacity))
        }
        #expect(hop.recorder.values == (0..<5).flatMap { _ in 0..<capacity })
    }

    @Test(arguments: [1, 2, 3, 7, 64, 100])
    func dropOldest(capacity: Int) {
        let hop = Hop(.dropOldest(capacity: capacity))
        for round in 1...5 {
            hop.send(0..<150)
            hop.statistics.expect(
                sent: round * 150, delivered: (round - 1) * capacity, dropped: round * (150 - capacity))
            hop.scheduler.run()
            hop.statistics.expect(sent: round * 150, delivered: round * capacity, dropped: round * (150 - capacity))
        }
        #expect(hop.recorder.values == (0..<5).flatMap { _ in (150 - capacity)..<150 })
    }

    @Test func latest() {
        let hop = Hop(.latest)
        for number in 1...10 {
            hop.send([number * 10, number * 10 + 1])
            hop.scheduler.run()
        }
        #expect(hop.recorder.values == (1...10).map { $0 * 10 + 1 })
        #expect(hop.scheduler.count == 0)
        hop.statistics.expect(sent: 20, delivered: 10, dropped: 10)
    }

    /// Buffered values are delivered before the failure, and nothing follows it.
    @Test func failing() {
        let hop = Hop(.failing(capacity: 3, with: .second))
        hop.send(0..<3)
        hop.scheduler.run()
        hop.send(3..<10)
        #expect(hop.recorder.values == [0, 1, 2])
        hop.input.send(error: .first)
        hop.scheduler.run()
        #expect(hop.recorder.events == (0..<6).map { .value($0) } + [.failed(.second)])
        hop.statistics.expect(sent: 10, delivered: 6, dropped: 4)
    }

    /// The sender's thread also runs the scheduler, so each stall timeout admits one more capacity.
    @Test func blockingOnAUserScheduler() {
        let hop = Hop(.blocking(capacity: 100, stallTimeout: .milliseconds(5)))
        for round in 0..<2 {
            hop.send(0..<1000)
            #expect(hop.statistics.waiting == 1000, "round \(round)")
            hop.scheduler.run()
        }
        #expect(hop.recorder.values == Array(0..<1000) + Array(0..<1000))
        hop.statistics.expect(sent: 2000, delivered: 2000, dropped: 0)
    }

    private static let policies: [Policy] = [
        .unbounded, .blocking(capacity: 8), .dropNewest(capacity: 8), .dropOldest(capacity: 8),
        .failing(capacity: 8, with: .second),
    ]

    @Test(arguments: policies)
    func `E6: a completion follows the buffered values, and always fits into the buffer`(policy: Policy) {
        let hop = Hop(policy)
        hop.send(0..<8)
        hop.input.sendCompleted()
        #expect(hop.recorder.events.isEmpty)
        hop.scheduler.run()
        #expect(hop.recorder.events == (0..<8).map { .value($0) } + [.completed])
        hop.statistics.expect(sent: 8, delivered: 8, dropped: 0)
    }

    @Test(arguments: policies)
    func `C3: a failure stays behind the buffered values`(policy: Policy) {
        let hop = Hop(policy)
        hop.send(0..<8)
        hop.input.send(error: .first)
        hop.scheduler.run()
        #expect(hop.recorder.events == (0..<8).map { .value($0) } + [.failed(.first)])
    }

    @Test(arguments: policies)
    func `C3: an interruption drops the buffered values, and they are counted`(policy: Policy) {
        let hop = Hop(policy)
        hop.send(0..<2)
        hop.scheduler.run()
        hop.send(2..<8)
        hop.input.sendInterrupted()
        hop.scheduler.run()
        #expect(hop.recorder.events == [.value(0), .value(1), .interrupted])
        hop.statistics.expect(sent: 8, delivered: 2, dropped: 6)
    }

    /// Disposing of a start interrupts and cancels it, also if the hop has failed but not yet delivered the failure.
    @Test(arguments: policies, [5, 20])
    func `P2: disposal`(policy: Policy, count: Int) {
        let scheduler = StepScheduler()
        let recorder = EventRecorder<Int, TestError>()
        let leaks = LeakCounter()
        let disposable = SignalProducer<Int, TestError> { [leaks] observer, lifetime in
            let token = leaks.token()
            lifetime.observeEnded { token.touch() }
            for value in 0..<count { observer.send(value: value) }
            _ = lifetime += AnyDisposable { withExtendedLifetime(observer) {} }
        }
        .observe(on: scheduler, bufferingPolicy: policy)
        .start(recorder.observer)
        disposable.dispose()
        scheduler.run()
        #expect(recorder.events == [.interrupted])
        #expect(leaks.count == 0)
    }

    @Test func `X2: a sender that waits goes on when the hop is disposed of, even if its scheduler never runs`() {
        let scheduler = StepScheduler()
        let statistics = BufferStatistics()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let observation = signal.observe(
            on: scheduler, bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never), statistics: statistics
        ).observe { _ in }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for value in 0..<2 { input.send(value: value) }
            isDone.signal()
        }
        #expect(Stress.eventually { statistics.heldWord.load(.relaxed) == 1 })
        observation?.dispose()
        isDone.wait(orElse: "the sender still waits")
        // It keeps the hop.
        scheduler.run()
    }

    /// A hop that fails cancels its source at once, and delivers the buffered values.
    @Test func failingCancelsTheSource() {
        let scheduler = StepScheduler()
        let recorder = EventRecorder<Int, TestError>()
        let ended = Atomic(0)
        let (signal, input) = Signal<Int, TestError>.pipe()
        SignalProducer(signal)
            .on(disposed: { ended.modify { $0 += 1 } })
            .observe(on: scheduler, bufferingPolicy: .failing(capacity: 2, with: .second))
            .start(recorder.observer)
        for value in 0..<2 { input.send(value: value) }
        #expect(ended.value == 0)
        input.send(value: 2)
        #expect(ended.value == 1)
        scheduler.run()
        #expect(recorder.events == [.value(0), .value(1), .failed(.second)])
    }

    @Test func `P1: each start has its own buffer`() {
        let scheduler = StepScheduler()
        let statistics = BufferStatistics()
        let producer = SignalProducer<Int, TestError>(0..<10)
            .observe(on: scheduler, bufferingPolicy: .dropNewest(capacity: 3), statistics: statistics)
        let recorders = (0..<2).map { _ in EventRecorder<Int, TestError>() }
        for recorder in recorders { producer.start(recorder.observer) }
        scheduler.run()
        for recorder in recorders { #expect(recorder.values == [0, 1, 2]) }
        #expect(statistics.sent == 20)
        #expect(statistics.dropped == 14)
    }

    @Test(arguments: policies)
    func releasesQueuedValues(policy: Policy) {
        let leaks = LeakCounter()
        do {
            let scheduler = StepScheduler()
            let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
            let observation = signal.observe(on: scheduler, bufferingPolicy: policy).observe { _ in }
            defer { observation?.dispose() }
            for _ in 0..<6 { input.send(value: leaks.token()) }
            scheduler.run()
            #expect(leaks.count == 0)
            for _ in 0..<6 { input.send(value: leaks.token()) }
            #expect(leaks.count == 6)
            input.sendCompleted()
            scheduler.discard()
        }
        #if !NaiveLocks  // In the naive build, the scheduled last event holds the others.
            #expect(leaks.count == 0)
        #endif
    }

    /// On the immediate scheduler, values pass at once, and the statistics count them.
    @Test func immediately() {
        let statistics = BufferStatistics()
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>(0..<5)
            .observe(on: ImmediateScheduler(), bufferingPolicy: .latest, statistics: statistics)
            .start(recorder.observer)
        #expect(recorder.events == (0..<5).map { .value($0) } + [.completed])
        #expect(statistics.delivered == 5)
    }

    #if !NaiveLocks  // In the naive build, each value is scheduled on its own.
        /// A stream that floods its scheduler yields to what a program has queued past the library after 1,024 values. What was sent
        /// or scheduled after the values comes after them (C5).
        @Test(arguments: [Policy.unbounded, .dropOldest(capacity: 10_000), .blocking(capacity: 10_000)])
        func fairness(policy: Policy) {
            let scheduler = QueueScheduler(name: "fair", lingering: .nanoseconds(0))
            let gate = DispatchSemaphore(value: 0)
            scheduler.schedule { gate.wait() }
            let seen = Atomic<[String]>([])
            let (flood, floodInput) = Signal<Int, TestError>.pipe()
            let (slow, slowInput) = Signal<Int, TestError>.pipe()
            flood.observe(on: scheduler, bufferingPolicy: policy).observe { _ in seen.modify { $0.append("flood") } }
            slow.observe(on: scheduler).observe { _ in seen.modify { $0.append("slow") } }
            for value in 0..<5000 { floodInput.send(value: value) }
            scheduler.queue.async { seen.modify { $0.append("past") } }
            gate.signal()
            #expect(Stress.eventually { seen.value.count == 5001 })
            #expect(seen.value.firstIndex(of: "past") == 1024)
            gate.signal()
            scheduler.schedule { gate.wait() }
            for value in 0..<5000 { floodInput.send(value: value) }
            slowInput.send(value: 0)
            gate.signal()
            #expect(Stress.eventually { seen.value.count == 10_002 })
            #expect(seen.value.last == "slow")
            floodInput.sendCompleted()
            slowInput.sendCompleted()
            scheduler.queue.sync {}
        }
    #endif

    #if !NaiveLocks  // In the naive build, a hop without a policy has no bound.
        @Test func defaultPolicy() {
            func capacity(_ policy: BufferingPolicy<Never>) -> Int? {
                if case .blocking(let bound) = policy.kind { bound.capacity } else { nil }
            }
            #expect(capacity(.usual(on: QueueScheduler(name: "test"))) == 16_384)
            #expect(capacity(.usual(on: QueueScheduler.main)) == 16_384)
            #expect(capacity(.usual(on: UIScheduler())) == 16_384)
            #expect(capacity(.usual(on: TestScheduler())) == nil)
            #expect(capacity(.usual(on: StepScheduler())) == nil)
        }
    #endif
}
