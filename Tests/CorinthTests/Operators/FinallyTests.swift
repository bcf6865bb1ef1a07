import Corinth
import CorinthTesting
import Dispatch
import Testing

struct FinallyTests {
    @Test(arguments: terminations)
    func afterTheEnd(termination: Signal<Int, TestError>.Event) {
        let order = Atomic<[String]>([])
        let (signal, input) = Signal<Int, TestError>.pipe()
        signal.finally { order.modify { $0.append("signal") } }
            .observe { event in order.modify { $0.append("\(event)") } }
        input.send(value: 1)
        input.send(termination)
        #expect(order.value == ["VALUE 1", "\(termination)", "signal"])
        let source = SignalProducer<Int, TestError> { observer, _ in observer.send(termination) }
        let producer = source.finally { order.modify { $0.append("producer") } }
        for _ in 0..<2 {
            order.value = []
            producer.start { event in order.modify { $0.append("\(event)") } }.dispose()
            #expect(order.value == ["\(termination)", "producer"])
        }
    }

    @Test func disposal() {
        let order = Atomic<[String]>([])
        let producer = SignalProducer<Int, Never>.never.finally { order.modify { $0.append("finally") } }
        let disposable = producer.start { event in order.modify { $0.append("\(event)") } }
        #expect(order.value.isEmpty)
        disposable.dispose()
        disposable.dispose()
        #expect(order.value == ["INTERRUPTED", "finally"])
    }

    @Test func unobservableSignal() {
        let count = Atomic(0)
        let (signal, input) = Signal<Int, Never>.pipe()
        let observation = signal.finally { count.modify { $0 += 1 } }.observe { _ in }
        #expect(count.value == 0)
        observation?.dispose()
        #expect(count.value == 1)
        input.sendCompleted()
        #expect(count.value == 1)
        _ = Signal<Int, Never>.empty.finally { count.modify { $0 += 1 } }
        #expect(count.value == 2)
        withExtendedLifetime(signal) {}
    }

    /// A disposal is the end, even if the interruption still waits for a scheduler.
    @Test func doesNotWaitForASchedulerAfterDisposal() {
        let scheduler = StepScheduler()
        let count = Atomic(0)
        let recorder = EventRecorder<Int, Never>()
        let disposable = SignalProducer<Int, Never>([1, 2]).observe(on: scheduler).finally { count.modify { $0 += 1 } }
            .start(recorder.observer)
        #expect(count.value == 0)
        disposable.dispose()
        #expect(count.value == 1)
        scheduler.run()
        #expect(recorder.events == [.interrupted])
        #expect(count.value == 1)
    }

    /// An operator downstream may end first.
    @Test func endOfAnOperatorDownstream() {
        let count = Atomic(0)
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        SignalProducer(signal).finally { count.modify { $0 += 1 } }.take(first: 1).start(recorder.observer)
        input.send(value: 1)
        #expect(recorder.events == [.value(1), .completed])
        #expect(count.value == 1)
    }

    /// Each repetition is a separate start.
    @Test func repetition() {
        let order = Atomic<[String]>([])
        SignalProducer<Int, Never>([1]).finally { order.modify { $0.append("finally") } }.repeat(2)
            .startWithValues { value in order.modify { $0.append("\(value)") } }
        #expect(order.value == ["1", "finally", "1", "finally"])
    }

    /// If the end and a disposal are concurrent, the closure runs once.
    @Test func endAndDisposalAtOnce() {
        for _ in 0..<200 {
            let count = Atomic(0)
            let (signal, input) = Signal<Int, Never>.pipe()
            let disposable = SignalProducer(signal).finally { count.modify { $0 += 1 } }.start()
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == 0 { input.sendCompleted() } else { disposable.dispose() }
            }
            #expect(count.value == 1)
        }
    }

    @Test func leaks() {
        let leaks = LeakCounter()
        do {
            let token = leaks.token()
            let (signal, input) = Signal<Int, Never>.pipe()
            let disposable = SignalProducer(signal).finally { token.touch() }.start()
            signal.finally { token.touch() }.observe { _ in }
            input.send(value: 1)
            disposable.dispose()
        }
        #expect(leaks.count == 0)
    }
}
