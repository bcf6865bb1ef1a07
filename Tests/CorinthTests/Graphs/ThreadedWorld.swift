#if !NaiveLocks
    import Corinth
    import CorinthTesting
    import Dispatch
    import Foundation

    /// Builds a graph with the library, and holds everything that belongs to it.
    final class ThreadedWorld: @unchecked Sendable {  // One thread builds it; the rest is immutable or guards itself.
        let leaks = LeakCounter()
        let scheduler = TestScheduler()
        private let coldInputs = ColdInputs()
        private let capacity: Int?
        private let surroundings: ThreadedSurroundings
        private var pipes: [(output: Stream, input: Stream.Observer)] = []
        private let token: Lifetime.Token
        private let lifetime: Lifetime

        /// The result, as a producer too if it is a signal. Nil after the release.
        private(set) var signal: Stream?
        private(set) var producer: StreamProducer?

        init(_ graph: ThreadedGraph, capacity: Int?, in surroundings: ThreadedSurroundings) {
            self.capacity = capacity
            self.surroundings = surroundings
            (lifetime, token) = Lifetime.make()
            pipes = (0..<ThreadedCase.sources).map { _ in
                guard let capacity else { return Stream.pipe() }
                return Stream.pipe(buffering: .blocking(capacity: capacity, stallTimeout: .never))
            }
            if case .hot(let graph) = graph { signal = hot(graph) }
            producer = signal.map { StreamProducer($0) } ?? cold(graph)
        }

        func send(_ event: Signal<Int, TestError>.Event, to source: Int) {
            let event = event.map { Item($0, $0.isMultiple(of: 3) ? surroundings.token : leaks.token()) }
            pipes[source].input.send(event)
            coldInputs.send(event, to: source)
        }

        /// Completes all sources and lets all virtual timers run, several times if operators start sources again.
        func complete() {
            for _ in 0..<8 {
                for source in 0..<ThreadedCase.sources {
                    send(.completed, to: source)
                    scheduler.advance(by: .seconds(1))
                }
                scheduler.advance(by: .seconds(50))
            }
        }

        // MARK: Building

        private func inputs(_ signals: [Stream], _ producers: [StreamProducer]) -> HarnessInputs {
            HarnessInputs(
                signals: signals, producers: producers, scheduler: scheduler, lifetime: lifetime, leaks: leaks,
                calls: surroundings.calls)
        }

        private func hot(_ graph: ThreadedGraph) -> Stream {
            switch graph {
            case .pipe(let source), .cold(let source): return pipes[source].output
            case .values: return .empty
            case .hot(let graph): return hot(graph)
            case .hop(let hop, let source): return observe(hot(source), on: hop)
            case .apply(let name, let sources):
                let signals = sources.map(hot)
                let others = Array(signals.dropFirst())
                guard let operation = ThreadedGraph.entry(name).signal else {
                    preconditionFailure("\(name) isn't an operator of signals")
                }
                return operation(signals[0], inputs(others, others.map { StreamProducer($0) }))
            }
        }

        private func observe(_ signal: Stream, on hop: ThreadedGraph.Hop) -> Stream {
            switch hop {
            case .queue: signal.observe(on: surroundings.queue)
            case .thread: signal.observe(on: surroundings.thread)
            case .pool: signal.observe(on: surroundings.pool.next)
            case .boundedQueue: signal.observe(on: surroundings.queue, bufferingPolicy: .two)
            case .boundedThread: signal.observe(on: surroundings.thread, bufferingPolicy: .two)
            case .droppingQueue: signal.observe(on: surroundings.queue, bufferingPolicy: .dropOldest(capacity: 2))
            case .property, .binding, .action, .sequence: preconditionFailure("\(hop) isn't for signals")
            }
        }

        private func cold(_ graph: ThreadedGraph) -> StreamProducer {
            switch graph {
            case .pipe(let source): return StreamProducer(pipes[source].output)
            case .cold(let source): return coldInputs.producer(source)
            case .values(let count): return StreamProducer((1...count).map { Item($0) })
            case .hot(let graph): return StreamProducer(hot(graph))
            case .hop(let hop, let source): return observe(cold(source), on: hop)
            case .apply(let name, let sources):
                let producers = sources.map(cold)
                let others = Array(producers.dropFirst())
                guard let operation = ThreadedGraph.entry(name).producer else {
                    preconditionFailure("\(name) isn't an operator of producers")
                }
                return operation(producers[0], inputs(others.map { _ in .never }, others))
            }
        }

        private func observe(_ producer: StreamProducer, on hop: ThreadedGraph.Hop) -> StreamProducer {
            switch hop {
            case .queue: return producer.observe(on: surroundings.queue)
            case .thread: return producer.observe(on: surroundings.thread)
            case .pool: return producer.observe(on: surroundings.pool.next)
            case .boundedQueue: return producer.observe(on: surroundings.queue, bufferingPolicy: .two)
            case .boundedThread: return producer.observe(on: surroundings.thread, bufferingPolicy: .two)
            case .droppingQueue:
                return producer.observe(on: surroundings.queue, bufferingPolicy: .dropOldest(capacity: 2))
            case .property:
                let values = producer.infallible { $0 }
                return StreamProducer { observer, lifetime in
                    let property = Property(initial: Item(0), then: values)
                    lifetime += property.producer.promoteError(TestError.self).start(observer)
                }
            case .binding:
                let values = producer.infallible { $0 }
                return StreamProducer { observer, lifetime in
                    let property = MutableProperty(Item(0))
                    // The result ends with the source: then nothing keeps the property.
                    let holder = Atomic<MutableProperty<Item>?>(property)
                    lifetime += property.producer.promoteError(TestError.self).start(observer)
                    lifetime += property <~ values.on(terminated: { holder.value = nil })
                }
            case .action:
                let action = Action<Item, Item, TestError> { SignalProducer(value: $0) }
                return producer.flatMap(.concat) { item in
                    action.apply(item).flatMapError { error -> StreamProducer in
                        if case .producerFailed(let error) = error { StreamProducer(error: error) } else { .empty }
                    }
                }
            case .sequence: return StreamProducer(awaiting: producer.values(bufferingPolicy: .unbounded))
            }
        }

        // MARK: Releasing

        func release() {
            signal = nil
            producer = nil
            pipes = []
            coldInputs.release()
            token.dispose()
        }
    }

    extension BufferingPolicy {
        /// Two values wait, then the senders.
        fileprivate static var two: BufferingPolicy { .blocking(capacity: 2, stallTimeout: .never) }
    }
#endif
