import Corinth
import CorinthTesting
import Dispatch
import Testing

/// The strategies on signals and on producers, with inner streams that the test controls.
struct FlattenTests {
    typealias Inner = Signal<Int, TestError>

    /// An outer stream, several inner ones, and the output.
    final class HarnessInputs: Sendable {
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

        /// The producer of an inner stream. It records its start and its release.
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

    @Test(arguments: HarnessInputs.Side.allCases)
    func mergePassesOnAll(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.merge, side)
        inputs.send(0)
        inputs.send(1)
        inputs.inners[0].input.send(value: 1)
        inputs.inners[1].input.send(value: 2)
        inputs.outer.input.sendCompleted()
        inputs.inners[0].input.sendCompleted()
        inputs.inners[1].input.send(value: 3)
        #expect(inputs.recorder.termination == nil)
        inputs.inners[1].input.sendInterrupted()
        #expect(inputs.recorder.events == [.value(1), .value(2), .value(3), .completed])
        #expect(inputs.log.value == ["start 0", "start 1", "end 0", "end 1"])
    }

    /// An inner stream that makes its value at its start.
    static func made(_ value: Int, _ log: Atomic<[String]>) -> SignalProducer<Int, TestError> {
        SignalProducer<Int, TestError>(value: value).map { value in
            log.modify { $0.append("make \(value)") }
            return value
        }
    }

    /// A value is made when its stream is started: not while the stream waits, and not if it never runs.
    @Test(arguments: HarnessInputs.Side.allCases)
    func valuesAreMadeAtTheStart(side: HarnessInputs.Side) {
        let merged = HarnessInputs(.merge, side)
        for value in 0..<2 { merged.outer.input.send(value: Self.made(value, merged.log)) }
        #expect(merged.log.value == ["make 0", "make 1"])
        #expect(merged.recorder.events == [.value(0), .value(1)])

        let concatenated = HarnessInputs(.concat, side)
        concatenated.send(0)
        for value in 1...2 { concatenated.outer.input.send(value: Self.made(value, concatenated.log)) }
        #expect(concatenated.log.value == ["start 0"])
        concatenated.inners[0].input.sendCompleted()
        #expect(concatenated.log.value == ["start 0", "make 1", "make 2", "end 0"])
        concatenated.outer.input.sendCompleted()
        #expect(concatenated.recorder.events == [.value(1), .value(2), .completed])

        let eager = HarnessInputs(.concatEager(), side)
        eager.send(0)
        eager.outer.input.send(value: Self.made(1, eager.log))
        #expect(eager.log.value == ["start 0", "make 1"])
        eager.inners[0].input.send(value: 0)
        eager.inners[0].input.sendCompleted()
        #expect(eager.recorder.events == [.value(0), .value(1)])

        // The previous stream ends before the next value is made.
        let latest = HarnessInputs(.latest, side)
        latest.send(0)
        latest.outer.input.send(value: Self.made(1, latest.log))
        latest.inners[0].input.send(value: 0)
        #expect(latest.log.value == ["start 0", "end 0", "make 1"])
        latest.outer.input.sendCompleted()
        #expect(latest.recorder.events == [.value(1), .completed])

        let throttled = HarnessInputs(.throttle, side)
        throttled.outer.input.send(value: Self.made(0, throttled.log))
        throttled.send(0)
        throttled.outer.input.send(value: Self.made(1, throttled.log))
        #expect(throttled.log.value == ["make 0", "start 0"])

        let race = HarnessInputs(.race, side)
        race.send(0)
        for value in 1...2 { race.outer.input.send(value: Self.made(value, race.log)) }
        race.inners[0].input.send(value: 0)
        #expect(race.log.value == ["start 0", "make 1", "end 0"])
        race.outer.input.sendCompleted()
        #expect(race.recorder.events == [.value(1), .completed])
    }

    /// A value is made outside the strand: what its closure sends is delivered at once, before the value.
    @Test(arguments: HarnessInputs.Side.allCases)
    func valuesAreMadeOutsideTheStrand(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.merge, side)
        inputs.send(0)
        inputs.outer.input.send(
            value: SignalProducer<Int, TestError>(value: 2).map { value in
                inputs.inners[0].input.send(value: 1)
                #expect(inputs.recorder.events == [.value(1)])
                return value
            })
        #expect(inputs.recorder.events == [.value(1), .value(2)])
    }

    @Test(arguments: [FlattenStrategy.merge, .concat, .concatEager(), .latest, .throttle, .race])
    func `P2: no value is made for a start that has been disposed of`(strategy: FlattenStrategy) {
        let (outer, input) = Signal<Int, TestError>.pipe()
        let log = Atomic<[String]>([])
        let recorder = EventRecorder<Int, TestError>()
        let serial = SerialDisposable()
        serial.inner = outer.producer.flatMap(strategy) { value in
            if value == 1 { serial.dispose() }
            return Self.made(value, log)
        }.start(recorder.observer)
        input.send(value: 0)
        input.send(value: 1)
        #expect(log.value == ["make 0"])
        #expect(recorder.events == [.value(0), .interrupted])
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func concatRunsOneAtATime(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.concat, side)
        inputs.send(0)
        inputs.send(1)
        inputs.send(2)
        #expect(inputs.log.value == ["start 0"])
        inputs.inners[0].input.send(value: 1)
        inputs.inners[0].input.sendCompleted()
        inputs.inners[1].input.send(value: 2)
        inputs.inners[1].input.sendInterrupted()
        inputs.outer.input.sendCompleted()
        inputs.inners[2].input.send(value: 3)
        inputs.inners[2].input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1), .value(2), .value(3), .completed])
        #expect(Set(inputs.log.value) == ["start 0", "end 0", "start 1", "end 1", "start 2", "end 2"])
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func concurrentLimits(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.concurrent(limit: 2), side)
        for index in 0..<4 { inputs.send(index) }
        #expect(inputs.log.value == ["start 0", "start 1"])
        inputs.inners[1].input.sendCompleted()
        #expect(inputs.log.value.filter { $0.hasPrefix("start") } == ["start 0", "start 1", "start 2"])
        inputs.inners[0].input.sendCompleted()
        inputs.inners[2].input.sendCompleted()
        inputs.inners[3].input.send(value: 3)
        inputs.outer.input.sendCompleted()
        #expect(inputs.recorder.events == [.value(3)])
        inputs.inners[3].input.sendCompleted()
        #expect(inputs.recorder.events == [.value(3), .completed])
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func eagerStartsAllAndKeepsTheirOrder(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.concatEager(limit: 2), side)
        for index in 0..<3 { inputs.send(index) }
        #expect(inputs.log.value == ["start 0", "start 1"])
        inputs.inners[1].input.send(value: 2)
        inputs.inners[0].input.send(value: 1)
        inputs.inners[1].input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1)])
        inputs.inners[0].input.sendInterrupted()
        #expect(inputs.recorder.events == [.value(1), .value(2)])
        #expect(inputs.log.value.contains("start 2"))
        inputs.outer.input.sendCompleted()
        inputs.inners[2].input.send(value: 3)
        inputs.inners[2].input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1), .value(2), .value(3), .completed])
    }

    @Test func `The order is kept if streams are sent from a callback in which an earlier stream has ended`() {
        let outer = Signal<SignalProducer<Int, Never>, Never>.pipe()
        let first = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let result = outer.output.flatten(.concatEager(limit: 2))
        result.observe(recorder.observer)
        result.observeValues { value in
            if value != 0 { return }
            first.input.sendCompleted()
            outer.input.send(value: SignalProducer([1]))
            outer.input.send(value: SignalProducer([2]))
            outer.input.sendCompleted()
        }
        outer.input.send(value: SignalProducer(first.output))
        first.input.send(value: 0)
        #expect(recorder.events == [.value(0), .value(1), .value(2), .completed])
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func latestCancelsTheOneBefore(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.latest, side)
        inputs.send(0)
        inputs.inners[0].input.send(value: 1)
        inputs.send(1)
        #expect(inputs.log.value == ["start 0", "end 0", "start 1"])
        inputs.inners[0].input.send(value: 2)
        inputs.inners[1].input.send(value: 3)
        inputs.outer.input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1), .value(3)])
        inputs.inners[1].input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1), .value(3), .completed])
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func latestWithProducersThatAreKnown(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.latest, side)
        inputs.send(0)
        inputs.outer.input.send(value: SignalProducer(value: 7))
        #expect(inputs.log.value == ["start 0", "end 0"])
        inputs.send(1)
        inputs.outer.input.send(value: .empty)
        inputs.inners[1].input.send(value: 8)
        inputs.outer.input.sendCompleted()
        #expect(inputs.recorder.events == [.value(7), .completed])
    }

    /// Neither a strategy nor the run of an inner stream keeps the other alive after the result has been disposed of.
    @Test(arguments: [FlattenStrategy.merge, .concat, .concatEager(), .latest, .race, .throttle])
    func disposedResultsAreReleased(strategy: FlattenStrategy) {
        let leaks = LeakCounter()
        func start(_ inner: SignalProducer<Int, Never>) {
            let token = leaks.token()
            SignalProducer<Int, Never>([1, 2])
                .flatMap(strategy) { _ in inner }
                .startWithValues { [token] _ in withExtendedLifetime(token) {} }
                .dispose()
        }
        start(.never)
        start(SignalProducer { input, lifetime in lifetime.observeEnded { withExtendedLifetime(input) {} } })
        // Its input is released at once, which interrupts it.
        start(SignalProducer(Signal<Int, Never>.pipe().output))
        #expect(leaks.count == 0)
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func raceIsWonByTheFirst(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.race, side)
        inputs.send(0)
        inputs.send(1)
        inputs.inners[1].input.send(value: 1)
        #expect(inputs.log.value == ["start 0", "start 1", "end 0"])
        inputs.send(2)
        inputs.inners[0].input.send(value: 2)
        inputs.inners[1].input.send(value: 3)
        inputs.inners[1].input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1), .value(3)])
        inputs.outer.input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1), .value(3), .completed])
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func raceIsInterruptedWithTheWinner(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.race, side)
        inputs.send(0)
        inputs.send(1)
        inputs.inners[0].input.sendInterrupted()
        #expect(inputs.recorder.events == [.interrupted])
        #expect(Set(inputs.log.value) == ["start 0", "start 1", "end 0", "end 1"])
    }

    @Test(arguments: HarnessInputs.Side.allCases)
    func throttleIgnoresWhileOneRuns(side: HarnessInputs.Side) {
        let inputs = HarnessInputs(.throttle, side)
        inputs.send(0)
        inputs.send(1)
        inputs.inners[0].input.send(value: 1)
        inputs.inners[1].input.send(value: 2)
        inputs.inners[0].input.sendCompleted()
        inputs.send(2)
        inputs.inners[2].input.send(value: 3)
        inputs.outer.input.sendCompleted()
        inputs.inners[2].input.sendCompleted()
        #expect(inputs.recorder.events == [.value(1), .value(3), .completed])
        #expect(Set(inputs.log.value) == ["start 0", "end 0", "start 2", "end 2"])
    }

    static let strategies: [FlattenStrategy] = [
        .merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle, .concatEager(), .concatEager(limit: 1),
    ]

    @Test(arguments: strategies.indices, HarnessInputs.Side.allCases)
    func `E6 and S3: every end of the result cancels the running streams`(index: Int, side: HarnessInputs.Side) {
        let inner = HarnessInputs(Self.strategies[index], side)
        inner.send(0)
        inner.inners[0].input.send(error: .first)
        #expect(inner.recorder.events == [.failed(.first)])
        #expect(inner.log.value == ["start 0", "end 0"])

        let outer = HarnessInputs(Self.strategies[index], side)
        outer.send(0)
        outer.outer.input.send(error: .second)
        outer.inners[0].input.send(value: 1)
        #expect(outer.recorder.events == [.failed(.second)])
        #expect(outer.log.value == ["start 0", "end 0"])

        let interrupted = HarnessInputs(Self.strategies[index], side)
        interrupted.send(0)
        interrupted.outer.input.sendInterrupted()
        #expect(interrupted.recorder.events == [.interrupted])
        #expect(interrupted.log.value == ["start 0", "end 0"])

        let known = HarnessInputs(Self.strategies[index], side)
        known.outer.input.send(value: SignalProducer(error: .first))
        #expect(known.recorder.events == [.failed(.first)])

        let empty = HarnessInputs(Self.strategies[index], side)
        empty.outer.input.sendCompleted()
        #expect(empty.recorder.events == [.completed])
    }

    @Test(arguments: strategies.indices, HarnessInputs.Side.allCases)
    func `P2, E7: disposing of the result cancels the running streams, and nothing follows`(
        index: Int, side: HarnessInputs.Side
    ) {
        let inputs = HarnessInputs(Self.strategies[index], side)
        inputs.send(0)
        inputs.inners[0].input.send(value: 1)
        inputs.disposable?.dispose()
        inputs.inners[0].input.send(value: 2)
        inputs.send(1)
        #expect(inputs.recorder.values == [1])
        #expect(inputs.recorder.termination == (side == .producer ? .interrupted : nil))
        #expect(inputs.log.value == ["start 0", "end 0"])
    }

    /// Inside callbacks: an event that an observer of the result sends to the outer or an inner stream comes later.
    @Test(arguments: strategies.indices)
    func `E1 to E5: sends from callbacks`(index: Int) {
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
        // The inner stream continues after its own delivery. Values that the outer stream brought are delivered before that.
        let expected = [[1, 3, 2], [1, 2, 3], [1, 3, 2], [1, 3], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3]]
        #expect(recorder.values == expected[index])
        #expect(recorder.termination == .completed)
    }

    /// The result's state is released when the result can't be observed any more.
    @Test(arguments: strategies.indices)
    func leaks(index: Int) {
        let leaks = LeakCounter()
        do {
            let (outer, input) = Signal<Int, TestError>.pipe()
            let token = leaks.token()
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
        #expect(leaks.count == 0)
    }

    /// Several threads emit streams concurrently: nothing is lost, and deliveries don't overlap.
    @Test(arguments: [FlattenStrategy.merge, .concurrent(limit: 2), .concat])
    func innerStreamsOnThreads(strategy: FlattenStrategy) {
        let perThread = 2_000
        let (outer, input) = Signal<SignalProducer<Int, Never>, Never>.pipe()
        let sum = Atomic(0)
        let busy = Atomic(0)
        // When the senders have ended, another thread may still deliver the rest.
        let ended = DispatchSemaphore(value: 0)
        outer.flatten(strategy).observe { event in
            #expect(busy.swap(1) == 0)
            if let value = event.value { sum.modify { $0 += value } } else { ended.signal() }
            busy.value = 0
        }
        let pipes = (0..<4).map { _ in SignalProducer<Int, Never>.buffer() }
        ThreadGroup.run(5) { index in
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
