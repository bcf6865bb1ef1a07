import Corinth
import CorinthServices
import CorinthTesting
import Dispatch
import Testing

struct ObserveOnPriorityTests {
    private static func urgent(
        _ values: [Int], _ policy: BufferingPolicy<Never>? = nil, statistics: BufferStatistics? = nil
    ) -> (delivered: [Int], dropped: [Int]) {
        let scheduler = TestScheduler()
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let dropped = Atomic<[Int]>([])
        output.observe(
            on: scheduler, mostUrgentFirst: { $0 / 10 }, bufferingPolicy: policy, statistics: statistics,
            onDrop: { value in dropped.modify { $0.append(value) } }
        )
        .observe(recorder.observer)
        for value in values { input.send(value: value) }
        scheduler.advance()
        return (recorder.values, dropped.value)
    }

    @Test func `The most urgent come first, and those of a priority in their order`() {
        #expect(Self.urgent([11, 21, 12, 31, 22]).delivered == [31, 21, 22, 11, 12])
    }

    @Test(arguments: [BufferingPolicy<Never>.dropNewest(capacity: 2), .dropOldest(capacity: 2)])
    func `What a policy drops is the newest of the least urgent`(policy: BufferingPolicy<Never>) {
        let statistics = BufferStatistics()
        let (delivered, dropped) = Self.urgent([21, 11, 12, 31, 22], policy, statistics: statistics)
        #expect(delivered == [31, 21])
        #expect(dropped == [12, 11, 22])
        #expect((statistics.sent, statistics.delivered, statistics.dropped, statistics.waiting) == (5, 2, 3, 0))
    }

    @Test func `Ends: completion after the values, an interruption drops them`() {
        for isInterrupted in [false, true] {
            let scheduler = TestScheduler()
            let (output, input) = Signal<Int, Never>.pipe()
            let recorder = EventRecorder<Int, Never>()
            let dropped = Atomic(0)
            output.observe(
                on: scheduler, mostUrgentFirst: { $0 }, onDrop: { value in dropped.modify { $0 += value } }
            )
            .observe(recorder.observer)
            for value in 1...3 { input.send(value: value) }
            if isInterrupted { input.sendInterrupted() } else { input.sendCompleted() }
            scheduler.advance()
            #expect(
                recorder.events == (isInterrupted ? [.interrupted] : [.value(3), .value(2), .value(1), .completed]))
            #expect(dropped.value == (isInterrupted ? 6 : 0))
        }
    }

    /// Threads send, and the bound makes them wait.
    @Test func `Every value is delivered once, whatever the threads do`() {
        let queue = QueueScheduler(name: "urgent")
        let (output, input) = Signal<Int, Never>.pipe()
        let sum = Atomic(0)
        let done = DispatchSemaphore(value: 0)
        output.observe(on: queue, mostUrgentFirst: { $0 % 7 }, bufferingPolicy: .blocking(capacity: 16))
            .observe { event in
                if let value = event.value { sum.modify { $0 += value } } else { done.signal() }
            }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 1...5000 { input.send(value: thread * 5000 + number) }
        }
        input.sendCompleted()
        done.wait()
        #expect(sum.value == 20_000 * 20_001 / 2)
    }

    @Test func `Each start of a producer has a queue of its own`() {
        let scheduler = TestScheduler()
        let producer = SignalProducer<Int, Never>([1, 3, 2]).observe(on: scheduler, mostUrgentFirst: { $0 })
        let recorders = (0..<2).map { _ in EventRecorder<Int, Never>() }
        for recorder in recorders { producer.start(recorder.observer) }
        scheduler.advance()
        for recorder in recorders { #expect(recorder.values == [3, 2, 1]) }
    }
}

struct ObserveOnDroppedTests {
    @Test(arguments: [
        (BufferingPolicy<Never>.dropNewest(capacity: 2), [1, 2], [3, 4]),
        (.dropOldest(capacity: 2), [3, 4], [1, 2]),
        (.latest, [4], [1, 2, 3]),
        (.unbounded, [1, 2, 3, 4], []),
    ])
    func `Each value is delivered or dropped`(policy: BufferingPolicy<Never>, delivered: [Int], dropped: [Int]) {
        let scheduler = TestScheduler()
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let seen = Atomic<[Int]>([])
        output.observe(on: scheduler, bufferingPolicy: policy) { value in seen.modify { $0.append(value) } }
            .observe(recorder.observer)
        for value in 1...4 { input.send(value: value) }
        scheduler.advance()
        #expect(recorder.values == delivered)
        #expect(seen.value == dropped)
    }

    @Test func `What is queued when nobody observes any more is dropped`() {
        let scheduler = TestScheduler()
        let dropped = Atomic<[Int]>([])
        let start = SignalProducer<Int, Never>([1, 2])
            .observe(on: scheduler, bufferingPolicy: .unbounded) { value in dropped.modify { $0.append(value) } }
            .start()
        #expect(dropped.value.isEmpty)
        start.dispose()
        scheduler.advance()
        #expect(dropped.value == [1, 2])
    }

    @Test func `A failure of the policy drops what waits, and what comes later never enters`() {
        let scheduler = TestScheduler()
        let (output, input) = Signal<Int, ServiceError>.pipe()
        let recorder = EventRecorder<Int, ServiceError>()
        let dropped = Atomic<[Int]>([])
        output.observe(on: scheduler, bufferingPolicy: .failing(capacity: 2, with: .refused)) { value in
            dropped.modify { $0.append(value) }
        }
        .observe(recorder.observer)
        for value in 1...4 { input.send(value: value) }
        scheduler.advance()
        #expect(recorder.termination == .failed(.refused))
        #expect(Set(recorder.values + dropped.value).isSuperset(of: [1, 2, 3]))
        #expect(Set(recorder.values).isDisjoint(with: dropped.value))
    }
}
