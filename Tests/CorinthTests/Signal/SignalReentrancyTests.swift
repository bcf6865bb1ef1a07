import Corinth
import CorinthTesting
import Testing

/// Laws E2, E3, E5 and E7 for what is done from inside a callback.
@Suite("Signal: re-entrancy")
struct SignalReentrancyTests {
    @Test("E5: send on an idle signal delivers before it returns")
    func deliversAtOnce() {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        for value in 1...3 {
            input.send(value: value)
            #expect(recorder.values == Array(1...value))
        }
    }

    @Test("E2, E3, E5: what a callback sends comes after the event in progress has reached everybody, and never nests")
    func sendInCallback() {
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
    }

    @Test("E5: a long chain of sends from callbacks uses no stack")
    func longRecursion() {
        let (output, input) = Signal<Int, Never>.pipe()
        let last = Atomic(0)
        output.observeValues { value in
            last.value = value
            if value < 200_000 { input.send(value: value + 1) }
        }
        input.send(value: 0)
        #expect(last.value == 200_000)
    }

    @Test("E1, E5: an end sent from a callback comes after what was sent before it, and nothing after it")
    func endInCallback() {
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

    @Test("E7: an observer that disposes of itself in its callback receives nothing more")
    func disposeOfItself() {
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

    @Test("E7: an observer that another one disposes of in its callback receives nothing that starts later")
    func disposeOfAnother() {
        let (output, input) = Signal<Int, Never>.pipe()
        let victims = SerialDisposable()
        output.observeValues { if $0 == 2 { victims.dispose() } }
        let recorder = EventRecorder<Int, Never>()
        victims.inner = output.observe(recorder.observer)
        for value in 1...3 { input.send(value: value) }
        #expect(recorder.values.first == 1)
        #expect(!recorder.values.contains(3))
    }

    @Test("E3: who observes in a callback sees the events that come after the one in progress")
    func observeInCallback() {
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
    }

    @Test("Who observes and disposes in one callback sees nothing")
    func observeAndDisposeInCallback() {
        let (output, input) = Signal<Int, Never>.pipe()
        let late = EventRecorder<Int, Never>()
        output.observeValues { _ in output.observe(late.observer)?.dispose() }
        for value in 1...3 { input.send(value: value) }
        input.sendCompleted()
        #expect(late.events.isEmpty)
    }

    @Test("S4: who observes in the callback of the end is interrupted")
    func observeInEnd() {
        let (output, input) = Signal<Int, Never>.pipe()
        let late = EventRecorder<Int, Never>()
        output.observeCompleted { output.observe(late.observer) }
        input.sendCompleted()
        #expect(late.events == [.interrupted])
    }

    @Test("E2: a derived signal is serial with its source, whoever sends from whichever callback")
    func derived() {
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
    }

    @Test("E5: two signals that send to each other on one thread neither nest nor deadlock")
    func mutual() {
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
    }
}
