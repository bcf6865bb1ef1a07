import Corinth
import CorinthTesting
import Dispatch
import Testing

struct ObserveOnTests {
    @Test func deliversWhenTheSchedulerRuns() {
        let scheduler = StepScheduler()
        let (signal, observer) = Signal<Int, TestError>.pipe()
        let hopped = signal.observe(on: scheduler)
        let recorder = EventRecorder<Int, TestError>()
        observer.send(value: 1)
        // Observers that are added before the delivery receive the event.
        hopped.observe(recorder.observer)
        observer.send(value: 2)
        #expect(recorder.events.isEmpty)
        scheduler.run()
        #expect(recorder.values == [1, 2])
        observer.send(value: 3)
        observer.send(error: .first)
        scheduler.run()
        #expect(recorder.events == [.value(1), .value(2), .value(3), .failed(.first)])
    }

    @Test func `C3: an interruption overtakes queued values`() {
        let scheduler = StepScheduler()
        let (signal, observer) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.observe(on: scheduler).observe(recorder.observer)
        observer.send(value: 1)
        scheduler.run()
        for value in 2..<2000 { observer.send(value: value) }
        observer.sendInterrupted()
        #expect(recorder.events == [.value(1)])
        scheduler.run()
        #expect(recorder.events == [.value(1), .interrupted])
    }

    @Test func `P2, C3: disposal interrupts, also if the source has ended and its events are still queued`() {
        let scheduler = StepScheduler()
        let recorder = EventRecorder<Int, Never>()
        let disposable = SignalProducer<Int, Never>(0..<10).observe(on: scheduler).start(recorder.observer)
        disposable.dispose()
        scheduler.run()
        #expect(recorder.events == [.interrupted])
    }

    /// FIFO order holds for more values than a segment or a drain holds, and no value is lost or released twice.
    @Test(arguments: [1, 63, 64, 65, 511, 512, 513, 1024, 1025, 5000, 100_000])
    func keepsOrder(count: Int) {
        let scheduler = StepScheduler()
        let (signal, observer) = Signal<String, Never>.pipe()
        let recorder = EventRecorder<String, Never>()
        signal.observe(on: scheduler).observe(recorder.observer)
        for round in 0..<3 {
            for value in 0..<count { observer.send(value: "\(round) \(value)") }
            scheduler.run()
        }
        observer.sendCompleted()
        scheduler.run()
        let expected = (0..<3).flatMap { round in (0..<count).map { "\(round) \($0)" } }
        #expect(recorder.values == expected)
        #expect(recorder.termination == .completed)
    }

    /// Undelivered values are released with the hop; here, the scheduler is released without having run.
    @Test func releasesQueuedValues() {
        final class Payload: Sendable {
            let count: Atomic<Int>
            init(_ count: Atomic<Int>) {
                self.count = count
                count.modify { $0 += 1 }
            }
            deinit { count.modify { $0 -= 1 } }
        }
        let alive = Atomic(0)
        do {
            let scheduler = StepScheduler()
            let (signal, observer) = Signal<Payload, Never>.pipe()
            let observation = signal.observe(on: scheduler).observeValues { _ in }
            defer { observation?.dispose() }
            for _ in 0..<700 { observer.send(value: Payload(alive)) }
            #expect(alive.value == 700)
            observer.sendCompleted()
            scheduler.discard()
        }
        #expect(alive.value == 0)
    }

    /// There is no hop: events are delivered at the same place and time.
    @Test func immediately() {
        let (signal, observer) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.observe(on: ImmediateScheduler()).observe(recorder.observer)
        observer.send(value: 1)
        #expect(recorder.values == [1])
        let produced = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>([1, 2]).observe(on: ImmediateScheduler()).start(produced.observer)
        #expect(produced.events == [.value(1), .value(2), .completed])
    }

    /// A user's scheduler that runs actions immediately doesn't stop a hop from making progress while observers are added and
    /// removed.
    @Test func onASchedulerThatRunsAtOnce() async {
        final class Inline: Scheduler {
            func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
                action()
                return nil
            }
        }
        let (signal, observer) = Signal<Int, Never>.pipe()
        let hopped = signal.observe(on: Inline())
        let received = Atomic(0)
        await withCheckedContinuation { continuation in
            hopped.observe { event in
                if event.isTerminating { continuation.resume() } else { received.modify { $0 += 1 } }
            }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for value in 0..<20_000 {
                    if thread == 0 { observer.send(value: value) } else { hopped.observeValues { _ in }?.dispose() }
                }
            }
            observer.sendCompleted()
        }
        #expect(received.value == 20_000)
    }

    @Test func onAQueue() async {
        let queue = QueueScheduler(qos: .userInitiated, name: "test")
        let (signal, observer) = Signal<Int, Never>.pipe()
        let sum = Atomic(0)
        await withCheckedContinuation { continuation in
            signal.observe(on: queue).observe { event in
                dispatchPrecondition(condition: .onQueue(queue.queue))
                switch event {
                case .value(let value): sum.modify { $0 += value }
                case .completed: continuation.resume()
                case .failed, .interrupted: break
                }
            }
            for value in 1...10_000 { observer.send(value: value) }
            observer.sendCompleted()
        }
        #expect(sum.value == 50_005_000)
    }

    /// While the scheduler delivers, observers are added and removed on other threads. Those threads don't take over the
    /// delivery.
    @Test func staysOnItsQueue() async {
        let queue = QueueScheduler(name: "test")
        let (signal, observer) = Signal<Int, Never>.pipe()
        let hopped = signal.observe(on: queue)
        let received = Atomic(0)
        await withCheckedContinuation { continuation in
            hopped.observe { event in
                dispatchPrecondition(condition: .onQueue(queue.queue))
                switch event {
                case .value: received.modify { $0 += 1 }
                case .completed: continuation.resume()
                case .failed, .interrupted: break
                }
            }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for value in 0..<5000 {
                    if thread == 0 { observer.send(value: value) } else { hopped.observeValues { _ in }?.dispose() }
                }
            }
            observer.sendCompleted()
        }
        #expect(received.value == 5000)
    }
}
