import Corinth
import CorinthTesting

extension GrowthOperation {
    /// Observers of one signal.
    static let observing = [
        GrowthOperation("observe, dispose in order") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            let observers = (0..<count).map { _ in output.observeValues { _ in } }
            input.send(value: 1)
            for observer in observers { observer?.dispose() }
        },
        GrowthOperation("observe, dispose backwards") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            let observers = (0..<count).map { _ in output.observeValues { _ in } }
            for observer in observers.reversed() { observer?.dispose() }
            input.send(value: 1)
        },
        GrowthOperation("observe, dispose every second") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            let observers = (0..<count).map { _ in output.observeValues { _ in } }
            for index in stride(from: 0, to: count, by: 2) { observers[index]?.dispose() }
            input.send(value: 1)
            input.sendCompleted()
        },
        GrowthOperation("observe and dispose, one at a time") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            for value in 0..<count {
                let observer = output.observeValues { _ in }
                input.send(value: value)
                observer?.dispose()
            }
        },
        GrowthOperation("the end of a signal") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            let ends = EventRecorder<Int, Never>()
            for _ in 0..<count { output.observe(ends.observer) }
            input.sendCompleted()
            check(ends.events.count == count)
        },
        GrowthOperation("a chain of signals", from: 250) { count in
            let (output, input) = Signal<Int, Never>.pipe()
            var chain = output
            for _ in 0..<count { chain = chain.map { $0 + 1 } }
            chain.observeValues { check($0 == count) }
            input.send(value: 0)
        },
        GrowthOperation("derived signals that nobody keeps") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            for _ in 0..<count { output.map { $0 + 1 }.observeValues { _ in }?.dispose() }
            input.send(value: 0)
        },
        GrowthOperation("values sent from inside a callback") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            let received = EventRecorder<Int, Never>()
            output.take(first: 1).observeValues { _ in for value in 0..<count { input.send(value: value) } }
            output.observe(received.observer)
            input.send(value: -1)
            check(received.values.count == count + 1)
        },
    ]

    /// Several sources.
    static let joins = [
        GrowthOperation("merge") { count in
            let (pipes, recorder) = (pipes(count), EventRecorder<Int, Never>())
            Signal.merge(pipes.map(\.output)).observe(recorder.observer)
            for pipe in pipes { pipe.input.send(value: 1) }
            for pipe in pipes { pipe.input.sendCompleted() }
            check(recorder.events.count == count + 1)
        },
        GrowthOperation("combineLatest, a value of each at first") { count in
            let (pipes, recorder) = (pipes(count), EventRecorder<[Int], Never>())
            Signal.combineLatest(pipes.map(\.output)).observe(recorder.observer)
            for pipe in pipes { pipe.input.send(value: 1) }
            for pipe in pipes.reversed() { pipe.input.sendCompleted() }
            check(recorder.events.count == 2)
        },
        GrowthOperation("combineLatest, values of each") { count in
            let (pipes, sum) = (pipes(count), Atomic(0))
            Signal.combineLatest(pipes.map(\.output)).observeValues { values in sum.modify { $0 += values[0] } }
            for value in 0..<3 { for pipe in pipes { pipe.input.send(value: value) } }
            check(sum.value == 3 * count)
        },
        GrowthOperation("zip") { count in
            let (pipes, recorder) = (pipes(count), EventRecorder<[Int], Never>())
            Signal.zip(pipes.map(\.output)).observe(recorder.observer)
            for value in 0..<2 { for pipe in pipes { pipe.input.send(value: value) } }
            for pipe in pipes { pipe.input.sendCompleted() }
            check(recorder.events.count == 3)
        },
        GrowthOperation("zip, one source ahead") { count in
            let (first, second) = (Signal<Int, Never>.pipe(), Signal<Int, Never>.pipe())
            let recorder = EventRecorder<Int, Never>()
            first.output.zip(with: second.output).map { $0 + $1 }.observe(recorder.observer)
            for value in 0..<count { first.input.send(value: value) }
            for value in 0..<count { second.input.send(value: value) }
            check(recorder.values.count == count)
        },
        GrowthOperation("all") { count in
            let pipes = (0..<count).map { _ in Signal<Bool, Never>.pipe() }
            let recorder = EventRecorder<Bool, Never>()
            Signal.all(pipes.map(\.output)).observe(recorder.observer)
            for _ in 0..<2 { for pipe in pipes { pipe.input.send(value: true) } }
            check(recorder.values.count == count + 1)
        },
        GrowthOperation("combineLatest of one signal, disposed of") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            Signal.combineLatest((0..<count).map { _ in output }).observe { _ in }?.dispose()
            input.send(value: 1)
        },
        GrowthOperation("merge of producers") { count in
            let recorder = EventRecorder<Int, Never>()
            SignalProducer.merge((0..<count).map { SignalProducer<Int, Never>(value: $0) }).start(recorder.observer)
            check(recorder.events.count == count + 1)
        },
        GrowthOperation("combineLatest of producers") { count in
            let recorder = EventRecorder<[Int], Never>()
            SignalProducer.combineLatest((0..<count).map { SignalProducer<Int, Never>(value: $0) })
                .start(recorder.observer)
            check(recorder.events.count == 2)
        },
        GrowthOperation("zip of producers, disposed of") { count in
            SignalProducer.zip((0..<count).map { _ in SignalProducer<Int, Never>.never }).start().dispose()
        },
    ]

    /// Streams of streams, and repetition.
    static let flattening = [
        flatten("merge", .merge), flatten("concat", .concat), flatten("at most 4", .concurrent(limit: 4)),
        flatten("concatEager", .concatEager()), flatten("latest", .latest), flatten("race", .race),
        flatten("throttle", .throttle),
        GrowthOperation("flatten of open signals") { count in
            let (pipes, recorder) = (pipes(count), EventRecorder<Int, Never>())
            SignalProducer<Signal<Int, Never>, Never>(pipes.map(\.output)).flatten(.merge).start(recorder.observer)
            for pipe in pipes { pipe.input.send(value: 1) }
            for pipe in pipes { pipe.input.sendCompleted() }
            check(recorder.events.count == count + 1)
        },
        GrowthOperation("recursion through concat") { count in
            @Sendable func numbers(from number: Int) -> SignalProducer<Int, Never> {
                let first = SignalProducer<Int, Never>(value: number)
                return number == count
                    ? first : first.concat(SignalProducer(value: number + 1).flatMap(.concat, numbers(from:)))
            }
            let recorder = EventRecorder<Int, Never>()
            numbers(from: 1).start(recorder.observer)
            check(recorder.values.count == count)
        },
        GrowthOperation("repeat") { count in
            let recorder = EventRecorder<Int, Never>()
            SignalProducer<Int, Never>(value: 1).repeat(count).start(recorder.observer)
            check(recorder.values.count == count)
        },
        GrowthOperation("retry") { count in
            let recorder = EventRecorder<Int, MarbleError>()
            SignalProducer<Int, MarbleError>(error: MarbleError()).retry(upTo: count).start(recorder.observer)
            check(recorder.events.count == 1)
        },
    ]

    private static func flatten(_ name: String, _ strategy: FlattenStrategy) -> GrowthOperation {
        GrowthOperation("flatten: " + name) { count in
            let inner = (0..<count).map { SignalProducer<Int, Never>(value: $0) }
            let recorder = EventRecorder<Int, Never>()
            SignalProducer<SignalProducer<Int, Never>, Never>(inner).flatten(strategy).start(recorder.observer)
            check(recorder.termination == .completed)
        }
    }
}
