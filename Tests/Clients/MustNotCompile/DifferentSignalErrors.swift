import Corinth

struct Failure: Error {}

// The message says what to do.
func differentErrors(_ fetched: Signal<Int, Failure>, _ unit: Signal<String, Never>, _ count: Signal<Int, Never>) {
    let all = Signal.zip(fetched, unit, count)  // expected: use promoteError
    all.observe { _ in }
}
