import Corinth
import CorinthTesting
import Testing

/// Operators on single values: `map`, `filter`, `compactMap`, `scan`, `skip(first:)`.
struct ElementwiseTests {
    /// Each operator on signals, with its output for 1, 2, 3, 4.
    static let operators:
        [(name: String, apply: @Sendable (Signal<Int, TestError>) -> Signal<Int, TestError>, result: [Int])] =
            [
                ("map", { $0.map { $0 * 10 } }, [10, 20, 30, 40]),
                ("filter", { $0.filter { $0 % 2 == 0 } }, [2, 4]),
                ("compactMap", { $0.compactMap { $0 > 2 ? -$0 : nil } }, [-3, -4]),
                ("scan", { $0.scan(100) { $0 + $1 } }, [101, 103, 106, 110]),
                ("scan(into:)", { $0.scan(into: 0) { $0 += $1 } }, [1, 3, 6, 10]),
                ("skip(first:)", { $0.skip(first: 3) }, [4]),
                ("skip(first: 0)", { $0.skip(first: 0) }, [1, 2, 3, 4]),
            ]

    static let terminations: [Signal<Int, TestError>.Event] = [.completed, .interrupted, .failed(.first)]

    @Test(arguments: operators.indices, terminations)
    func valuesAndEndOfASignal(index: Int, termination: Signal<Int, TestError>.Event) {
        let (signal, observer) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        Self.operators[index].apply(signal).observe(recorder.observer)
        for value in 1...4 { observer.send(value: value) }
        observer.send(termination)
        observer.send(value: 5)
        observer.sendCompleted()
        #expect(recorder.events == Self.operators[index].result.map { .value($0) } + [termination])
    }

    @Test(arguments: operators.indices, terminations)
    func valuesAndEndOfAProducer(index: Int, termination: Signal<Int, TestError>.Event) {
        let producer = SignalProducer<Int, TestError> { observer, _ in
            for value in 1...4 { observer.send(value: value) }
            observer.send(termination)
        }
        let apply = Self.operators[index].apply
        let lifted = EventRecorder<Int, TestError>()
        producer.lift { apply($0) }.start(lifted.observer)
        #expect(lifted.events == Self.operators[index].result.map { .value($0) } + [termination])
    }

    @Test func producerOverloads() {
        let source = SignalProducer<Int, Never>([1, 2, 3, 4])
        func values(_ producer: SignalProducer<Int, Never>) -> [Int] {
            let recorder = EventRecorder<Int, Never>()
            producer.start(recorder.observer)
            #expect(recorder.termination == .completed)
            return recorder.values
        }
        #expect(values(source.map { $0 * 10 }) == [10, 20, 30, 40])
        #expect(values(source.filter { $0 % 2 == 0 }) == [2, 4])
        #expect(values(source.compactMap { $0 > 2 ? -$0 : nil }) == [-3, -4])
        #expect(values(source.scan(100) { $0 + $1 }) == [101, 103, 106, 110])
        #expect(values(source.scan(into: 0) { $0 += $1 }) == [1, 3, 6, 10])
        #expect(values(source.skip(first: 3)) == [4])
        #expect(values(source.take(first: 2)) == [1, 2])
    }

    @Test func `P1: an operator's state belongs to one start`() {
        let producer = SignalProducer<Int, Never>([1, 2]).scan(0, +).skip(first: 1).take(first: 1)
        for _ in 0..<3 {
            let recorder = EventRecorder<Int, Never>()
            producer.start(recorder.observer)
            #expect(recorder.events == [.value(3), .completed])
        }
    }

    @Test func `S2: the closure runs once per event, for any number of observers, including none`() {
        let (signal, observer) = Signal<Int, Never>.pipe()
        let calls = Atomic(0)
        let mapped = signal.map { value in
            calls.modify { $0 += 1 }
            return value
        }
        observer.send(value: 1)
        #expect(calls.value == 1)
        for _ in 0..<3 { mapped.observeValues { _ in } }
        observer.send(value: 2)
        #expect(calls.value == 2)
    }
}
