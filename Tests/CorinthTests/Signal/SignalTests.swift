import Corinth
import CorinthTesting
import Testing

/// Laws E1, E3, E4, S1, S2 and S4 on one thread.
@Suite("Signal")
struct SignalTests {
    static let ends: [Signal<Int, TestError>.Event] = [.completed, .interrupted, .failed(.first)]

    @Test(arguments: ends, ends)
    func `E1: nothing follows the end, whatever is sent`(
        end: Signal<Int, TestError>.Event, later: Signal<Int, TestError>.Event
    ) {
        let (output, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        output.observe(recorder.observer)
        input.send(value: 1)
        input.send(end)
        input.send(value: 2)
        input.send(later)
        #expect(recorder.events == [.value(1), end])
    }

    @Test func `E3, E4: every observer receives the same events in FIFO order`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorders = (0..<20).map { _ in EventRecorder<Int, Never>() }
        for recorder in recorders { output.observe(recorder.observer) }
        for value in 0..<100 { input.send(value: value) }
        input.sendCompleted()
        let expected = (0..<100).map { Signal<Int, Never>.Event.value($0) } + [.completed]
        for recorder in recorders { #expect(recorder.events == expected) }
    }

    @Test func `Observers are called in the order in which they were added, also after others were removed`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let order = Atomic<[Int]>([])
        let disposables = (0..<40).map { index in
            output.observeValues { _ in order.modify { $0.append(index) } }
        }
        for index in 0..<40 where index % 3 != 0 { disposables[index]?.dispose() }
        output.observeValues { _ in order.modify { $0.append(40) } }
        input.send(value: 1)
        #expect(order.value == Array(stride(from: 0, to: 40, by: 3)) + [40])
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], [2, 0, 1]])
    func `Observers may be removed in any order`(order: [Int]) {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorders = (0..<3).map { _ in EventRecorder<Int, Never>() }
        let disposables = recorders.map { output.observe($0.observer) }
        for (round, index) in order.enumerated() {
            input.send(value: round)
            disposables[index]?.dispose()
            disposables[index]?.dispose()
            #expect(disposables[index]?.isDisposed == true)
        }
        input.send(value: 3)
        for (round, index) in order.enumerated() { #expect(recorders[index].values == Array(0...round)) }
    }

    @Test func `S1: the generator runs once, immediately, and observing has no side effects`() {
        let runs = Counter()
        let inputs = EventRecorder<Int, Never>()
        let signal = Signal<Int, Never> { observer, _ in
            runs.increment()
            // No observer can be added before this returns.
            observer.send(value: 1)
            inputs.observer.send(value: runs.value)
            withExtendedLifetime(observer) {}
        }
        #expect(runs.value == 1)
        signal.observeValues { _ in }
        signal.observeValues { _ in }
        #expect(runs.value == 1)
    }

    @Test func `A generator that releases its observer interrupts the signal`() {
        let recorder = EventRecorder<Int, Never>()
        Signal<Int, Never> { _, _ in }.observe(recorder.observer)
        #expect(recorder.events == [.interrupted])
    }

    @Test
    func `S2: an operator's closure runs once per event from its application on, however many observers there are`() {
        let (output, input) = Signal<Int, Never>.pipe()
        input.send(value: 0)
        let calls = Atomic<[Int]>([])
        let mapped = output.map { value in
            calls.modify { $0.append(value) }
            return value
        }
        input.send(value: 1)
        for _ in 0..<3 { mapped.observeValues { _ in } }
        input.send(value: 2)
        #expect(calls.value == [1, 2])
    }

    @Test(arguments: ends)
    func `S4: observing an ended signal delivers an interruption and returns no disposable`(
        end: Signal<Int, TestError>.Event
    ) {
        let (output, input) = Signal<Int, TestError>.pipe()
        input.send(end)
        let recorder = EventRecorder<Int, TestError>()
        let disposable = output.observe(recorder.observer)
        #expect(recorder.events == [.interrupted])
        #expect(disposable == nil)
        let derived = EventRecorder<Int, TestError>()
        output.map { $0 + 1 }.filter { _ in true }.observe(derived.observer)
        #expect(derived.events == [.interrupted])
    }

    @Test(arguments: ends)
    func `An observation of an ended signal can still be disposed of`(end: Signal<Int, TestError>.Event) {
        let (output, input) = Signal<Int, TestError>.pipe()
        let disposables = [output.observe { _ in }, output.map { $0 }.observe { _ in }]
        input.send(end)
        for disposable in disposables {
            disposable?.dispose()
            #expect(disposable?.isDisposed == true)
        }
    }

    @Test func `An empty signal has completed; a never signal doesn't end`() {
        let recorder = EventRecorder<Int, Never>()
        Signal<Int, Never>.empty.observe(recorder.observer)
        #expect(recorder.events == [.interrupted])
        let never = EventRecorder<Int, Never>()
        let disposable = Signal<Int, Never>.never.observe(never.observer)
        #expect(never.events.isEmpty)
        #expect(disposable?.isDisposed == false)
        disposable?.dispose()
    }

    @Test func `S5: the unserialised variants follow the same laws if the caller serialises`() {
        let pipes = [Signal<Int, Never>.unserializedPipe(), Signal<Int, Never>.reentrantUnserializedPipe()]
        for (output, input) in pipes {
            let recorder = EventRecorder<Int, Never>()
            output.observe(recorder.observer)
            input.send(value: 1)
            input.sendCompleted()
            input.send(value: 2)
            #expect(recorder.events == [.value(1), .completed])
        }
        let made = [
            Signal<Int, Never>.unserialized { observer, _ in observer.sendCompleted() },
            Signal<Int, Never>.reentrantUnserialized { observer, _ in observer.sendCompleted() },
        ]
        for signal in made {
            let recorder = EventRecorder<Int, Never>()
            signal.observe(recorder.observer)
            #expect(recorder.events == [.interrupted])
        }
    }
}
