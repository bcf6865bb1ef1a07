import Corinth

// The closure may run on several threads at once, one per start. The compiler gives a warning; this check makes it an error.
func flatMapCapture(_ words: SignalProducer<String, Never>) -> SignalProducer<Int, Never> {
    var requests = 0
    return words.flatMap(.latest) { word -> SignalProducer<Int, Never> in
        requests += 1  // expected: concurrently-executing
        return SignalProducer(value: word.count + requests)
    }
}
