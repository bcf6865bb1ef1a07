import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// `Observer.trySend(value:)` sends the value, or returns false if it would have to wait.
struct TrySendTests {
    /// A delivery of 0 on its own thread. It stays in progress until the test lets it continue.
    private struct Delivery {
        let recorder = EventRecorder<Int, Never>()
        let ended = DispatchSemaphore(value: 0)
        private let gate = DispatchSemaphore(value: 0)

        init(_ output: Signal<Int, Never>, _ input: Signal<Int, Never>.Observer) {
            let (gate, ended, inside) = (gate, ended, DispatchSemaphore(value: 0))
            output.observe(recorder.observer)
            output.observeValues {
                if $0 == 0 {
                    inside.signal()
                    gate.wait()
                }
            }
            Thread.detachNewThread {
                input.send(value: 0)
                ended.signal()
            }
            inside.wait()
        }

        func resume() { gate.signal() }
    }

    @Test func deliversInPlace() {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        #expect(input.trySend(value: 1))
        #expect(recorder.events == [.value(1)])
        input.sendCompleted()
        // A loop that retries until it succeeds must end.
        #expect(input.trySend(value: 2))
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test func observerOfClosures() {
        let seen = Atomic<[Int]>([])
        let observer = Signal<Int, Never>.Observer(value: { value in seen.modify { $0.append(value) } })
        #expect(observer.trySend(value: 1))
        #expect(seen.value == [1])
    }

    @Test func inputOfStart() {
        let recorder = EventRecorder<Int, Never>()
        let results = Atomic<[Bool]>([])
        SignalProducer<Int, Never> { observer, _ in
            let isSent = observer.trySend(value: 1)
            results.modify { $0.append(isSent) }
            observer.sendCompleted()
        }
        .start(recorder.observer)
        #expect(results.value == [true] && recorder.events == [.value(1), .completed])
    }

    @Test func insideCallback() {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        output.observeValues { if $0 == 0 { #expect(input.trySend(value: 1)) } }
        #expect(input.trySend(value: 0))
        #expect(recorder.events == [.value(0), .value(1)])
        input.sendCompleted()
    }

    /// A refused value isn't counted as sent.
    @Test func droppingPolicies() {
        for policy in [BufferingPolicy<TestError>.dropNewest(capacity: 2), .failing(capacity: 2, with: .first)] {
            let statistics = BufferStatistics()
            let (output, input) = Signal<Int, TestError>.pipe(buffering: policy, statistics: statistics)
            let recorder = EventRecorder<Int, TestError>()
            let results = Atomic<[Bool]>([])
            output.observe(recorder.observer)
            output.observe {
                if $0.value == 0 { results.value = (1...4).map { input.trySend(value: $0) } }
            }
            input.send(value: 0)
            #expect(results.value == [true, true, false, false])
            #expect(recorder.events == [.value(0), .value(1), .value(2)])
            #expect(statistics.sent == 3 && statistics.delivered == 3 && statistics.dropped == 0)
            input.sendCompleted()
        }
    }

    @Test func dropOldestNeverRefuses() {
        let (output, input) = Signal<Int, Never>.pipe(buffering: .latest)
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        output.observeValues { if $0 == 0 { for value in 1...3 { #expect(input.trySend(value: value)) } } }
        #expect(input.trySend(value: 0))
        #expect(recorder.events == [.value(0), .value(3)])
        input.sendCompleted()
    }

    /// While another thread delivers, a value is refused if there is no permit. The call never waits.
    @Test func besideDelivery() {
        let statistics = BufferStatistics()
        let (output, input) = Signal<Int, Never>.pipe(buffering: .blocking(capacity: 2), statistics: statistics)
        let delivery = Delivery(output, input)
        let recorder = delivery.recorder
        let results = (1...4).map { input.trySend(value: $0) }
        delivery.resume()
        delivery.ended.wait()
        #if NaiveLocks
            // In the naive build, every sender would have to wait for the mutex.
            #expect(results == [false, false, false, false] && recorder.events == [.value(0)])
        #else
            #expect(results == [true, true, false, false])
            #expect(Stress.eventually { recorder.events == [.value(0), .value(1), .value(2)] })
            #expect(statistics.sent == 3 && statistics.waiting == 0)
        #endif
    }

    #if !NaiveLocks
        /// With a full hop, the signal stops and its inbox fills. When the hop has capacity again, every event is delivered in
        /// FIFO order.
        @Test func fullHop() {
            let scheduler = QueueScheduler(name: "suspended")
            scheduler.queue.suspend()
            let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: 3)
            let seen = Atomic<[Int]>([])
            output
                .observe(on: scheduler, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never))
                .observeValues { value in seen.modify { $0.append(value) } }
            // The hop has a capacity of 2. The third value stops the signal, and three more wait in the inbox.
            let sent = (0..<20).filter { input.trySend(value: $0) }
            #expect(sent == Array(0..<6))
            scheduler.queue.resume()
            #expect(Stress.eventually { seen.value == sent })
            #expect(Stress.eventually { input.trySend(value: 100) })
            #expect(Stress.eventually { seen.value == sent + [100] })
        }

        /// A waiting sender isn't overtaken.
        @Test func behindWaitingSender() {
            let (output, input) = Signal<Int, Never>.pipe(
                buffering: .blocking(capacity: 1, stallTimeout: .never))
            let delivery = Delivery(output, input)
            let recorder = delivery.recorder
            let waiting = Counter()
            Thread.detachNewThread {
                input.send(value: 1)
                input.send(value: 2)
                waiting.increment()
            }
            // The first value takes the only permit.
            #expect(Stress.eventually { !input.trySend(value: 3) })
            delivery.resume()
            #expect(Stress.eventually { waiting.value == 1 })
            #expect(Stress.eventually { recorder.events.suffix(2) == [.value(1), .value(2)] })
        }

        /// Next to threads that wait, no value of `trySend` is lost or sent twice.
        @Test func besideSenders() {
            let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: 4)
            let (delivered, accepted) = (Counter(), Counter())
            output
                .observe(on: QueueScheduler(name: "hop"), bufferingPolicy: .blocking(capacity: 4))
                .observeValues { _ in delivered.increment() }
            ThreadGroup.run(4) { index in
                for value in 0..<2_000 {
                    if index % 2 == 0 {
                        input.send(value: value)
                        accepted.increment()
                    } else if input.trySend(value: value) {
                        accepted.increment()
                    }
                }
            }
            #expect(Stress.eventually { delivered.value == accepted.value })
        }
    #endif
}
