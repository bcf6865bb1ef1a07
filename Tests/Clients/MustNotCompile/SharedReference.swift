import Corinth

final class Counter { var count = 0 }

// Two closures of two signals, which may run at once, would share the counter.
func sharedReference(_ first: Signal<Int, Never>, _ second: Signal<Int, Never>) {
    let counter = Counter()
    first.observeValues { counter.count += $0 }  // expected: sending
    second.observeValues { counter.count += $0 }
}
