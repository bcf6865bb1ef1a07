import Corinth
import CorinthTesting
import Testing

/// Joins of very many sources: building, ending and disposing take time linear in the number of sources.
@Suite(.serialized)
struct JoinScalingTests {
    static let few = 2_000
    static let many = 10 * few

    #if NaiveLocks
        private static let fewOfOneSource = 200
    #else
        private static let fewOfOneSource = 1_000
    #endif

    /// Ten times as many sources take about ten times as long. With quadratic time they would take a hundred times as long.
    private func expectLinear(
        from few: Int = few, at place: SourceLocation = #_sourceLocation, _ body: (_ count: Int) -> Void
    ) {
        func time(_ count: Int) -> Duration { ContinuousClock().measure { body(count) } }
        var ratios: [Double] = []
        // Other processes on the machine disturb the measurement, so one undisturbed round is enough.
        for _ in 0..<4 {
            let shortest = (0..<3).map { _ in time(few) }.min()!
            ratios.append(time(10 * few) / shortest)
            if ratios.last! < 35 { return }
        }
        Issue.record("ten times as many sources took \(ratios) times as long", sourceLocation: place)
    }

    private func pipes(_ count: Int) -> [(output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)] {
        (0..<count).map { _ in Signal<Int, Never>.pipe() }
    }

    private typealias Join = @Sendable ([Signal<Int, Never>]) -> Signal<[Int], Never>

    private static let joins: [Join] = [
        { Signal.combineLatest($0) }, { Signal.zip($0) }, { Signal.merge($0).map { [$0] } },
        { Signal.merge(ordered: $0).map { [$0] } },
    ]

    private typealias ProducerJoin = @Sendable ([SignalProducer<Int, Never>]) -> SignalProducer<[Int], Never>

    private static let producerJoins: [ProducerJoin] = [
        { SignalProducer.combineLatest($0) }, { SignalProducer.zip($0) }, { SignalProducer.merge($0).map { [$0] } },
        { SignalProducer.merge(ordered: $0).map { [$0] } },
    ]

    @Test(arguments: joins.indices)
    func completionOfSignals(join: Int) {
        expectLinear { count in
            let pipes = pipes(count)
            let recorder = EventRecorder<[Int], Never>()
            Self.joins[join](pipes.map(\.output)).observe(recorder.observer)
            for (index, pipe) in pipes.enumerated() { pipe.input.send(value: index) }
            for pipe in pipes { pipe.input.sendCompleted() }
            #expect(recorder.values.last?.last == count - 1)
            #expect(recorder.termination == .completed)
        }
    }

    @Test(arguments: joins.indices)
    func disposalOfSignals(join: Int) {
        expectLinear { count in
            let pipes = pipes(count)
            Self.joins[join](pipes.map(\.output)).observe { _ in }?.dispose()
            for pipe in pipes { pipe.input.send(value: 1) }
        }
    }

    /// All sources derive from one signal, and are removed from its observer list. In the naive build that list is an array, in
    /// which later elements move; from 5,000 elements on, that takes most of the time.
    @Test(arguments: joins.indices)
    func disposalOfSignalsOfOneSource(join: Int) {
        expectLinear(from: Self.fewOfOneSource) { count in
            let (signal, input) = Signal<Int, Never>.pipe()
            let joined = Self.joins[join]((0..<count).map { _ in signal })
            joined.observe { _ in }?.dispose()
            input.send(value: 1)
        }
    }

    @Test(arguments: producerJoins.indices)
    func completionOfProducers(join: Int) {
        expectLinear { count in
            let recorder = EventRecorder<[Int], Never>()
            Self.producerJoins[join]((0..<count).map { SignalProducer(value: $0) }).start(recorder.observer)
            #expect(recorder.values.last?.last == count - 1)
            #expect(recorder.termination == .completed)
        }
    }

    /// The sources complete in the reverse of their start order.
    @Test(arguments: producerJoins.indices)
    func completionOfProducersBackwards(join: Int) {
        expectLinear { count in
            let pipes = pipes(count)
            let recorder = EventRecorder<[Int], Never>()
            Self.producerJoins[join](pipes.map { SignalProducer($0.output) }).start(recorder.observer)
            for pipe in pipes { pipe.input.send(value: 1) }
            for pipe in pipes.reversed() { pipe.input.sendCompleted() }
            #expect(recorder.termination == .completed)
        }
    }

    @Test(arguments: producerJoins.indices)
    func disposalOfProducers(join: Int) {
        expectLinear { count in
            let recorder = EventRecorder<[Int], Never>()
            let never = SignalProducer<Int, Never>.never
            Self.producerJoins[join]((0..<count).map { _ in never }).start(recorder.observer).dispose()
            #expect(recorder.events == [.interrupted])
        }
    }

    /// Starts of a shared producer, one value for all of them, and their disposal.
    @Test(arguments: [0, 1])
    func startsOfOneShared(replay: Int) {
        expectLinear { count in
            let (output, input) = Signal<Int, Never>.pipe()
            let shared = output.producer.share(replay: replay)
            let received = Counter()
            let starts = (0..<count).map { _ in shared.startWithValues { _ in received.increment() } }
            input.send(value: 1)
            for start in starts { start.dispose() }
            #expect(received.value == count)
        }
    }

    @Test func booleans() {
        expectLinear { count in
            let pipes = (0..<count).map { _ in Signal<Bool, Never>.pipe() }
            let recorder = EventRecorder<Bool, Never>()
            Signal.all(pipes.map(\.output)).observe(recorder.observer)
            // This is linear, too. An array of all states for each value would not be.
            for _ in 0..<2 { for pipe in pipes { pipe.input.send(value: true) } }
            for pipe in pipes { pipe.input.sendCompleted() }
            #expect(recorder.values.count == count + 1)
            #expect(recorder.termination == .completed)
        }
    }

    /// The threads of `ThreadGroup` have stacks of 512 KiB. The joins are built and released there.
    @Test func onASmallStack() {
        let finished = Counter()
        ThreadGroup.run(1) { _ in
            for join in Self.joins {
                let pipes = pipes(Self.many)
                let recorder = EventRecorder<[Int], Never>()
                join(pipes.map(\.output)).observe(recorder.observer)
                for pipe in pipes { pipe.input.send(value: 1) }
                for pipe in pipes { pipe.input.sendCompleted() }
                if recorder.termination == .completed { finished.increment() }
                // This join is released without an end.
                _ = join(self.pipes(Self.many).map(\.output))
            }
            for join in Self.producerJoins {
                let recorder = EventRecorder<[Int], Never>()
                join((0..<Self.many).map { SignalProducer(value: $0) }).start(recorder.observer)
                if recorder.termination == .completed { finished.increment() }
                join((0..<Self.many).map { _ in .never }).start(recorder.observer).dispose()
            }
        }
        #expect(finished.value == Self.joins.count + Self.producerJoins.count)
    }
}
