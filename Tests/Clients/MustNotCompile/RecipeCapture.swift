import Corinth

// A start handler may run on several threads at once. The compiler gives a warning, which this check makes an error: the
// declarations are `@preconcurrency`, so that Swift 5 clients may capture variables.
func recipeCapture() -> SignalProducer<Int, Never> {
    var starts = 0
    return SignalProducer<Int, Never>([1, 2]).map { value in
        starts += 1  // expected: concurrently-executing
        return value + starts
    }
}
