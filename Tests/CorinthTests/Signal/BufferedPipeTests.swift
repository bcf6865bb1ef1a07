@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `Signal.pipe(buffering:)`: how it handles values that are sent while another event is in progress.
struct BufferedPipeTests {
    /// Sends 0, and calls `queue` from inside its delivery. Returns the observed events.
    private func events<E: Error & Equatable>(
        _ policy: BufferingPolicy<E>, _ statistics: BufferStatistics? = nil,
        _ queue: sending @escaping (Signal<Int, E>.Observer) -> Void
    ) -> [Signal<Int, E>.Event] {
        let (output, input) = Signal<Int, E>.pipe(buffering: policy, statistics: statistics)
        let recorder = EventRecorder<Int, E>()
        output.observe(recorder.observer)
        output.observe { if $0.value == 0 { queue(input) } }
        input.send(value: 0)
        defer { input.sendCompleted() }
        return recorder.events
    }

    @Test func dropNewest() {
        let statistics = BufferStatistics()
        let events = events(BufferingPolicy<Never>.dropNewest(capacity: 2), statistics) { input in
            for value in 1...4 { input.send(value: value) }
            #expect(statistics.waiting == 2 && statistics.dropped == 2)
        }
        #expect(events == [.value(0), .value(1), .value(2)])
        #expect(statistics.sent == 5 && statistics.delivered == 3 && statistics.dropped == 2)
    }

    @Test func dropOldest() {
        let statistics = BufferStatistics()
        let events = events(BufferingPolicy<Never>.dropOldest(capacity: 2), statistics) { input in
            for value in 1...4 { input.send(value: value) }
        }
        #expect(events == [.value(0), .value(3), .value(4)])
        #expect(statistics.sent == 5 && statistics.delivered == 3 && statistics.dropped == 2)
    }

    @Test func latest() {
        let events = events(BufferingPolicy<Never>.latest) { input in
            for value in 1...4 { input.send(value: value) }
        }
        #expect(events == [.value(0), .value(4)])
    }

    @Test func failing() {
        let statistics = BufferStatistics()
        let events = events(.failing(capacity: 2, with: TestError.first), statistics) { input in
            for value in 1...4 { input.send(value: value) }
            input.sendCompleted()
        }
        #expect(events == [.value(0), .value(1), .value(2), .failed(.first)])
        #expect(statistics.sent == 5 && statistics.delivered == 3 && statistics.dropped == 2)
    }

    @Test func unbounded() {
        let statistics = BufferStatistics()
        let events = events(BufferingPolicy<Never>.unbounded, statistics) { input in
            for value in 1...40_000 { input.send(value: value) }
        }
        #expect(events == (0...40_000).map { .value($0) })
        #expect(statistics.delivered == 40_001 && statistics.waiting == 0)
    }

    @Test(arguments: [BufferingPolicy<Never>.blocking(capacity: 2), .blocking(capacity: 2, stallTimeout: .seconds(0))])
    func blocking(policy: BufferingPolicy<Never>) {
        let statistics = BufferStatistics()
        // A thread doesn't wait for itself.
        let events = events(policy, statistics) { input in
            for value in 1...4 { input.send(value: value) }
        }
        #expect(events == (0...4).map { .value($0) })
        #expect(statistics.sent == 5 && statistics.delivered == 5)
    }

    /// A terminating event always fits into the buffer, and follows the buffered values.
    @Test(arguments: [BufferingPolicy<TestError>.dropNewest(capacity: 1), .dropOldest(capacity: 1)])
    func endHasPlace(policy: BufferingPolicy<TestError>) {
        let events = events(policy) { input in
            input.send(value: 1)
            input.send(error: .first)
            input.send(value: 2)
            input.sendCompleted()
            input.sendInterrupted()
        }
        #expect(events == [.value(0), .value(1), .failed(.first)])
    }

    @Test(arguments: [BufferingPolicy<TestError>.dropNewest(capacity: 8), .dropOldest(capacity: 8), .unbounded])
    func `E6: buffered values are dropped and counted`(policy: BufferingPolicy<TestError>) {
        let statistics = BufferStatistics()
        let events = events(policy, statistics) { input in
            input.send(value: 1)
            input.sendInterrupted()
            input.send(value: 2)
        }
        #expect(events == [.value(0), .interrupted])
        #expect(statistics.sent == 3 && statistics.delivered == 1 && statistics.dropped == 2)
    }

    /// Dropped values are released. So are values that are buffered when the signal ends.
    @Test func releases() {
        let leaks = LeakCounter()
        do {
            let (output, input) = Signal<LeakCounter.Token, Never>.pipe(buffering: .dropOldest(capacity: 3))
            let isFirst = Atomic(true)
            output.observeValues { _ in
                guard isFirst.swap(false) else { return }
                for _ in 0..<10 { input.send(value: leaks.token()) }
                #expect(leaks.count == 4)
                input.sendInterrupted()
                #expect(leaks.count == 1)
            }
            input.send(value: leaks.token())
        }
        #expect(leaks.count == 0)
    }

    /// When the input is released, the signal is interrupted and its disposable is disposed of.
    @Test(arguments: [BufferingPolicy<Never>.dropNewest(capacity: 1), .blocking(capacity: 1), .unbounded])
    func inputIsReleased(policy: BufferingPolicy<Never>) {
        let disposable = AnyDisposable()
        let recorder = EventRecorder<Int, Never>()
        do {
            let (output, input) = Signal<Int, Never>.pipe(
                buffering: policy, statistics: BufferStatistics(), disposable: disposable)
            output.observe(recorder.observer)
            input.send(value: 1)
            #expect(!disposable.isDisposed)
        }
        #expect(recorder.events == [.value(1), .interrupted] && disposable.isDisposed)
    }

    /// Each sender's values arrive in FIFO order, none twice, and every value is counted.
    @Test(arguments: [
        BufferingPolicy<Never>.dropNewest(capacity: 8), .dropOldest(capacity: 8), .latest, .blocking(capacity: 8),
        .unbounded,
    ])
    func manySenders(policy: BufferingPolicy<Never>) {
        let statistics = BufferStatistics()
        let (output, input) = Signal<(sender: Int, number: Int), Never>.pipe(buffering: policy, statistics: statistics)
        // One thread at a time writes this: the strand's owner, during a delivery.
        let last = Atomic([-1, -1, -1, -1])
        let delivered = Counter()
        let disorder = Counter()
        output.observeValues { value in
            delivered.increment()
            last.modify {
                if $0[value.sender] >= value.number { disorder.increment() }
                $0[value.sender] = value.number
            }
        }
        ThreadGroup.run(4) { sender in
            for number in 0..<5_000 { input.send(value: (sender, number)) }
        }
        #expect(Stress.eventually { statistics.waiting == 0 })
        #expect(disorder.value == 0)
        #expect(statistics.sent == 20_000)
        #expect(Stress.eventually { statistics.delivered == delivered.value })
        if case .dropping = policy.kind {} else { #expect(delivered.value == 20_000) }
    }

    /// A slow observer never leaves more values undelivered than the capacity.
    @Test func boundHolds() {
        let statistics = BufferStatistics()
        let leaks = LeakCounter()
        let (output, input) = Signal<LeakCounter.Token, Never>.pipe(
            buffering: .dropNewest(capacity: 16), statistics: statistics)
        let gate = DispatchSemaphore(value: 0)
        let inside = DispatchSemaphore(value: 0)
        output.observeValues { _ in
            inside.signal()
            gate.wait()
        }
        let slow = Flag()
        Thread.detachNewThread {
            input.send(value: leaks.token())
            slow.raise()
        }
        inside.wait()
        ThreadGroup.run(3) { _ in for _ in 0..<1_000 { input.send(value: leaks.token()) } }
        #expect(leaks.count == 17 && statistics.waiting == 16 && statistics.dropped == 3_000 - 16)
        for _ in 0..<17 { gate.signal() }
        #expect(Stress.eventually { slow.isRaised && statistics.delivered == 17 })
    }
}
