import Corinth

// Any thread may send, start or schedule, so none of these closures may use what belongs to the main actor.
@MainActor
final class Model {
    var count = 0

    func observer(_ signal: Signal<Int, Never>) {
        signal.observeValues { [self] in count = $0 }  // expected: main actor-isolated property 'count'
    }

    func start(_ producer: SignalProducer<Int, Never>) {
        producer.startWithValues { [self] in count = $0 }  // expected: main actor-isolated property 'count'
    }

    func hop(_ producer: SignalProducer<Int, Never>) {
        producer.observe(on: UIScheduler()).start { [self] event in
            count = event.value ?? 0  // expected: main actor-isolated property 'count'
        }
    }

    func signal(_ signal: Signal<Int, Never>) -> Signal<Int, Never> {
        signal.map { [self] in $0 + count }  // expected: main actor-isolated property 'count'
    }

    func producer(_ producer: SignalProducer<Int, Never>) -> SignalProducer<Int, Never> {
        producer.map { [self] in $0 + count }  // expected: main actor-isolated property 'count'
    }

    func property(_ property: MutableProperty<Int>) -> Property<Int> {
        property.map { [self] in $0 + count }  // expected: main actor-isolated property 'count'
    }

    func action() -> Action<Int, Int, Never> {
        Action { [self] in SignalProducer(value: $0 + count) }  // expected: main actor-isolated property 'count'
    }

    func schedule(_ queue: QueueScheduler) {
        queue.schedule { [self] in count += 1 }  // expected: main actor-isolated property 'count'
    }
}
