import Corinth

// One line of the closure is wrong, and that is what the compiler says, rather than that the closure is no sequence.
func wrongLine() -> SignalProducer<Int, Never> {
    SignalProducer { observer, lifetime in
        observer.send(value: 1)
        lifetime.observeEnded { print("ended") }
        observer.sendCompleted(3)  // expected: argument passed to call that takes no arguments
    }
}
