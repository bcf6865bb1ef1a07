import Corinth
import CorinthTesting
import Testing

/// Laws E2, E3, E5 and E7 for calls from inside a callback.
@Suite("Signal: re-entrancy")
struct SignalReentrancyTests {
    @Test func `E5: a send on an idle signal delivers before it returns`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        for value in 1...3 {
            input.send(value: value)
            #expect(recorder.values == Array(1...value))
        }
    }

    @Test
    func `E2, E3, E5: an event sent from a callback follows the event in progress for every observer, and never nests`()
    {
        let (output, input) = Signal<Int, Never>.pipe()
        let log = Atomic<[String]>([])
        func note(_ what: String) { log.modify { $0.append(what) } }
        output.observeValues { value in
            note("first \(value)")
            if value < 3 { input.send(value: value + 1) }
            if value == 1 { input.send(value: 10) }
            note("first done \(value)")
        }
        output.observeValues { note("second \($0)") }
        input.send(value: 1)
        #expect(
            log.value == [1, 2, 10, 3].flatMap { ["first \($0)", "first done \($0)", "second \($0)"] })
        input.sendCompleted()
    }

    @Test func `E5: a long sequence of sends from callbacks takes constant stack`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let last = Atomic(0)
        output.observeValues { value in
            last.value = value
            if value < 200_000 { input.send(value: value + 1) }
        }
        input.send(value: 0)
        #expect(last.value == 200_000)
        input.sendCompleted()
    }

    @Test
    func
        `E1, E5: an end that is sent from a callback follows the events that were sent before it, and nothing follows it`()
    {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.observeValues { value in
            guard value == 1 else { return }
            input.send(value: 2)
            input.sendCompleted()
            input.send(value: 3)
        }
        output.observe(recorder.observer)
        input.send(value: 1)
        #expect(recorder.events == [.value(1), .value(2), .completed])
    }

    @Test func `E7: an observer that disposes of itself in its callback receives no further event`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Atomic<[Int]>([])
        let serial = SerialDisposable()
        serial.inner = output.observeValues { value in
            seen.modify { $0.append(value) }
            if value == 1 {
                input.send(value: 2)
                serial.dispose()
                input.send(value: 3)
            }
        }
        input.send(value: 1)
        input.send(value: 4)
        #expect(seen.value == [1])
    }

    @Test func `E7: an observer that another observer disposes of in its callback receives no later event`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let victims = SerialDisposable()
        output.observeValues { if $0 == 2 { victims.dispose() } }
        let recorder = EventRecorder<Int, Never>()
        victims.inner = output.observe(recorder.observer)
        for value in 1...3 { input.send(value: value) }
        #expect(recorder.values.first == 1)
        #expect(!recorder.values.contains(3))
    }

    @Test func `E3: an observer that is added in a callback receives the events after the one in progress`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let late = EventRecorder<Int, Never>()
        output.observeValues { value in
            guard value == 1 else { return }
            output.observe(late.observer)
            input.send(value: 2)
        }
        input.send(value: 1)
        input.send(value: 3)
        #expect(late.values == [2, 3])
        input.sendCompleted()
    }

    @Test func `An observer that is added and disposed of in one callback receives nothing`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let late = EventRecorder<Int, Never>()
        output.observeValues { _ in output.observe(late.observer)?.dispose() }
        for value in 1...3 { input.send(value: value) }
        input.sendCompleted()
        #expect(late.events.isEmpty)
    }

    @Test func `S4: an observer that is added in the callback of the end is interrupted`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let late = EventRecorder<Int, Never>()
        output.observeCompleted { output.observe(late.observer) }
        input.sendCompleted()
        #expect(late.events == [.interrupted])
    }

    @Test func `E2: a derived signal is serialised with its source, for every sender and callback`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let doubled = output.map { $0 * 2 }
        let log = Atomic<[String]>([])
        doubled.observeValues { value in
            log.modify { $0.append("doubled \(value)") }
            if value < 8 { input.send(value: value) }
        }
        output.observeValues { value in log.modify { $0.append("plain \(value)") } }
        input.send(value: 1)
        #expect(
            log.value == ["doubled 2", "plain 1", "doubled 4", "plain 2", "doubled 8", "plain 4"])
        input.sendCompleted()
    }

    @Test func `E5: two signals that send to each other on one thread don't nest and don't deadlock`() {
        let first = Signal<Int, Never>.pipe()
        let second = Signal<Int, Never>.pipe()
        let count = Counter()
        let last = Atomic(0)
        first.output.observeValues { value in
            count.increment()
            last.value = value
            if value < 100_000 { second.input.send(value: value + 1) }
        }
        second.output.observeValues { first.input.send(value: $0) }
        first.input.send(value: 0)
        #expect(count.value == 100_001)
        #expect(last.value == 100_000)
        first.input.sendCompleted()
        second.input.sendCompleted()
    }
}
