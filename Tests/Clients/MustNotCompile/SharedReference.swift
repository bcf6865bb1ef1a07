import Corinth

final class Counter { var count = 0 }

// The closures of two signals may run at the same time, and would share the counter.
func sharedReference(_ first: Signal<Int, Never>, _ second: Signal<Int, Never>) {
    let counter = Counter()
    first.observeValues { counter.count += $0 }  // expected: sending
    second.observeValues { counter.count += $0 }
}
