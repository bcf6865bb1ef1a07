@testable import Corinth
import CorinthTesting
import Testing

/// Flattening with a capacity for the queued inner streams.
struct FlattenBufferingTests {
    typealias Inner = SignalProducer<String, TestError>

    /// Inner streams that the test ends one by one.
    private final class Source: Sendable {
        let recorder = EventRecorder<String, TestError>()
        let statistics = BufferStatistics()
        let started = Atomic<[Int]>([])
        let inputs: [(output: Signal<String, TestError>, input: Signal<String, TestError>.Observer)]
        let outer: Signal<Int, TestError>.Observer

        init(
            _ strategy: FlattenStrategy, _ policy: BufferingPolicy<TestError>, asProducer: Bool = false,
            on pool: QueueSchedulerPool? = nil
        ) {
            let (signal, outer) = Signal<Int, TestError>.pipe()
            self.outer = outer
            inputs = (0..<10).map { _ in Signal<String, TestError>.pipe() }
            let (inputs, started) = (inputs, started)
            let inner = { @Sendable (number: Int) in
                SignalProducer(inputs[number].output).on(starting: { started.modify { $0.append(number) } })
            }
            if asProducer {
                let source = SignalProducer(signal)
                let result =
                    if let pool {
                        source.flatMap(strategy, on: pool, bufferingPolicy: policy, statistics: statistics, inner)
                    } else {
                        source.flatMap(strategy, bufferingPolicy: policy, statistics: statistics, inner)
                    }
                result.start(recorder.observer)
            } else {
                let result =
                    if let pool {
                        signal.flatMap(strategy, on: pool, bufferingPolicy: policy, statistics: statistics, inner)
                    } else {
                        signal.flatMap(strategy, bufferingPolicy: policy, statistics: statistics, inner)
                    }
                result.observe(recorder.observer)
            }
        }

        func send(_ numbers: some Sequence<Int>) { for number in numbers { outer.send(value: number) } }

        func complete(_ numbers: Int...) { for number in numbers { inputs[number].input.sendCompleted() } }
    }

    @Test(arguments: [false, true])
    func `dropNewest drops the newest queued streams and never starts them`(asProducer: Bool) {
        let source = Source(.concat, .dropNewest(capacity: 2), asProducer: asProducer)
        source.send(0..<6)
        source.complete(0, 1, 2)
        source.send([6])
        source.complete(6)
        source.outer.sendCompleted()
        #expect(source.started.value == [0, 1, 2, 6])
        #expect(source.recorder.events == [.completed])
        source.statistics.expect(sent: 7, delivered: 4, dropped: 3)
    }

    @Test(arguments: [false, true])
    func `dropOldest drops the oldest queued streams; running streams don't count`(asProducer: Bool) {
        let source = Source(.concurrent(limit: 2), .dropOldest(capacity: 2), asProducer: asProducer)
        source.send(0..<7)
        #expect(source.started.value == [0, 1])
        source.complete(1, 0)
        #expect(source.started.value == [0, 1, 5, 6])
        source.statistics.expect(sent: 7, delivered: 4, dropped: 3)
        #expect(source.statistics.waiting == 0)
    }

    @Test(arguments: [false, true])
    func `Held values have the same capacity, separately for each stream`(dropsOldest: Bool) {
        let source = Source(.concatEager(), dropsOldest ? .dropOldest(capacity: 2) : .dropNewest(capacity: 2))
        source.send(0..<3)
        for value in ["a", "b", "c"] {
            for input in source.inputs[0..<3] { input.input.send(value: value) }
        }
        // Three streams, and three values of each but the first.
        source.statistics.expect(sent: 9, delivered: 3, dropped: 2)
        source.complete(0)
        source.inputs[1].input.send(value: "d")
        source.complete(1, 2)
        source.outer.sendCompleted()
        let held = dropsOldest ? ["b", "c"] : ["a", "b"]
        #expect(source.recorder.values == ["a", "b", "c"] + held + ["d"] + held)
        #expect(source.recorder.termination == .completed)
        source.statistics.expect(sent: 9, delivered: 7, dropped: 2)
    }

    @Test func `A held value that exceeds the capacity fails the result, and all held values are dropped`() {
        let source = Source(.concatEager(), .failing(capacity: 2, with: .second))
        source.send(0..<3)
        for number in 1...2 { source.inputs[number].input.send(value: "a") }
        for _ in 0..<2 { source.inputs[2].input.send(value: "b") }
        #expect(source.recorder.events == [.failed(.second)])
        source.statistics.expect(sent: 7, delivered: 3, dropped: 4)
    }

    @Test func `A stream that arrives after the start was disposed of is counted as dropped`() {
        let statistics = BufferStatistics()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let start = SerialDisposable()
        start.inner = SignalProducer(signal)
            .flatMap(.concat, bufferingPolicy: .unbounded, statistics: statistics) { value in
                start.dispose()
                return SignalProducer<Int, TestError>(value: value)
            }
            .start()
        input.send(value: 1)
        statistics.expect(sent: 1, delivered: 0, dropped: 1)
    }

    @Test(arguments: [false, true])
    func `Held values are dropped when the result ends`(fails: Bool) {
        let statistics = BufferStatistics()
        let (first, second) = (Signal<Int, TestError>.pipe(), Signal<Int, TestError>.pipe())
        let leaks = LeakCounter()
        let start = SignalProducer<Signal<Int, TestError>, TestError>([first.output, second.output])
            .flatMap(.concatEager(), bufferingPolicy: .dropNewest(capacity: 10), statistics: statistics) { inner in
                SignalProducer(inner).map { _ in leaks.token() }
            }
            .start()
        for _ in 0..<3 { second.input.send(value: 1) }
        #expect(leaks.count == 3)
        if fails { first.input.send(error: .first) } else { start.dispose() }
        #expect(leaks.count == 0)
        #expect(statistics.sent == 5 && statistics.delivered == 2 && statistics.dropped == 3)
    }

    @Test func `The strategy that holds values also bounds the number of queued streams`() {
        let source = Source(.concatEager(limit: 2), .dropOldest(capacity: 1))
        source.send(0..<5)
        source.inputs[1].input.send(value: "b")
        source.complete(0)
        #expect(source.started.value == [0, 1, 4])
        #expect(source.recorder.values == ["b"])
        source.statistics.expect(sent: 6, delivered: 4, dropped: 2)
    }

    @Test(arguments: [false, true])
    func `E6: a failure is delivered at once, drops the queue, and cancels the running streams`(asProducer: Bool) {
        let source = Source(.concat, .failing(capacity: 2, with: .second), asProducer: asProducer)
        source.send(0..<3)
        source.inputs[0].input.send(value: "a")
        source.send(3..<6)
        #expect(source.recorder.events == [.value("a"), .failed(.second)])
        source.complete(0)
        #expect(source.started.value == [0])
        source.statistics.expect(sent: 4, delivered: 1, dropped: 3)
    }

    @Test(arguments: [false, true], terminations.dropFirst())
    func `Whichever way the result ends, queued streams are counted`(
        asProducer: Bool, termination: Signal<Int, TestError>.Event
    ) {
        let source = Source(.concat, .dropNewest(capacity: 5), asProducer: asProducer)
        source.send(0..<4)
        source.outer.send(termination)
        #expect(source.recorder.events.count == 1)
        source.statistics.expect(sent: 4, delivered: 1, dropped: 3)
        let failed = Source(.concat, .dropNewest(capacity: 5), asProducer: asProducer)
        failed.send(0..<4)
        failed.inputs[0].input.send(error: .first)
        #expect(failed.recorder.events == [.failed(.first)])
        failed.statistics.expect(sent: 4, delivered: 1, dropped: 3)
    }

    @Test func `E6: a completion waits for the queued streams`() {
        let source = Source(.concat, .dropNewest(capacity: 2))
        source.send(0..<3)
        source.outer.sendCompleted()
        source.complete(0, 1)
        #expect(source.recorder.events.isEmpty)
        source.complete(2)
        #expect(source.recorder.events == [.completed])
        source.statistics.expect(sent: 3, delivered: 3, dropped: 0)
    }

    @Test(arguments: [FlattenStrategy.merge, .latest, .race, .throttle, .concatEager()])
    func `Strategies without a queue drop nothing`(strategy: FlattenStrategy) {
        let source = Source(strategy, .failing(capacity: 1, with: .second))
        source.send(0..<5)
        #expect(source.recorder.events.isEmpty)
        source.statistics.expect(sent: 5, delivered: 5, dropped: 0)
    }

    @Test func `Producers of one value, none or a failure are flattened at once or queued like others`() {
        let recorder = EventRecorder<Int, TestError>()
        let statistics = BufferStatistics()
        let (gate, opener) = Signal<Int, TestError>.pipe()
        let (outer, input) = Signal<SignalProducer<Int, TestError>, TestError>.pipe()
        outer.flatten(.concat, bufferingPolicy: .dropOldest(capacity: 3), statistics: statistics)
            .observe(recorder.observer)
        input.send(value: SignalProducer(value: 1))
        input.send(value: SignalProducer(gate))
        for value in 2...5 { input.send(value: SignalProducer(value: value)) }
        opener.sendCompleted()
        #expect(recorder.values == [1, 3, 4, 5])
        input.send(value: SignalProducer(gate.materialize().map { _ in 0 }.promoteError(TestError.self)))
        #expect(statistics.sent == 7 && statistics.delivered == 6 && statistics.dropped == 1)
        input.send(value: SignalProducer(error: .first))
        #expect(recorder.events.last == .failed(.first))
        #expect(statistics.waiting == 0)
    }

    @Test func `P2: disposal releases the queued streams and counts them`() {
        let leaks = LeakCounter()
        let statistics = BufferStatistics()
        let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
        let start = SignalProducer(signal)
            .flatMap(.concat, bufferingPolicy: .dropOldest(capacity: 3), statistics: statistics) { token in
                SignalProducer<Int, TestError>.never.on(starting: { token.touch() })
            }
            .start()
        for _ in 0..<10 { input.send(value: leaks.token()) }
        #expect(leaks.count <= 4)
        start.dispose()
        #expect(leaks.count == 0)
        #expect(statistics.sent == 10 && statistics.delivered == 1 && statistics.dropped == 9)
    }

    @Test func `The overloads for streams that can't fail infer the error type`() {
        let never = Signal<Int, Never>.never
        let fallible = Signal<Int, TestError>.never
        let a: Signal<Int, Never> = never.flatMap(.concat, bufferingPolicy: .latest) {
            SignalProducer<Int, Never>(value: $0)
        }
        let b: Signal<Int, TestError> = never.flatMap(.concat, bufferingPolicy: .failing(capacity: 1, with: .first)) {
            SignalProducer<Int, TestError>(value: $0)
        }
        let c: Signal<Int, TestError> = fallible.flatMap(.concat, bufferingPolicy: .latest) {
            SignalProducer<Int, Never>(value: $0)
        }
        let d = fallible.map { SignalProducer<Int, Never>(value: $0) }.flatten(.concat, bufferingPolicy: .latest)
        let e = SignalProducer(never).map { SignalProducer<Int, TestError>(value: $0) }
            .flatten(.concat, bufferingPolicy: .failing(capacity: 1, with: .first))
        let f = SignalProducer(never).map { Signal<Int, Never>.never.take(first: $0 + 1) }
            .flatten(.concat, bufferingPolicy: .latest)
        let _: (Signal<Int, TestError>, SignalProducer<Int, TestError>, SignalProducer<Int, Never>) = (d, e, f)
        withExtendedLifetime((a, b, c)) {}
    }

    @Test(arguments: [false, true])
    func `On a pool, queued streams are bounded, too`(asProducer: Bool) {
        let scheduler = TestScheduler()
        let pool = QueueSchedulerPool(over: [scheduler, scheduler])
        let source = Source(.concurrent(limit: 2), .dropNewest(capacity: 1), asProducer: asProducer, on: pool)
        source.send(0..<5)
        scheduler.advance()
        #expect(source.started.value.sorted() == [0, 1])
        source.complete(0, 1)
        scheduler.advance()
        #expect(source.started.value.sorted() == [0, 1, 2])
        source.statistics.expect(sent: 5, delivered: 3, dropped: 2)
    }
}
