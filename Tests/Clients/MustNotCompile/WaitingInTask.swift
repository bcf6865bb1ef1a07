import Corinth

// A task that blocks its thread takes it from all the others.
func waitingInTask(_ numbers: SignalProducer<Int, Never>) async -> Int? {
    numbers.first()?.value  // expected: It blocks the thread
}

extension Result {
    var value: Success? { try? get() }
}
