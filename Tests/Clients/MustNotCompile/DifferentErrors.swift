import Corinth

struct Failure: Error {}

// The message says what to do.
func differentErrors(_ fetched: SignalProducer<Int, Failure>, _ unit: Property<String>) {
    let both = SignalProducer.combineLatest(fetched, unit)  // expected: use promoteError
    both.start()
}
