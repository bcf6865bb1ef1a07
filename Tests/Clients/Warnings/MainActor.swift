import Corinth

// What belongs to the main actor may be touched by a closure of a stream's, as it may with ReactiveSwift. The compiler, which
// can't know where the stream delivers, warns of it, in each language mode.

@MainActor
final class Counter {
    var count = 0

    func follow(_ signal: Signal<Int, Never>, _ producer: SignalProducer<Int, Never>) {
        signal.observeValues { self.count = $0 }  // warning: main actor-isolated property 'count'
        producer.startWithValues { self.count = $0 }  // warning: main actor-isolated property 'count'
        producer.observe(on: UIScheduler()).start { event in
            self.count = event.value ?? 0  // warning: main actor-isolated property 'count'
        }
        QueueScheduler.main.schedule { self.count = 0 }  // warning: main actor-isolated property 'count'
    }
}
