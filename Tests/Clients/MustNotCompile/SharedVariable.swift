import Corinth

// The closure has been handed over, and may run on any thread that sends: this reads what it writes.
func sharedVariable(_ signal: Signal<Int, Never>) -> Int {
    var count = 0
    signal.observeValues { count += $0 }  // expected: sending
    return count
}
