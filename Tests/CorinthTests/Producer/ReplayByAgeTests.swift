@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `replayLazily(upTo:for:on:)`: later starts get the values that aren't too old.
struct ReplayByAgeTests {
    @Test func marbles() {
        let scheduler = TestScheduler()
        let producer = scheduler.cold("1---2---3--|").replayLazily(for: 3, on: scheduler)
        let begin = scheduler.currentDate
        let first = scheduler.record(producer)
        scheduler.advance(by: .seconds(6))
        let second = scheduler.record(producer, since: begin)
        scheduler.run()
        #expect(first.marbles == "1---2---3--|")
        #expect(second.marbles == "------2-3--|")
    }

    /// A pipe, replayed for 3 s.
    private struct Replayed {
        let scheduler = TestScheduler()
        let leaks = LeakCounter()
        let input: Signal<(Int, LeakCounter.Token), TestError>.Observer
        let producer: SignalProducer<Int, TestError>
        let start: any Disposable

        init(upTo capacity: Int = .max, for age: TimeInterval = 3) {
            let (signal, input) = Signal<(Int, LeakCounter.Token), TestError>.pipe()
            self.input = input
            producer = SignalProducer(signal).replayLazily(upTo: capacity, for: age, on: scheduler).map { $0.0 }
            start = producer.start()
        }

        func send(_ value: Int) { input.send(value: (value, leaks.token())) }

        /// Sends the values, one each second.
        func send(_ values: ClosedRange<Int>) {
            for value in values {
                send(value)
                scheduler.advance(by: .seconds(1))
            }
        }

        /// What a start gets at once.
        var values: [Int] {
            let recorder = EventRecorder<Int, TestError>()
            producer.start(recorder.observer).dispose()
            return recorder.values
        }
    }

    @Test(arguments: [(0, []), (1, [5]), (2, [4, 5]), (.max, [3, 4, 5])])
    func `Both the age and the capacity are limits`(capacity: Int, kept: [Int]) {
        let replayed = Replayed(upTo: capacity)
        replayed.send(1...5)
        #expect(replayed.values == kept)
        replayed.scheduler.advance(by: .seconds(2))
        #expect(replayed.values == kept.suffix(1))
        replayed.scheduler.advance(by: .seconds(1))
        #expect(replayed.values.isEmpty)
        replayed.send(6)
        #expect(replayed.values == (capacity == 0 ? [] : [6]))
    }

    @Test(arguments: [0, .infinity])
    func theSmallestAndTheGreatestAge(age: TimeInterval) {
        let replayed = Replayed(for: age)
        replayed.send(1...5)
        replayed.send(6)
        replayed.send(7)
        #expect(replayed.values == (age == 0 ? [6, 7] : [1, 2, 3, 4, 5, 6, 7]))
    }

    @Test func duration() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let producer = signal.producer.replayLazily(for: .seconds(3), on: scheduler)
        let age: Duration = .milliseconds(500)
        let shorter = signal.producer.replayLazily(upTo: 9, for: age, on: scheduler)
        let starts = [producer.start(), shorter.start()]
        input.send(value: 1)
        scheduler.advance(by: .seconds(1))
        let recorders = (0..<2).map { _ in EventRecorder<Int, Never>() }
        producer.start(recorders[0].observer)
        shorter.start(recorders[1].observer)
        #expect(recorders.map(\.values) == [[1], []])
        withExtendedLifetime((starts, input)) {}
    }

    @Test(arguments: [1, .max])
    func `A value that is too old is released by the next one, or by a start`(capacity: Int) {
        let replayed = Replayed(upTo: capacity)
        replayed.send(1)
        replayed.send(2)
        replayed.scheduler.advance(by: .seconds(9))
        #expect(replayed.leaks.count == min(capacity, 2))
        replayed.send(3)
        #expect(replayed.leaks.count == 1)
        replayed.scheduler.advance(by: .seconds(9))
        #expect(replayed.values.isEmpty)
        #expect(replayed.leaks.count == 0)
    }

    @Test(arguments: [1, .max], [Signal<Int, TestError>.Event.completed, .failed(.first), .interrupted])
    func `The end is replayed, however old it is`(capacity: Int, end: Signal<Int, TestError>.Event) {
        let replayed = Replayed(upTo: capacity)
        replayed.send(1)
        replayed.input.send(end.map { ($0, replayed.leaks.token()) })
        let recorder = EventRecorder<Int, TestError>()
        replayed.producer.start(recorder.observer)
        #expect(recorder.events == [.value(1), end])
        replayed.scheduler.advance(by: .seconds(9))
        let late = EventRecorder<Int, TestError>()
        replayed.producer.start(late.observer)
        #expect(late.events == [end])
        #expect(replayed.leaks.count == 0)
    }

    /// The iteration goes on over values that are dropped meanwhile.
    @Test func `Values that become too old during a start are sent by it`() {
        let replayed = Replayed()
        for value in 1...4 { replayed.send(value) }
        let (outer, inner) = (EventRecorder<Int, TestError>(), EventRecorder<Int, TestError>())
        let start = replayed.producer.start { event in
            outer.observer.send(event)
            guard event.value == 2 else { return }
            replayed.scheduler.advance(by: .seconds(9))
            replayed.producer.start(inner.observer)
            replayed.send(5)
        }
        #expect(outer.values == [1, 2, 3, 4, 5])
        #expect(inner.values == [5])
        #expect(replayed.leaks.count == 1)
        // It keeps what it follows.
        start.dispose()
    }

    @Test func aLongBuffer() {
        ThreadGroup.run(1) { _ in
            let replayed = Replayed()
            for value in 0..<100_000 { replayed.send(value) }
            replayed.scheduler.advance(by: .seconds(9))
            #expect(replayed.values.isEmpty)
            #expect(replayed.leaks.count == 0)
        }
    }

    /// Starts and sends run concurrently, while the values become old. Each start receives successive values, up to the last.
    @Test(arguments: [1, 10, .max]) func startsWhileSending(capacity: Int) {
        let last = Stress.fewer(5_000)
        let scheduler = QueueScheduler(name: "clock")
        let (signal, input) = Signal<Int, Never>.pipe()
        let producer = signal.producer.replayLazily(upTo: capacity, for: 0.000_1, on: scheduler)
        let first = producer.start()
        ThreadGroup.run(3) { thread in
            if thread == 0 {
                for value in 0...last { input.send(value: value) }
                input.sendCompleted()
            } else {
                for _ in 0..<20 {
                    let recorder = EventRecorder<Int, Never>()
                    let ended = DispatchSemaphore(value: 0)
                    producer.start { event in
                        recorder.observer.send(event)
                        if event.isTerminating { ended.signal() }
                    }
                    ended.wait(orElse: "the stream has not ended")
                    let values = recorder.values
                    #expect(zip(values, values.dropFirst()).allSatisfy { $0 + 1 == $1 })
                    #expect(values.isEmpty || values.last == last)
                }
            }
        }
        withExtendedLifetime(first) {}
    }

    // MARK: A clock that is set

    /// Values each second on a clock that is set at 10.5. Returns the oldest value that a start gets, at each second.
    private func oldest(jumpingBy distance: TimeInterval) -> [Int?] {
        let clock = JumpingClock()
        let (signal, input) = Signal<Int, Never>.pipe()
        let producer = signal.producer.replayLazily(for: 5, on: clock)
        let first = producer.start()
        var oldest: [Int?] = []
        for second in 0...30 {
            clock.scheduler.advance(to: Date(timeIntervalSinceReferenceDate: TimeInterval(second)))
            if second <= 20 { input.send(value: second) }
            let recorder = EventRecorder<Int, Never>()
            producer.start(recorder.observer).dispose()
            oldest.append(recorder.values.first)
            if second == 10 {
                clock.scheduler.advance(by: .milliseconds(500))
                clock.jump(by: distance)
            }
        }
        withExtendedLifetime((first, input)) {}
        return oldest
    }

    @Test func `If the clock is set back, the second in which it was doesn't count`() {
        let usual = oldest(jumpingBy: 0)
        #expect(usual[20] == 15 && usual[25] == 20 && usual[26] == nil)
        let jumped = oldest(jumpingBy: -3600)
        for second in 0...30 {
            let expected: Int? =
                switch second {
                // The second from 10 to 11 is missing.
                case 11...16: max(second - 6, 0)
                default: usual[second]
                }
            #expect(jumped[second] == expected, "at \(second)")
        }
    }

    @Test func `If the clock is set forward, the earlier values are too old`() {
        let (usual, jumped) = (oldest(jumpingBy: 0), oldest(jumpingBy: 3600))
        for second in 0...30 { #expect(jumped[second] == (11...15 ~= second ? 11 : usual[second]), "at \(second)") }
    }

    /// A clock of which a thread has a reading that is older than that of another thread.
    @Test func `A reading that another thread has overtaken doesn't count as a clock that was set back`() {
        let clock = InterruptedClock()
        let shared = SharedClock(clock)
        #expect(shared.now().timeIntervalSinceReferenceDate == 0)
        // While this one reads 1, another one reads 5.
        clock.time.value = 1
        clock.interruption.value = {
            clock.time.value = 5
            #expect(shared.now().timeIntervalSinceReferenceDate == 5)
        }
        #expect(shared.now().timeIntervalSinceReferenceDate == 5)
        clock.time.value = 6
        #expect(shared.now().timeIntervalSinceReferenceDate == 6)
        // It is set back.
        clock.time.value = 2
        #expect(shared.now().timeIntervalSinceReferenceDate == 6)
        clock.time.value = 3
        #expect(shared.now().timeIntervalSinceReferenceDate == 7)
    }

    /// A clock that does something between a reading and its return.
    private final class InterruptedClock: DateScheduler {
        let time = Atomic(0.0)
        let interruption = Atomic<(@Sendable () -> Void)?>(nil)

        var currentDate: Date {
            let date = Date(timeIntervalSinceReferenceDate: time.value)
            interruption.swap(nil)?()
            return date
        }

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { nil }

        func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? { nil }

        func schedule(
            after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
            action: sending @escaping () -> Void
        ) -> (any Disposable)? { nil }
    }
}
