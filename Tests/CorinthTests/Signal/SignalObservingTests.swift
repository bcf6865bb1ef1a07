import Corinth
import CorinthTesting
import Dispatch
import Testing

/// Each observe method calls its closure for the events that it is meant for, and for no others.
@Suite("Signal: observing")
struct SignalObservingTests {
    static let ends: [Signal<Int, TestError>.Event] = [.completed, .interrupted, .failed(.second)]

    @Test(arguments: ends)
    func `Each method of the observe family receives its kind of event`(end: Signal<Int, TestError>.Event) {
        let (output, input) = Signal<Int, TestError>.pipe()
        let log = Atomic<[String]>([])
        func note(_ what: String) { log.modify { $0.append(what) } }
        output.observeResult { result in
            switch result {
            case .success(let value): note("result \(value)")
            case .failure(let error): note("result \(error)")
            }
        }
        output.observeFailed { note("failed \($0)") }
        output.observeCompleted { note("completed") }
        output.observeInterrupted { note("interrupted") }
        input.send(value: 1)
        input.send(end)
        switch end {
        case .failed: #expect(log.value == ["result 1", "result second", "failed second"])
        case .completed: #expect(log.value == ["result 1", "completed"])
        default: #expect(log.value == ["result 1", "interrupted"])
        }
    }

    @Test(arguments: ends)
    func `An observer made from closures calls the closure for each event that has one`(
        end: Signal<Int, TestError>.Event
    ) {
        let log = Atomic<[String]>([])
        func note(_ what: String) { log.modify { $0.append(what) } }
        let (output, input) = Signal<Int, TestError>.pipe()
        output.observe(
            Signal.Observer(
                value: { note("value \($0)") }, failed: { note("failed \($0)") },
                completed: { note("completed") }, interrupted: { note("interrupted") }))
        output.observe(Signal.Observer())
        // Of these, each has one closure.
        output.observe(Signal.Observer(failed: { note("only failed \($0)") }))
        output.observe(Signal.Observer(completed: { note("only completed") }))
        output.observe(Signal.Observer(interrupted: { note("only interrupted") }))
        input.send(value: 1)
        input.send(end)
        let expected =
            switch end {
            case .failed: "failed second"
            case .completed: "completed"
            default: "interrupted"
            }
        #expect(log.value == ["value 1", expected, "only \(expected)"])
    }

    @Test func `observeInterrupted on a terminated signal runs at once`() {
        let runs = Counter()
        #expect(Signal<Int, Never>.empty.observeInterrupted { runs.increment() } == nil)
        #expect(runs.value == 1)
    }

    @Test(arguments: ends)
    func `A signal's input can observe another signal, and passes its events on`(end: Signal<Int, TestError>.Event) {
        let first = Signal<Int, TestError>.pipe()
        let second = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        second.output.observe(recorder.observer)
        first.output.observe(second.input)
        first.input.send(value: 1)
        first.input.send(end)
        #expect(recorder.events == [.value(1), end])
    }

    @Test func `An event can be sent as a value of type Event`() {
        let (output, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        output.observe(recorder.observer)
        input.send(.value(1))
        input.receive(2)
        input.terminate(.failed(.first))
        #expect(recorder.events == [.value(1), .value(2), .failed(.first)])
    }

    @Test(arguments: ends)
    func `S4: an observer that is added during the delivery of the end is interrupted at once, without waiting`(
        end: Signal<Int, TestError>.Event
    ) {
        let (output, input) = Signal<Int, TestError>.pipe()
        let isDelivering = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        let early = EventRecorder<Int, TestError>()
        output.observe { _ in
            isDelivering.signal()
            gate.wait()
        }
        output.observe(early.observer)
        ThreadGroup.run(2) { thread in
            if thread == 0 {
                input.send(end)
                return
            }
            isDelivering.wait()
            let late = EventRecorder<Int, TestError>()
            #expect(output.observe(late.observer) == nil)
            #expect(late.events == [.interrupted])
            #expect(early.events.isEmpty)
            gate.signal()
        }
        #expect(early.events == [end])
    }

    @Test(arguments: ends)
    func `E7: an observer that is disposed of before its addition doesn't receive an earlier end`(
        end: Signal<Int, TestError>.Event
    ) {
        let (output, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        output.observe { event in
            if event.isTerminating { return }
            // The end and the observer are queued behind this callback.
            input.send(end)
            output.observe(recorder.observer)?.dispose()
        }
        input.send(value: 1)
        #expect(recorder.events.isEmpty)
    }
}
