import Corinth
import Dispatch

// State that belongs to the closures of one signal is sent to the signal and needs no synchronisation. State that other code
// reads is atomic.

struct Failure: Error {}

actor Ledger {
    private(set) var total = 0
    func add(_ amount: Int) { total += amount }
}

func handOver(_ signal: Signal<Int, Never>, into last: Atomic<Int>) {
    var seen = 0
    signal.observeValues { value in
        seen += 1
        last.value = seen * value
    }
}

func crossThreads() {
    let (signal, observer) = Signal<Int, Never>.pipe()
    let sum = Atomic(0)
    signal.map { $0 + 1 }.filter { $0 % 2 == 0 }.observeValues { value in sum.modify { $0 += value } }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for value in 0..<1000 { observer.send(value: value) }
    }
    // The strand's owner may still deliver events that this thread has queued. An event that this thread sends now is delivered
    // after them.
    let flushed = DispatchSemaphore(value: 0)
    signal.observeCompleted { flushed.signal() }
    observer.sendCompleted()
    flushed.wait()
    precondition(sum.value == 4 * 250_500, "the sum is \(sum.value)")
}

func produce() {
    let producer = SignalProducer<Int, Failure> { observer, lifetime in
        let worker = DispatchQueue(label: "worker")
        let work = DispatchWorkItem {
            observer.send(value: 1); observer.sendCompleted()
        }
        lifetime.observeEnded { worker.async {} }
        worker.async(execute: work)
    }
    let done = DispatchSemaphore(value: 0)
    let results = Atomic<[Int]>([])
    SignalProducer.zip(producer, producer.map { $0 + 1 })
        .observe(on: QueueScheduler(name: "results"))
        .start { event in
            if let (left, right) = event.value { results.modify { $0 += [left, right] } } else { done.signal() }
        }
    done.wait()
    precondition(results.value == [1, 2], "the results are \(results.value)")
}

@MainActor
func run() {
    let (signal, observer) = Signal<Int, Never>.pipe()
    let last = Atomic(0)
    handOver(signal, into: last)
    observer.send(value: 3)
    observer.send(value: 4)
    precondition(last.value == 8)
    crossThreads()
    produce()
    state()
    flattening()
    kinds()
}

run()
print("Swift 6 client: ok")
