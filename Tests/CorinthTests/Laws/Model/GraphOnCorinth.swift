import Corinth
import CorinthTesting
import Dispatch

/// The outcome of a case: the events with the stimuli at which they arrived, and the number of live sources after each
/// stimulus.
struct CaseOutcome: Equatable, CustomStringConvertible {
    var events: [String] = []
    var leaks: [Int] = []

    var description: String { "\(events), live sources: \(leaks)" }
}

/// Builds a graph with the library and runs it.
final class GraphOnCorinth: Sendable {
    typealias Source = SignalProducer<Int, TestError>

    let scheduler = TestScheduler()
    private let leaks = Atomic(0)
    private let pipes = (0..<GraphCase.pipes).map { _ in Signal<Int, TestError>.pipe() }

    /// The latest value that was sent to each pipe, and whether it is odd.
    let properties = (0..<GraphCase.pipes).map { _ in MutableProperty(0) }
    let parities = (0..<GraphCase.pipes).map { _ in MutableProperty(false) }

    private init() {}

    static func run(_ test: GraphCase) -> CaseOutcome {
        let world = GraphOnCorinth()
        var outcome = CaseOutcome()
        let log = EventLog()
        let disposable = world.build(test.graph).start { log.receive($0.map { Item($0) }) }
        outcome.leaks.append(world.leaks.value)
        var disposedAt: Int?
        for step in 0...test.stimuli.count {
            log.step = step
            if step > 0 {
                world.apply(test.stimuli[step - 1])
                outcome.leaks.append(world.leaks.value)
            }
            if step == test.disposal, !log.isEnded {
                disposedAt = log.seen.count
                disposable.dispose()
                outcome.leaks.append(world.leaks.value)
            }
        }
        log.step += 1
        world.scheduler.advance(by: .seconds(100))
        outcome.leaks.append(world.leaks.value)
        outcome.events = log.seen.enumerated().map { index, seen in
            // The interruption may wait for a scheduler.
            disposedAt == index && seen.event == .interrupted ? "disposed of" : seen.description
        }
        if log.overlaps > 0 { outcome.events.append("nested") }
        // A source that never ends keeps its observer until its start is disposed of, and a scheduled interruption its scheduler
        // until it runs.
        disposable.dispose()
        world.scheduler.advance(by: .seconds(100))
        return outcome
    }

    private func apply(_ stimulus: Stimulus) {
        switch stimulus {
        case .value(let number, let source):
            parities[source].value = number % 2 == 1
            properties[source].value = number
            pipes[source].input.send(value: number)
        case .end(let ending, let source): pipes[source].input.send(ending.termination.map(\.number))
        case .advance(let seconds): scheduler.advance(by: .seconds(seconds))
        }
    }

    /// A source that counts as live from its start to its end.
    private func counted(_ start: @escaping @Sendable (Signal<Int, TestError>.Observer, Lifetime) -> Void) -> Source {
        Source { [leaks] observer, lifetime in
            leaks.modify { $0 += 1 }
            lifetime.observeEnded { leaks.modify { $0 -= 1 } }
            start(observer, lifetime)
        }
    }

    func build(_ graph: Graph) -> Source {
        switch graph {
        case .pipe(let index):
            let signal = pipes[index].output
            return counted { observer, lifetime in lifetime += signal.observe(observer) }
        case .values(let values, let ending):
            return counted { observer, lifetime in
                for value in values where !lifetime.hasEnded { observer.send(value: value) }
                if let ending {
                    observer.send(ending.termination.map(\.number))
                } else {
                    lifetime.observeEnded { withExtendedLifetime(observer) {} }
                }
            }
        case .array(let values): return Source(values)
        case .value(let value): return Source(value: value)
        case .empty: return .empty
        case .failure: return Source(error: .second)
        case .property(let index): return properties[index].producer.promoteError()
        case .combinedProperty(let index): return combinedProperty(index)
        case .stage(let stage, let source): return build(stage, build(source))
        case .lifted(let stage, let source):
            guard stage.isLiftable else { return build(stage, build(source)) }
            return build(source).lift { self.build(stage, $0) }
        case .join(let kind, let first, let second): return build(kind, build(first), build(second))
        case .combineLatest(let sources):
            return Source.combineLatest(sources.map(build)).map { $0.reduce(0) { ($0 * 10 + $1) % 1_000 } }
        case .zip(let sources): return Source.zip(sources.map(build)).map { $0.reduce(0) { ($0 * 10 + $1) % 1_000 } }
        case .merge(let sources): return Source.merge(sources.map(build))
        case .flatMap(let strategy, let outer, let inners):
            let inners = inners.map(build)
            return build(outer).flatMap(strategy.flattening) { inners[$0 % inners.count] }
        case .flatMapError(let source, let next):
            let next = build(next)
            return build(source).flatMapError { (_: TestError) in next }
        case .flatMapOfSignals(let strategy, let outer, let inners):
            let inners = inners.map(build)
            return build(outer).lift { $0.flatMap(strategy.flattening) { inners[$0 % inners.count] } }
        case .flatMapBounded(let strategy, let policy, let outer, let inners):
            return flatMap(strategy, policy, build(outer), inners.map(build))
        case .zipBounded(let policy, let first, let second):
            return build(first).zip(with: build(second), bufferingPolicy: policy.buffering)
                .map { ($0 * 10 + $1) % 1_000 }
        case .action(let outer, let inners): return apply(build(outer), inners.map(build))
        case .shared(let capacity, let source): return share(build(source), replay: capacity)
        }
    }

    private func build(_ stage: Graph.Stage, _ source: Source) -> Source {
        switch stage {
        case .map(let number): source.map { ($0 * 3 + number) % 97 }
        case .filter(let number): source.filter { $0 % number != 0 }
        case .scan: source.scan(0) { ($0 * 2 + $1) % 97 }
        case .reduce: source.reduce(1) { ($0 * 2 + $1) % 97 }
        case .combinePrevious: source.combinePrevious(0).map { ($0 * 5 + $1) % 97 }
        case .skipRepeats: source.skipRepeats()
        case .uniqueValues: source.uniqueValues()
        case .roundTrip: source.materialize().dematerialize()
        case .takeFirst(let count): source.take(first: count)
        case .takeLast(let count): source.take(last: count)
        case .takeWhile(let bound): source.take(while: { $0 < bound })
        case .skipFirst(let count): source.skip(first: count)
        case .skipWhile(let bound): source.skip(while: { $0 < bound })
        case .collect(let count): source.collect(count: count).map { $0.reduce(0) { ($0 * 7 + $1) % 97 } }
        case .flattenTwice: source.map { [$0, $0 + 1] }.flatten()
        case .attempt(let number):
            source.attempt { (value: Int) -> Result<(), TestError> in
                value % number == number - 1 ? .failure(.second) : .success(())
            }
        case .concatValue(let value): source.concat(value: value)
        case .prefixValue(let value): source.prefix(value: value)
        case .retry(let count): source.retry(upTo: count)
        case .repeat(let count): source.repeat(count)
        case .delay(let interval): source.delay(Double(interval) / 64, on: scheduler)
        case .debounce(let interval): source.debounce(Double(interval) / 64, on: scheduler)
        case .throttle(let interval): source.throttle(Double(interval) / 64, on: scheduler)
        case .timeout(let interval): source.timeout(after: Double(interval) / 64, raising: .second, on: scheduler)
        case .observeOn: source.observe(on: scheduler)
        default: buildFurther(stage, source)
        }
    }

    private func build(_ kind: Graph.JoinKind, _ first: Source, _ second: Source) -> Source {
        switch kind {
        case .concat: first.concat(second)
        case .then: first.then(second)
        case .takeUntil:
            first.take(until: second.infallible { _ in } as SignalProducer<(), Never>)
        case .skipUntil:
            first.skip(until: second.infallible { _ in } as SignalProducer<(), Never>)
        case .takeUntilReplacement: first.take(untilReplacement: second)
        case .sample:
            first.sample(on: second.infallible { _ in } as SignalProducer<(), Never>)
        case .withLatest:
            first.withLatest(from: second.infallible { $0 } as SignalProducer<Int, Never>)
                .map { ($0 * 10 + $1) % 1_000 }
        }
    }
}

extension Graph.Strategy {
    var flattening: FlattenStrategy {
        switch self {
        case .merge: .merge
        case .concat: .concat
        case .concurrent: .concurrent(limit: 2)
        case .latest: .latest
        case .race: .race
        case .throttle: .throttle
        case .concatEager: .concatEager()
        }
    }
}
