/// Generates graphs from the numbers of a generator.
struct GraphGenerator<Dice: RandomNumberGenerator> {
    var dice: Dice
    private var operators = 0
    private var timed = 0

    init(dice: Dice) {
        self.dice = dice
    }

    mutating func graph(depth: Int) -> Graph {
        operators += 1
        if depth == 0 || operators > 14 { return source() }
        switch number(0...119) {
        case 0..<8: return source()
        case 8..<40: return .stage(stage(), graph(depth: depth - 1))
        case 40..<52: return .lifted(stage(), graph(depth: depth - 1))
        case 52..<66:
            let kind = Graph.JoinKind.allCases.randomElement(using: &dice) ?? .concat
            return .join(kind, graph(depth: depth - 1), graph(depth: depth - 1))
        case 66..<71: return .combineLatest(graphs(depth, 2...3))
        case 71..<76: return .zip(graphs(depth, 2...3))
        case 76..<82: return .merge(graphs(depth, 1...3))
        case 82..<94:
            let strategy = Graph.Strategy.allCases.randomElement(using: &dice) ?? .merge
            return .flatMap(strategy, graph(depth: depth - 1), graphs(depth, 1...3))
        case 94..<99: return .flatMapError(graph(depth: depth - 1), graph(depth: depth - 1))
        case 99..<104:
            let strategy = Graph.Strategy.allCases.randomElement(using: &dice) ?? .merge
            return .flatMapOfSignals(strategy, graph(depth: depth - 1), graphs(depth, 1...3))
        case 104..<109:
            let strategy = Graph.QueuingStrategy.allCases.randomElement(using: &dice) ?? .concat
            return .flatMapBounded(strategy, policy(), graph(depth: depth - 1), graphs(depth, 1...3))
        case 109..<112: return .zipBounded(policy(), graph(depth: depth - 1), graph(depth: depth - 1))
        case 112..<116: return .action(graph(depth: depth - 1), graphs(depth, 1...3))
        default: return .shared(replay: number(0...2), graph(depth: depth - 1))
        }
    }

    private mutating func policy() -> Graph.Policy {
        let capacity = number(1...2)
        switch number(0...2) {
        case 0: return .dropNewest(capacity)
        case 1: return .dropOldest(capacity)
        default: return .failing(capacity)
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }

    private mutating func numbers(_ count: ClosedRange<Int>) -> [Int] { (0..<number(count)).map { _ in number(0...7) } }

    private mutating func graphs(_ depth: Int, _ count: ClosedRange<Int>) -> [Graph] {
        (0..<number(count)).map { _ in graph(depth: depth - 1) }
    }

    private mutating func source() -> Graph {
        switch number(0...23) {
        case 0..<10: .pipe(number(0...(GraphCase.pipes - 1)))
        case 10..<14: .values(numbers(0...3), Stimulus.Ending.allCases.randomElement(using: &dice))
        case 14: .values(numbers(0...2), nil)
        case 15, 16: .array(numbers(0...4))
        case 17: .value(number(0...7))
        case 18: .empty
        case 19: .failure
        case 20..<23: .property(number(0...(GraphCase.pipes - 1)))
        default: .combinedProperty(number(0...(GraphCase.pipes - 1)))
        }
    }

    private mutating func stage() -> Graph.Stage {
        if timed < 3, number(0...4) == 0 {
            timed += 1
            // Each interval has its own remainder modulo 64, so that timers of different operators are never due at the same
            // time.
            let interval = 64 * number(0...3) + 2 * timed + 1
            switch number(0...15) {
            case 0: return .delay(interval)
            case 1: return .debounce(interval)
            case 2: return .throttle(interval)
            case 3: return .timeout(interval + 128)
            case 4: return .debounceToEnd(interval)
            case 5: return .debounceLeading(interval)
            case 6: return .timeoutPerValue(interval + 64)
            case 7: return .sampleEvery(interval + 64)
            case 8: return .collectEvery(interval + 64)
            case 9: return .collectWithin(interval, count: number(1...3))
            case 10: return .retryLater(interval, count: number(0...2))
            case 11: return .delaySubscription(interval)
            case 12: return .observeOnBounded(policy())
            case 13: return .startOn
            case 14: return .throttleWhile(number(0...(GraphCase.pipes - 1)))
            default: return .observeOn
            }
        }
        switch number(0...25) {
        case 0: return .map(number(1...5))
        case 1: return .filter(number(2...3))
        case 2: return .scan
        case 3: return .reduce
        case 4: return .combinePrevious
        case 5: return .skipRepeats
        case 6: return .uniqueValues
        case 7: return .roundTrip
        case 8: return .takeFirst(number(1...3))
        case 9: return .takeLast(number(0...2))
        case 10: return .takeWhile(number(1...9))
        case 11: return .skipFirst(number(0...2))
        case 12: return .skipWhile(number(1...6))
        case 13: return .collect(number(1...3))
        case 14: return .flattenTwice
        case 15: return .attempt(number(3...8))
        case 16: return .concatValue(number(0...7))
        case 17: return .prefixValue(number(0...7))
        case 18: return .retry(number(0...2))
        case 19: return .repeat(number(0...3))
        case 20: return .compactMap(number(2...3))
        case 21: return .scanMap
        case 22: return .resultsRoundTrip
        case 23: return .windows(number(1...3))
        case 24: return .groups(number(1...3))
        default: return .retryWhen(number(0...2))
        }
    }
}
