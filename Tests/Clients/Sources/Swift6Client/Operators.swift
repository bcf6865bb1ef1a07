import Corinth
import CorinthFoundation
import Dispatch
import Foundation

// Every overload of `flatMap` and related operators, and operators of each kind, with the types that they infer.

func flattening() {
    let numbers = SignalProducer<Int, Never>([1, 2])
    let fallible = SignalProducer<Int, Failure>([1, 2])
    let (signal, observer) = Signal<Int, Never>.pipe()
    let (fallibleSignal, fallibleObserver) = Signal<Int, Failure>.pipe()
    let property = MutableProperty(7)

    // The outer stream can't fail.
    let a: SignalProducer<Int, Never> = numbers.flatMap(.merge) { SignalProducer(value: $0) }
    let b: SignalProducer<Int, Failure> = numbers.flatMap(.concat) { SignalProducer<Int, Failure>(value: $0) }
    let c: SignalProducer<Int, Never> = numbers.flatMap(.latest) { _ in property }
    let d: SignalProducer<Int, Failure> = numbers.flatMap(.race) { Result<Int, Failure>.success($0) }
    // The outer stream can fail.
    let e: SignalProducer<Int, Failure> = fallible.flatMap(.merge) { SignalProducer<Int, Failure>(value: $0) }
    let f: SignalProducer<Int, Failure> = fallible.flatMap(.throttle) { SignalProducer<Int, Never>(value: $0) }
    let g: SignalProducer<Int, Failure> = fallible.flatMap(.concurrent(limit: 2)) { _ in property }
    let h: SignalProducer<Int, Failure> = fallible.flatMap(.concatEager()) { Result<Int, Failure>.success($0) }
    // The same for signals.
    let received = Atomic<[Int]>([])
    let i: Signal<Int, Never> = signal.flatMap(.merge) { SignalProducer(value: $0) }
    let j: Signal<Int, Failure> = signal.flatMap(.merge) { SignalProducer<Int, Failure>(value: $0) }
    let k: Signal<Int, Never> = signal.flatMap(.latest) { _ in property }
    let l: Signal<Int, Failure> = signal.flatMap(.merge) { Result<Int, Failure>.success($0) }
    let m: Signal<Int, Failure> = fallibleSignal.flatMap(.merge) { SignalProducer<Int, Failure>(value: $0) }
    let n: Signal<Int, Failure> = fallibleSignal.flatMap(.merge) { SignalProducer<Int, Never>(value: $0) }
    let o: Signal<Int, Failure> = fallibleSignal.flatMap(.merge) { _ in property }
    let p: Signal<Int, Failure> = fallibleSignal.flatMap(.merge) { Result<Int, Failure>.success($0) }
    for stream in [i, k] { stream.observeValues { value in received.modify { $0.append(value) } } }
    for stream in [j, l, m, n, o, p] {
        stream.observeResult { result in received.modify { $0.append((try? result.get()) ?? -1) } }
    }
    observer.send(value: 1)
    fallibleObserver.send(value: 2)
    precondition(received.value.sorted() == [1, 1, 1, 2, 2, 2, 7, 7], "\(received.value)")

    let sums = [a, c.take(first: 1)].map { $0.reduce(0, +).single() }
    precondition(sums == [.success(3), .success(7)])
    for producer in [b, d, e, f, h] {
        guard case .success(let values) = producer.collect().single() else { preconditionFailure("a failure") }
        precondition(values == [1, 2] || values == [1], "\(values)")
    }
    guard case .success(7)? = g.first() else { preconditionFailure("the property has a value") }

    let nested = SignalProducer<SignalProducer<Int, Never>, Never>([numbers, numbers])
    precondition(nested.flatten(.concat).collect().single() == .success([1, 2, 1, 2]))
    let recovered = SignalProducer<Int, Failure>(error: Failure()).flatMapError { _ in
        SignalProducer<Int, Never>(value: 9)
    }
    precondition(recovered.first() == .success(9))
}

func kinds() {
    let numbers = SignalProducer<Int, Never>(1...6)
    let evens = numbers.filter { $0.isMultiple(of: 2) }
    precondition(evens.concat(value: 8).collect().single() == .success([2, 4, 6, 8]))
    precondition(numbers.collect(count: 4).map(\.count).collect().single() == .success([4, 2]))
    precondition(numbers.then(evens).take(last: 1).single() == .success(6))
    precondition(numbers.scanMap(0) { ($0 + $1, $0) }.collect().single() == .success([0, 1, 3, 6, 10, 15]))
    precondition(numbers.combinePrevious(0).map(-).uniqueValues().collect().single() == .success([-1]))
    precondition(
        numbers.promoteError(Failure.self).attempt { $0 < 3 ? .success(()) : .failure(Failure()) }
            .materializeResults().map { (try? $0.get()) == nil }.collect().single() == .success([false, false, true]))
    precondition(numbers.map(\.description).prefix(value: "0").reduce("", +).single() == .success("0123456"))

    let attempts = Atomic(0)
    let flaky = SignalProducer<Int, Failure> { () -> Result<Int, Failure> in
        attempts.modify { $0 += 1 }
        return attempts.value < 4 ? .failure(Failure()) : .success(attempts.value)
    }
    guard case .success(4)? = flaky.retry(upTo: 3).first() else { preconditionFailure("it was retried") }

    // Operators with times, on a real queue, with intervals of milliseconds.
    let queue = QueueScheduler(name: "time")
    let ticks = SignalProducer.interval(1...3, interval: .milliseconds(1), on: queue)
    let late = ticks.delay(0.001, on: queue).timeout(after: 30, raising: Failure(), on: queue)
    guard case .success(let values)? = late.collect().single() else { preconditionFailure("it took 30 seconds") }
    precondition(values == [1, 2, 3])
    let shared = ticks.share(replay: 1)
    precondition(SignalProducer.zip(shared, shared).map(+).collect().single() == .success([2, 4, 6]))

    let log = Atomic<[String]>([])
    numbers.take(first: 1)
        .on(
            starting: { log.modify { $0.append("starting") } },
            completed: { log.modify { $0.append("completed") } },
            value: { value in log.modify { $0.append("value \(value)") } }
        )
        .finally { log.modify { $0.append("finally") } }
        .start()
    precondition(log.value == ["starting", "value 1", "completed", "finally"], "\(log.value)")

    let posted = Atomic(0)
    let center = NotificationCenter()
    let observation = center.reactive.notifications(forName: .init("client")).observeValues { _ in
        posted.modify { $0 += 1 }
    }
    center.post(name: .init("client"), object: nil)
    observation?.dispose()
    center.post(name: .init("client"), object: nil)
    precondition(posted.value == 1)
}
