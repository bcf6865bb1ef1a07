import Corinth
import CorinthTesting
import Dispatch

extension GraphOnCorinth {
    /// Operators on producers beyond those that signals have, too.
    func buildFurther(_ stage: Graph.Stage, _ source: Source) -> Source {
        switch stage {
        case .compactMap(let number): source.compactMap { $0 % number != 0 ? ($0 + number) % 97 : nil }
        case .scanMap:
            source.scanMap(0) { (state: Int, value: Int) in ((state + value) % 97, (state + value) % 97 * 2) }
        case .resultsRoundTrip: source.materializeResults().dematerializeResults()
        case .windows(let count): source.window(count: count).flatten(.merge)
        case .groups(let limit): source.group(limit: limit) { $0 % 3 }.flatMap(.merge) { $0.producer }
        case .retryWhen(let count): source.retry { errors in errors.take(first: count) }
        case .debounceToEnd(let interval):
            source.debounce(Double(interval) / 64, on: scheduler, discardWhenCompleted: false)
        case .debounceLeading(let interval): source.debounce(Double(interval) / 64, on: scheduler, edges: .leading)
        case .timeoutPerValue(let interval):
            source.timeout(perValue: Double(interval) / 64, raising: .second, on: scheduler)
        case .sampleEvery(let interval): source.sample(every: .sixtyFourths(interval), on: scheduler)
        case .collectEvery(let interval):
            source.collect(
                every: .sixtyFourths(interval), on: scheduler, skipEmpty: true, discardWhenCompleted: false
            ).map { $0.reduce(0) { ($0 * 7 + $1) % 97 } }
        case .collectWithin(let interval, let count):
            source.collect(count: count, within: Double(interval) / 64, on: scheduler)
                .map { $0.reduce(0) { ($0 * 7 + $1) % 97 } }
        case .retryLater(let interval, let count):
            source.retry(upTo: count, interval: Double(interval) / 64, on: scheduler)
        case .delaySubscription(let interval): source.delaySubscription(Double(interval) / 64, on: scheduler)
        case .startOn: source.start(on: scheduler)
        case .observeOnBounded(let policy): source.observe(on: scheduler, bufferingPolicy: policy.buffering)
        case .throttleWhile(let index): source.throttle(while: parities[index], on: scheduler)
        default: preconditionFailure("the stage \(stage) isn't one of those")
        }
    }

    func combinedProperty(_ index: Int) -> Source {
        let (first, second) = (properties[index], properties[(index + 1) % GraphCase.pipes])
        return eachStart { first.combineLatest(with: second).map { ($0 * 10 + $1) % 1_000 }.producer.promoteError() }
    }

    func flatMap(
        _ strategy: Graph.QueuingStrategy, _ policy: Graph.Policy, _ outer: Source, _ inners: [Source]
    ) -> Source {
        let flattening: FlattenStrategy = strategy == .concat ? .concat : .concurrent(limit: 2)
        return outer.flatMap(flattening, bufferingPolicy: policy.buffering) { inners[$0 % inners.count] }
    }

    /// An action of each start.
    func apply(_ outer: Source, _ inners: [Source]) -> Source {
        eachStart {
            let action = Action<Int, Int, TestError> { inners[$0 % inners.count] }
            return outer.flatMap(.merge) { value in
                action.apply(value).flatMapError { error -> Source in
                    switch error {
                    case .disabled: Source(value: GraphCase.refused)
                    case .producerFailed(let error): Source(error: error)
                    }
                }
            }
        }
    }

    /// A shared producer of each start.
    func share(_ source: Source, replay capacity: Int) -> Source {
        eachStart {
            let shared = source.share(replay: capacity)
            return Source.merge([shared, shared.take(first: 2)])
        }
    }

    /// A producer that is made for each start.
    private func eachStart(_ make: @escaping @Sendable () -> Source) -> Source {
        Source { observer, lifetime in lifetime += make().start(observer) }
    }
}

extension Graph.Policy {
    var buffering: BufferingPolicy<TestError> {
        switch self {
        case .dropNewest(let capacity): .dropNewest(capacity: capacity)
        case .dropOldest(let capacity): .dropOldest(capacity: capacity)
        case .failing(let capacity): .failing(capacity: capacity, with: .second)
        }
    }
}

extension DispatchTimeInterval {
    fileprivate static func sixtyFourths(_ count: Int) -> DispatchTimeInterval { .nanoseconds(count * 15_625_000) }
}
