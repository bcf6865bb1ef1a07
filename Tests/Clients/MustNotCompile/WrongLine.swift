import Corinth

// One line of the closure is wrong. The compiler must report that line, not that the closure isn't a sequence.
func wrongLine() -> SignalProducer<Int, Never> {
    SignalProducer { observer, lifetime in
        observer.send(value: 1)
        lifetime.observeEnded { print("ended") }
        observer.sendCompleted(3)  // expected: argument passed to call that takes no arguments
    }
}
