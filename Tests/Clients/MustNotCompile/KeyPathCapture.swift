import Corinth

final class Place: Hashable {
    var name = ""
    static func == (left: Place, right: Place) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@MainActor
struct Form { var title = "" }

// Any thread may send a value, and would read the place, or what belongs to the main actor.
func keyPathCapture(
    _ signal: Signal<[Place: Int], Never>, _ producer: SignalProducer<[Place: Int], Never>,
    _ property: Property<[Place: Int]>, _ home: Place, _ forms: SignalProducer<Form, Never>,
    _ path: KeyPath<[Place: Int], Int?>
) {
    _ = signal.map(path)  // expected: does not conform to the 'Sendable' protocol
    _ = producer.map(\.[home])  // expected: does not conform to the 'Sendable' protocol
    _ = property.map(\.[home])  // expected: does not conform to the 'Sendable' protocol
    _ = forms.map(\.title)  // expected: does not conform to the 'Sendable' protocol
}
