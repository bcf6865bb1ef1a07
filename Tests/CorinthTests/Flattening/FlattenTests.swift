import Corinth
import CorinthTesting
import Dispatch
import Testing

/// The strategies, on signals and on producers, with inner streams that the test drives.
struct FlattenTests {
    typealias Inner = Signal<Int, TestError>

    /// An outer stream, some inner ones, and what comes out.
    final class Bench: Sendable {
        let outer = Signal<SignalProducer<Int, TestError>, TestError>.pipe()
        let inners = (0..<4).map { _ in Inner.pipe() }
        let recorder = EventRecorder<Int, TestError>()
        let log = Atomic<[String]>([])
        let disposable: (any Disposable)?

        enum Side: CaseIterable { case signal, producer }

        init(_ strategy: FlattenStrategy, _ side: Side) {
            switch side {
            case .signal: disposable = outer.output.flatten(strategy).observe(recorder.observer)
            case .producer: disposable = outer.output.producer.flatten(strategy).start(recorder.observer)
            }
        }

        /// The producer of an inner stream, which says when it is started and when it is done with.
        func inner(_ index: Int) -> SignalProducer<Int, TestError> {
            let log = log
            let signal = inners[index].output
            return SignalProducer { observer, lifetime in
                log.modify { $0.append("start \(index)") }
                lifetime.observeEnded { log.modify { $0.append("end \(index)") } }
                lifetime += signal.observe(observer)
            }
        }

        func send(_ index: Int) { outer.input.send(value: inner(index)) }
    }

    @Test(arguments: Bench.Side.allCases)
    func mergePassesOnAll(side: Bench.Side) {
        let bench = Bench(.merge, side)
        bench.send(0)
        bench.send(1)
        bench.inners[0].input.send(value: 1)
        bench.inners[1].input.send(value: 2)
        bench.outer.input.sendCompleted()
        bench.inners[0].input.sendCompleted()
        bench.inners[1].input.send(value: 3)
        #expect(bench.recorder.termination == nil)
        bench.inners[1].input.sendInterrupted()
        #expect(bench.recorder.events == [.value(1), .value(2), .value(3), .completed])
        #expect(bench.log.value == ["start 0", "start 1", "end 0", "end 1"])
    }

    @Test(arguments: Bench.Side.allCases)
    func concatTakesTurns(side: Bench.Side) {
        let bench = Bench(.concat, side)
        bench.send(0)
        bench.send(1)
        bench.send(2)
        #expect(bench.log.value == ["start 0"])
        bench.inners[0].input.send(value: 1)
        bench.inners[0].input.sendCompleted()
        bench.inners[1].input.send(value: 2)
        bench.inners[1].input.sendInterrupted()
        bench.outer.input.sendCompleted()
        bench.inners[2].input.send(value: 3)
        bench.inners[2].input.sendCompleted()
        #expect(bench.recorder.events == [.value(1), .value(2), .value(3), .completed])
        #expect(Set(bench.log.value) == ["start 0", "end 0", "start 1", "end 1", "start 2", "end 2"])
    }

    @Test(arguments: Bench.Side.allCases)
    func concurrentLimits(side: Bench.Side) {
        let bench = Bench(.concurrent(limit: 2), side)
        for index in 0..<4 { bench.send(index) }
        #expect(bench.log.value == ["start 0", "start 1"])
        bench.inners[1].input.sendCompleted()
        #expect(bench.log.value.filter { $0.hasPrefix("start") } == ["start 0", "start 1", "start 2"])
        bench.inners[0].input.sendCompleted()
        bench.inners[2].input.sendCompleted()
        bench.inners[3].input.send(value: 3)
        bench.outer.input.sendCompleted()
        #expect(bench.recorder.events == [.value(3)])
        bench.inners[3].input.sendCompleted()
        #expect(bench.recorder.events == [.value(3), .completed])
    }

    @Test(arguments: Bench.Side.allCases)
    func eagerStartsAllAndKeepsTheirOrder(side: Bench.Side) {
        let bench = Bench(.concatEager(limit: 2), side)
        for index in 0..<3 { bench.send(index) }
        #expect(bench.log.value == ["start 0", "start 1"])
        bench.inners[1].input.send(value: 2)
        bench.inners[0].input.send(value: 1)
        bench.inners[1].input.sendCompleted()
        #expect(bench.recorder.events == [.value(1)])
        bench.inners[0].input.sendInterrupted()
        #expect(bench.recorder.events == [.value(1), .value(2)])
        #expect(bench.log.value.contains("start 2"))
        bench.outer.input.sendCompleted()
        bench.inners[2].input.send(value: 3)
        bench.inners[2].input.sendCompleted()
        #expect(bench.recorder.events == [.value(1), .value(2), .value(3), .completed])
    }

    @Test(arguments: Bench.Side.allCases)
    func latestCancelsTheOneBefore(side: Bench.Side) {
        let bench = Bench(.latest, side)
        bench.send(0)
        bench.inners[0].input.send(value: 1)
        bench.send(1)
        #expect(bench.log.value == ["start 0", "end 0", "start 1"])
        bench.inners[0].input.send(value: 2)
        bench.inners[1].input.send(value: 3)
        bench.outer.input.sendCompleted()
        #expect(bench.recorder.events == [.value(1), .value(3)])
        bench.inners[1].input.sendCompleted()
        #expect(bench.recorder.events == [.value(1), .value(3), .completed])
    }

    @Test(arguments: Bench.Side.allCases)
    func latestWithProducersThatAreKnown(side: Bench.Side) {
        let bench = Bench(.latest, side)
        bench.send(0)
        bench.outer.input.send(value: SignalProducer(value: 7))
        #expect(bench.log.value == ["start 0", "end 0"])
        bench.send(1)
        bench.outer.input.send(value: .empty)
        bench.inners[1].input.send(value: 8)
        bench.outer.input.sendCompleted()
        #expect(bench.recorder.events == [.value(7), .completed])
    }

    @Test(arguments: Bench.Side.allCases)
    func raceIsWonByTheFirst(side: Bench.Side) {
        let bench = Bench(.race, side)
        bench.send(0)
        bench.send(1)
        bench.inners[1].input.send(value: 1)
        #expect(bench.log.value == ["start 0", "start 1", "end 0"])
        bench.send(2)
        bench.inners[0].input.send(value: 2)
        bench.inners[1].input.send(value: 3)
        bench.inners[1].input.sendCompleted()
        #expect(bench.recorder.events == [.value(1), .value(3)])
        bench.outer.input.sendCompleted()
        #expect(bench.recorder.events == [.value(1), .value(3), .completed])
    }

    @Test(arguments: Bench.Side.allCases)
    func raceIsInterruptedWithTheWinner(side: Bench.Side) {
        let bench = Bench(.race, side)
        bench.send(0)
        bench.send(1)
        bench.inners[0].input.sendInterrupted()
        #expect(bench.recorder.events == [.interrupted])
        #expect(Set(bench.log.value) == ["start 0", "start 1", "end 0", "end 1"])
    }

    @Test(arguments: Bench.Side.allCases)
    func throttleIgnoresWhileOneRuns(side: Bench.Side) {
        let bench = Bench(.throttle, side)
        bench.send(0)
        bench.send(1)
        bench.inners[0].input.send(value: 1)
        bench.inners[1].input.send(value: 2)
        bench.inners[0].input.sendCompleted()
        bench.send(2)
        bench.inners[2].input.send(value: 3)
        bench.outer.input.sendCompleted()
        bench.inners[2].input.sendCompleted()
        #expect(bench.recorder.events == [.value(1), .value(3), .completed])
        #expect(Set(bench.log.value) == ["start 0", "end 0", "start 2", "end 2"])
    }

    static let strategies: [FlattenStrategy] = [
        .merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle, .concatEager(), .concatEager(limit: 1),
    ]

    /// E6, and S3: whatever ends the result cancels what runs.
    @Test(arguments: strategies.indices, Bench.Side.allCases)
    func failuresAndInterruptions(index: Int, side: Bench.Side) {
        let inner = Bench(Self.strategies[index], side)
        inner.send(0)
        inner.inners[0].input.send(error: .first)
        #expect(inner.recorder.events == [.failed(.first)])
        #expect(inner.log.value == ["start 0", "end 0"])

        let outer = Bench(Self.strategies[index], side)
        outer.send(0)
        outer.outer.input.send(error: .second)
        outer.inners[0].input.send(value: 1)
        #expect(outer.recorder.events == [.failed(.second)])
        #expect(outer.log.value == ["start 0", "end 0"])

        let interrupted = Bench(Self.strategies[index], side)
        interrupted.send(0)
        interrupted.outer.input.sendInterrupted()
        #expect(interrupted.recorder.events == [.interrupted])
        #expect(interrupted.log.value == ["start 0", "end 0"])

        let known = Bench(Self.strategies[index], side)
        known.outer.input.send(value: SignalProducer(error: .first))
        #expect(known.recorder.events == [.failed(.first)])

        let empty = Bench(Self.strategies[index], side)
        empty.outer.input.sendCompleted()
        #expect(empty.recorder.events == [.completed])
    }

    /// P2, E7: disposing of the result cancels what runs, and nothing comes any more.
    @Test(arguments: strategies.indices, Bench.Side.allCases)
    func disposal(index: Int, side: Bench.Side) {
        let bench = Bench(Self.strategies[index], side)
        bench.send(0)
        bench.inners[0].input.send(value: 1)
        bench.disposable?.dispose()
        bench.inners[0].input.send(value: 2)
        bench.send(1)
        #expect(bench.recorder.values == [1])
        #expect(bench.recorder.termination == (side == .producer ? .interrupted : nil))
        #expect(bench.log.value == ["start 0", "end 0"])
    }

    /// E1 to E5 inside callbacks: what an observer of the result makes the outer or an inner stream send comes after.
    @Test(arguments: strategies.indices)
    func sendsFromCallbacks(index: Int) {
        let (outer, outerInput) = Signal<SignalProducer<Int, Never>, Never>.pipe()
        let (inner, innerInput) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let depth = Atomic(0)
        outer.flatten(Self.strategies[index]).observe { event in
            #expect(
                depth.modify {
                    $0 += 1; return $0
                } == 1)
            if event.value == 1 {
                innerInput.send(value: 2)
                innerInput.sendCompleted()
                outerInput.send(value: SignalProducer(value: 3))
                outerInput.sendCompleted()
            }
            recorder.observer.send(event)
            depth.modify { $0 -= 1 }
        }
        outerInput.send(value: inner.producer)
        innerInput.send(value: 1)
        // The inner stream goes on when its own delivery is over; what the outer one brought is there before that.
        let expected = [[1, 3, 2], [1, 2, 3], [1, 3, 2], [1, 3], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3]]
        #expect(recorder.values == expected[index])
        #expect(recorder.termination == .completed)
    }

    /// No leak: what the result held is gone when nobody can observe it any more.
    @Test(arguments: strategies.indices)
    func leaks(index: Int) {
        let live = Live()
        do {
            let (outer, input) = Signal<Int, TestError>.pipe()
            let token = live.token()
            let result = outer.flatMap(Self.strategies[index]) { value in
                SignalProducer<Int, TestError> { [token] observer, lifetime in
                    lifetime.observeEnded { token.touch() }
                    observer.send(value: value)
                    withExtendedLifetime(input) {}
                }
            }
            let disposable = result.observe { _ in token.touch() }
            input.send(value: 1)
            disposable?.dispose()
        }
        #expect(live.count == 0)
    }

    @Test func limitIsAtLeastOne() async {
        await #expect(processExitsWith: .failure) { _ = FlattenStrategy.concurrent(limit: 0) }
        await #expect(processExitsWith: .failure) { _ = FlattenStrategy.concatEager(limit: 0) }
    }

    /// Streams from threads at once: nothing is lost, and nothing overlaps.
    @Test(arguments: [FlattenStrategy.merge, .concurrent(limit: 2), .concat])
    func innerStreamsOnThreads(strategy: FlattenStrategy) {
        let perThread = 2_000
        let (outer, input) = Signal<SignalProducer<Int, Never>, Never>.pipe()
        let sum = Atomic(0)
        let busy = Atomic(0)
        // Another thread may be left with the rest, when those that send have ended.
        let ended = DispatchSemaphore(value: 0)
        outer.flatten(strategy).observe { event in
            #expect(busy.swap(1) == 0)
            if let value = event.value { sum.modify { $0 += value } } else { ended.signal() }
            busy.value = 0
        }
        let pipes = (0..<4).map { _ in SignalProducer<Int, Never>.buffer() }
        Crew.run(5) { index in
            if index == 4 {
                for pipe in pipes { input.send(value: pipe.producer) }
                input.sendCompleted()
            } else {
                for _ in 0..<perThread { pipes[index].observer.send(value: 1) }
                pipes[index].observer.sendCompleted()
            }
        }
        ended.wait()
        #expect(sum.value == 4 * perThread)
    }
}
