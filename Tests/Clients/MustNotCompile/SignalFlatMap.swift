import Corinth

final class Session { var requests = 0 }

// The closure and its captures were sent to the signal. Using a captured object here would be a race.
func signalFlatMap(_ words: Signal<String, Never>) -> Int {
    let session = Session()
    let lengths = words.flatMap(.merge) { word -> SignalProducer<Int, Never> in  // expected: sending
        session.requests += 1
        return SignalProducer(value: word.count)
    }
    lengths.observeValues { _ in }
    return session.requests
}
