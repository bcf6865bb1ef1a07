import Corinth

// What isn't isolated to an actor can't name one: the closure would run on any thread, beside its creator.
func observingWithoutActor(_ signal: Signal<Int, Never>) -> Int {
    var count = 0
    signal.observeValues(isolation: #isolation) { count += $0 }  // expected: in a synchronous nonisolated context
    return count
}
