import Corinth
import Dispatch

// Code from before Swift checked for data races: closures capture variables, and other code reads them afterwards.

struct Failure: Error {}

final class Model {
    var received: [Int] = []
    let disposables = CompositeDisposable()

    func bind(_ signal: Signal<Int, Never>) {
        disposables += signal.map { $0 * 2 }.observeValues { [weak self] value in self?.received.append(value) }
    }
}

func run() {
    let (signal, observer) = Signal<Int, Never>.pipe()
    let model = Model()
    model.bind(signal)

    var values: [Int] = []
    var isCompleted = false
    signal.filter { $0 > 1 }.observe { event in
        switch event {
        case let .value(value): values.append(value)
        case .completed: isCompleted = true
        case .failed, .interrupted: break
        }
    }
    var total = 0
    signal.scan(0, +).observe(Signal<Int, Never>.Observer(value: { total = $0 }))
    for value in 1...3 { observer.send(value: value) }
    observer.sendCompleted()
    precondition(values == [2, 3] && isCompleted && total == 6 && model.received == [2, 4, 6])

    var starts = 0
    let producer = SignalProducer<Int, Failure> { observer, lifetime in
        starts += 1
        observer.send(value: starts)
        lifetime.observeEnded { starts += 10 }
        observer.send(error: Failure())
    }
    var results: [Result<Int, Failure>] = []
    producer.map { $0 + 1 }.startWithResult { results.append($0) }
    precondition(starts == 11 && results.count == 2)

    let offset = 5
    var sum = 0
    SignalProducer<Int, Never>([1, 2, 3]).map { $0 + offset }.take(first: 2).startWithValues { sum += $0 }
    precondition(sum == 13)

    let merged = Signal.merge([signal, signal.map { $0 + 1 }])
    let combined = Signal.combineLatest(merged, signal)
    let zipped = Signal.zip(merged, signal, combined)
    var wasInterrupted = false
    zipped.observeInterrupted { wasInterrupted = true }
    // All of the observations end with the signal. The signal has completed, so observing it again interrupts.
    precondition(wasInterrupted)

    let serial = SerialDisposable()
    serial.inner = AnyDisposable { total = 0 }
    serial.inner = nil
    precondition(total == 0)
    let scoped = ScopedDisposable(AnyDisposable { total = 1 })
    scoped.dispose()
    precondition(total == 1)

    let queue = QueueScheduler(qos: .default, name: "client")
    let done = DispatchSemaphore(value: 0)
    var hopped: [Int] = []
    SignalProducer<Int, Never>([1, 2, 3]).observe(on: queue).start { event in
        if let value = event.value { hopped.append(value) } else { done.signal() }
    }
    done.wait()
    precondition(hopped == [1, 2, 3])
}

run()
viewModel()
flattening()
operators()
properties()
captures()
print("Swift 5 client: ok")
