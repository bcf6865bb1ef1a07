import Corinth
import CorinthTesting
import Dispatch
import Testing

struct LazyMapTests {
    @Test func onlyTheLatestWhenTheSchedulerRuns() {
        let scheduler = StepScheduler()
        let calls = Atomic(0)
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        signal.lazyMap(on: scheduler) { value in
            calls.modify { $0 += 1 }
            return value * 10
        }.observe(recorder.observer)
        input.send(value: 1)
        #expect(calls.value == 0)
        scheduler.run()
        #expect(recorder.values == [10])
        for value in 2...4 { input.send(value: value) }
        scheduler.run()
        #expect(recorder.values == [10, 40])
        #expect(calls.value == 2)
        scheduler.run()
        #expect(calls.value == 2)
        input.sendCompleted()
        scheduler.run()
    }

    @Test(arguments: terminations)
    func ends(termination: Signal<Int, TestError>.Event) {
        let scheduler = StepScheduler()
        let overloads = Overloads<Int, TestError, Int, TestError>(
            { $0.lazyMap(on: scheduler) { $0 * 10 } }, { $0.lazyMap(on: scheduler) { $0 * 10 } })
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorders = [EventRecorder<Int, TestError>(), EventRecorder<Int, TestError>()]
        overloads.onSignal(signal).observe(recorders[0].observer)
        overloads.onProducer(SignalProducer(signal)).start(recorders[1].observer)
        input.send(value: 1)
        input.send(value: 2)
        input.send(termination)
        for recorder in recorders { #expect(recorder.events.isEmpty) }
        scheduler.run()
        // An interruption drops the waiting value. The other ends are delivered after it.
        for recorder in recorders {
            #expect(recorder.events == (termination == .interrupted ? [] : [.value(20)]) + [termination])
        }
    }

    @Test func disposal() {
        let scheduler = StepScheduler()
        let calls = Atomic(0)
        let recorder = EventRecorder<Int, Never>()
        let disposable = SignalProducer<Int, Never>([1, 2, 3]).lazyMap(on: scheduler) { value in
            calls.modify { $0 += 1 }
            return value
        }.start(recorder.observer)
        disposable.dispose()
        scheduler.run()
        #expect(recorder.events == [.interrupted])
        #expect(calls.value == 0)
    }

    /// The latest value is always delivered, whichever thread is first.
    @Test func onAQueue() {
        let scheduler = QueueScheduler(name: "lazy")
        for _ in 0..<50 {
            let source = SignalProducer<Int, Never> { observer, _ in
                DispatchQueue.global().async {
                    for value in 1...100 { observer.send(value: value) }
                    observer.sendCompleted()
                }
            }
            #expect(source.lazyMap(on: scheduler) { -$0 }.last() == .success(-100))
        }
    }

    /// P1
    @Test func startsShareNothing() {
        let scheduler = StepScheduler()
        let producer = SignalProducer<Int, Never>([1, 2, 3]).lazyMap(on: scheduler) { -$0 }
        let recorders = (0..<3).map { _ in EventRecorder<Int, Never>() }
        for recorder in recorders { producer.start(recorder.observer) }
        scheduler.run()
        for recorder in recorders { #expect(recorder.events == [.value(-3), .completed]) }
    }

    @Test func atOnceOnTheImmediateScheduler() {
        let recorder = EventRecorder<Int, Never>()
        SignalProducer<Int, Never>([1, 2, 3]).lazyMap(on: ImmediateScheduler()) { -$0 }.start(recorder.observer)
        #expect(recorder.events == [.value(-1), .value(-2), .value(-3), .completed])
    }

    @Test func leaks() {
        let leaks = LeakCounter()
        let scheduler = StepScheduler()
        do {
            let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
            signal.lazyMap(on: scheduler) { $0 }.observe { _ in }
            input.send(value: leaks.token())
            input.send(value: leaks.token())
            #expect(leaks.count == 1)
            scheduler.run()
            #expect(leaks.count == 0)
            input.send(value: leaks.token())
            input.sendInterrupted()
            scheduler.run()
        }
        #expect(leaks.count == 0)
    }
}
