import Corinth
import Dispatch
import Foundation

// Operators with closures that capture variables, and the types that ReactiveSwift 7.2 infers.

func flattening() {
    let (signal, observer) = Signal<Int, Never>.pipe()
    let (failing, failingObserver) = Signal<Int, Failure>.pipe()
    let property = MutableProperty(7)
    var values: [Int] = []
    var transformed = 0

    signal.flatMap(.latest) { (value: Int) -> SignalProducer<Int, Never> in
        transformed += 1
        return SignalProducer(value: value)
    }.observeValues { values.append($0) }
    signal.flatMap(.merge) { _ in property }.observeValues { values.append($0) }
    signal.flatMap(.merge) { _ in property.signal }.observeValues { values.append($0) }
    signal.flatMap(.concat) { SignalProducer<Int, Failure>(value: $0 + 1) }.observeResult {
        values.append($0.value ?? -1)
    }
    signal.flatMap(.race) { Result<Int, Failure>.success($0 + 2) }.observeResult { values.append($0.value ?? -1) }
    failing.flatMap(.merge) { SignalProducer<Int, Failure>(value: $0) }.observeResult { values.append($0.value ?? -1) }
    failing.flatMap(.throttle) { SignalProducer<Int, Never>(value: $0) }.observeResult { values.append($0.value ?? -1) }
    failing.flatMap(.concurrent(limit: 2)) { _ in property }.observeResult { values.append($0.value ?? -1) }
    failing.flatMapError { _ in SignalProducer<Int, Never>(value: 100) }.observeValues { values.append($0) }
    observer.send(value: 1)
    failingObserver.send(value: 10)
    precondition(values == [1, 7, 2, 3, 10, 10, 7, 10] && transformed == 1, "\(values)")
    failingObserver.send(error: Failure())
    precondition(values.suffix(4).contains(100))

    var starts = 0
    let producer = SignalProducer<Int, Never>([1, 2])
    let nested = producer.flatMap(.merge) { (value: Int) -> SignalProducer<String, Failure> in
        starts += 1
        return SignalProducer(value: String(value))
    }
    precondition(nested.collect().single()?.value == ["1", "2"] && starts == 2)
    precondition(producer.flatMap(.latest) { _ in property }.first()?.value == 7)
    precondition(
        producer.promoteError(Failure.self).flatMap(.concat) { SignalProducer<Int, Never>(value: $0) }.last()?.value
            == 2)
    precondition(SignalProducer<[Int], Never>(value: [1, 2, 3]).flatten().collect().single()?.value == [1, 2, 3])
}

extension Result {
    var value: Success? { return try? get() }
}

func operators() {
    var log: [String] = []
    let numbers = SignalProducer<Int, Never>([1, 2, 2, 3])
    numbers
        .on(
            starting: { log.append("starting") }, started: { log.append("started") },
            terminated: { log.append("terminated") }
        )
        .skipRepeats()
        .combinePrevious(0)
        .map { $1 - $0 }
        .collect()
        .startWithValues { log.append("\($0)") }
    precondition(log == ["starting", "terminated", "[1, 1, 1]", "started"], "\(log)")

    var attempts = 0
    let flaky = SignalProducer<Int, Failure> { observer, _ in
        attempts += 1
        if attempts < 3 { observer.send(error: Failure()) } else { observer.send(value: attempts) }
        observer.sendCompleted()
    }
    precondition(flaky.retry(upTo: 5).single()?.value == 3)
    precondition(flaky.materializeResults().first()?.value?.value == 4)

    let (trigger, fire) = Signal<(), Never>.pipe()
    let (values, input) = Signal<Int, Never>.pipe()
    var sampled: [Int] = []
    var until: [Int] = []
    var pairs: [(Int, Int)] = []
    values.sample(on: trigger).observeValues { sampled.append($0) }
    values.take(until: trigger).observeValues { until.append($0) }
    values.withLatest(from: numbers).observeValues { pairs.append(($0, $1)) }
    input.send(value: 1)
    fire.send(value: ())
    input.send(value: 2)
    precondition(sampled == [1] && until == [1] && pairs.map { $0.1 } == [3, 3])

    let merged = SignalProducer.merge(numbers, numbers.map { $0 * 10 }, SignalProducer(value: 0))
    precondition(merged.reduce(0) { $0 + $1 }.single()?.value == 88)
    precondition(numbers.zip(with: numbers.skip(first: 1)).map { $0 + $1 }.collect().single()?.value == [3, 4, 5])
    precondition(
        SignalProducer.combineLatest([numbers.take(last: 1), numbers.take(first: 1)]).first()?.value == [3, 1])
    precondition(numbers.then(SignalProducer<String, Never>(value: "done")).single()?.value == "done")
    precondition(
        numbers.attemptMap { (value: Int) throws -> Int in
            if value > 2 { throw Failure() }
            return value
        }.flatMapError { _ in SignalProducer<Int, Never>(value: -1) }.last()?.value == -1)

    let queue = QueueScheduler(qos: .default, name: "operators")
    var ticks = 0
    let timer = SignalProducer.timer(interval: .milliseconds(1), on: queue).take(first: 2).on(value: { _ in ticks += 1 }
    )
    precondition(timer.wait().value != nil && ticks == 2)
    precondition(
        numbers.delay(0.001, on: queue).start(on: queue).debounce(0.001, on: queue, discardWhenCompleted: false)
            .timeout(after: 30, raising: Failure(), on: queue).last()?.value == 3)

    let replayed = numbers.replayLazily(upTo: 1)
    precondition(replayed.collect().single()?.value == [1, 2, 2, 3] && replayed.collect().single()?.value == [3])
    let token = Lifetime.Token()
    var ended = false
    Lifetime(token).observeEnded { ended = true }
    values.take(during: Lifetime(token)).observeCompleted { log.append("lifetime") }
    token.dispose()
    precondition(ended && log.last == "lifetime")
}
