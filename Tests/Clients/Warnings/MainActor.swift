import Corinth

// A stream's closure may use state of the main actor, as with ReactiveSwift. The compiler can't know where the stream delivers,
// and warns in each language mode.

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
