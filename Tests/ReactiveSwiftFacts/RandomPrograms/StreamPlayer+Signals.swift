import ReactiveSwift

/// The operators that the rows name, on signals.
extension StreamPlayer {
    func applying(_ name: String, to source: Numbers) throws -> Numbers {
        if let result = elementwise(name, source) { return result }
        if let result = ending(name, source) { return result }
        if let result = joining(name, source) { return result }
        if let result = flattening(name, source) { return result }
        if let result = timed(name, source) { return result }
        throw MalformedRow(row: name)
    }

    private func elementwise(_ name: String, _ source: Numbers) -> Numbers? {
        switch name {
        case "map": source.map { $0 &+ 1 }
        case "filter": source.filter { $0 % 3 != 0 }
        case "compactMap": source.compactMap { $0.isMultiple(of: 2) ? $0 : nil }
        case "skipRepeats": source.skipRepeats()
        case "unique": source.uniqueValues()
        case "scan": source.scan(0) { $0 &+ $1 }
        case "scanMap": source.scanMap(1) { ($0 &+ $1, $0 &* $1) }
        case "combinePrevious": source.combinePrevious().map(digits)
        case "combinePrevious0": source.combinePrevious(0).map(digits)
        case "reduce": source.reduce(0) { $0 &+ $1 }
        case "collect": source.collect().map(sum)
        case "collect2": source.collect(count: 2).map(sum)
        case "collectP": source.collect { (buffer: [Int]) in sum(buffer) > 4 }.map(sum)
        case "collectPV": source.collect { (_: [Int], next: Int) in next.isMultiple(of: 2) }.map(sum)
        case "logged": source.on(value: { _ in })
        case "materialize": source.materialize().map { $0.value ?? -1 }.promoteError(Failure.self)
        case "materializeR":
            source.materializeResults().map { result -> Int in
                switch result {
                case .success(let value): value
                case .failure: -2
                }
            }.promoteError(Failure.self)
        default: nil
        }
    }

    private func ending(_ name: String, _ source: Numbers) -> Numbers? {
        switch name {
        case "takeFirst": source.take(first: 2)
        case "takeFirst0": source.take(first: 0)
        case "takeLast": source.take(last: 2)
        case "takeWhile": source.take(while: { $0 % 5 != 4 })
        case "takeUntilP": source.take(until: { $0 % 5 == 4 })
        case "takeUntil": source.take(until: trigger.output)
        case "takeDuring": source.take(during: lifetime)
        case "untilRepl": source.take(untilReplacement: b.output)
        case "skipFirst": source.skip(first: 1)
        case "skipWhile": source.skip(while: { $0 % 4 != 3 })
        case "skipUntil": source.skip(until: trigger.output)
        case "attempt":
            source.attempt { value -> Result<(), Failure> in
                value % 7 == 6 ? .failure(Failure(number: 7)) : .success(())
            }
        case "attemptMap":
            source.attemptMap { value -> Result<Int, Failure> in
                value % 7 == 5 ? .failure(Failure(number: 8)) : .success(value)
            }
        case "flatMapError": source.flatMapError { failure in NumberProducer(value: 50 &+ failure.number) }
        case "flatMapErrorB":
            source.flatMapError { [b] (_: Failure) -> NumberProducer in b.output.producer }
        default: nil
        }
    }

    private func joining(_ name: String, _ source: Numbers) -> Numbers? {
        let (b, c) = (b.output, c.output)
        return switch name {
        case "sampleOn": source.sample(on: trigger.output)
        case "sampleWith": source.sample(with: b.endingAtFailure).map(digits)
        case "withLatest": source.withLatest(from: b.endingAtFailure).map(digits)
        case "merge": Numbers.merge(source, b)
        case "merge3": Numbers.merge([source, b, c])
        case "combineLatest": source.combineLatest(with: b).map(digits)
        case "combineLatest3": Numbers.combineLatest([source, b, c]).map { $0.reduce(0) { $0 &* 10 &+ $1 } }
        case "zip": source.zip(with: b).map(digits)
        case "zip3": Numbers.zip(source, b, c).map { first, second, third in first &* 100 &+ digits((second, third)) }
        default: nil
        }
    }

    private func flattening(_ name: String, _ source: Numbers) -> Numbers? {
        let (b, c) = (b.output, c.output)
        func next(_ value: Int) -> NumberProducer { NumberProducer([value, value &+ 1]) }
        func either(_ value: Int) -> Numbers { value.isMultiple(of: 2) ? b : c }
        return switch name {
        case "fmMergeB": source.flatMap(.merge) { _ in b }
        case "fmConcatB": source.flatMap(.concat) { _ in b.producer.take(first: 2) }
        case "fmLatestB": source.flatMap(.latest) { _ in b }
        case "fmRaceBC": source.flatMap(.race, either)
        case "fmThrottleB": source.flatMap(.throttle) { _ in b.take(first: 1) }
        case "fmConc1": source.flatMap(.concurrent(limit: 1), either)
        case "fmConc2": source.flatMap(.concurrent(limit: 2), next)
        case "fmMergeV": source.flatMap(.merge, next)
        case "fmLatestV": source.flatMap(.latest, next)
        case "fmRaceV": source.flatMap(.race, next)
        case "fmThrottleV": source.flatMap(.throttle, next)
        case "fmErr":
            source.flatMap(.concat) { value -> NumberProducer in
                value % 6 == 5 ? NumberProducer(error: Failure(number: 9)) : NumberProducer(value: value)
            }
        case "fmNever":
            source.flatMap(.merge) { value -> SignalProducer<Int, Never> in
                value.isMultiple(of: 2) ? .never : SignalProducer(value: value)
            }
        default: nil
        }
    }

    private func timed(_ name: String, _ source: Numbers) -> Numbers? {
        switch name {
        case "delay": source.delay(1, on: scheduler)
        case "throttle": source.throttle(1, on: scheduler)
        case "throttleWhile": source.throttle(while: gate, on: scheduler)
        case "debounce": source.debounce(1, on: scheduler)
        case "debounceK": source.debounce(1, on: scheduler, discardWhenCompleted: false)
        case "observeOn": source.observe(on: scheduler)
        case "lazyMap": source.lazyMap(on: scheduler) { $0 }
        case "timeout": source.timeout(after: 2, raising: Failure(number: 6), on: scheduler)
        case "collectEvery": source.collect(every: .seconds(1), on: scheduler, skipEmpty: true).map(sum)
        case "collectEveryK": source.collect(every: .seconds(1), on: scheduler, discardWhenCompleted: false).map(sum)
        default: nil
        }
    }
}

/// Writes two numbers as one, so that a result is a number again.
func digits(_ pair: (Int, Int)) -> Int { pair.0 &* 10 &+ pair.1 }

func sum(_ numbers: [Int]) -> Int { numbers.reduce(0) { $0 &+ $1 } }

extension Signal where Value == Int, Error == Failure {
    var endingAtFailure: Signal<Int, Never> { flatMapError { _ in SignalProducer<Int, Never>.empty } }
}
