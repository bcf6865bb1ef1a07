import Corinth
import CorinthTesting

extension GraphOnCorinth {
    /// Operators on signals.
    func build(_ stage: Graph.Stage, _ source: Signal<Int, TestError>) -> Signal<Int, TestError> {
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
        case .delay(let interval): source.delay(Double(interval) / 64, on: scheduler)
        case .debounce(let interval): source.debounce(Double(interval) / 64, on: scheduler)
        case .throttle(let interval): source.throttle(Double(interval) / 64, on: scheduler)
        case .timeout(let interval): source.timeout(after: Double(interval) / 64, raising: .second, on: scheduler)
        case .observeOn: source.observe(on: scheduler)
        case .timeoutPerValue(let interval):
            source.timeout(perValue: Double(interval) / 64, raising: .second, on: scheduler)
        case .compactMap(let number): source.compactMap { $0 % number != 0 ? ($0 + number) % 97 : nil }
        case .scanMap:
            source.scanMap(0) { (state: Int, value: Int) in ((state + value) % 97, (state + value) % 97 * 2) }
        case .resultsRoundTrip: source.materializeResults().dematerializeResults()
        case .windows(let count): source.window(count: count).flatten(.merge)
        case .groups(let limit): source.group(limit: limit) { $0 % 3 }.flatMap(.merge) { $0.producer }
        default: preconditionFailure("the stage \(stage) isn't one of signals")
        }
    }
}

extension Graph.Stage {
    /// Whether the operator also exists on signals.
    var isLiftable: Bool {
        switch self {
        case .concatValue, .prefixValue, .retry, .repeat, .retryWhen, .retryLater: false
        case .delay, .debounce, .throttle, .observeOn, .observeOnBounded, .startOn, .delaySubscription: false
        case .debounceToEnd, .debounceLeading, .sampleEvery, .collectEvery, .collectWithin, .throttleWhile: false
        default: true
        }
    }
}
