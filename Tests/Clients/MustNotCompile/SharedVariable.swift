import Corinth

// The closure may run on any thread that sends. This function reads the variable that the closure writes.
func sharedVariable(_ signal: Signal<Int, Never>) -> Int {
    var count = 0
    signal.observeValues { count += $0 }  // expected: sending
    return count
}
