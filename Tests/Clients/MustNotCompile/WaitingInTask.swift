import Corinth

// A task that blocks its thread takes that thread from all other tasks.
func waitingInTask(_ numbers: SignalProducer<Int, Never>) async -> Int? {
    numbers.first()?.value  // expected: It blocks the thread
}

extension Result {
    var value: Success? { try? get() }
}
