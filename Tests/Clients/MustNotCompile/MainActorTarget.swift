import Corinth

@MainActor
final class Screen { var text = "" }

// Any thread may send, but only the main actor may set the text. `on: MainActor.self` does that.
@MainActor
func mainActorTarget(_ screen: Screen, _ lifetime: Lifetime, _ texts: Signal<String, Never>) {
    BindingTarget(lifetime: lifetime, object: screen, keyPath: \.text) <~ texts  // expected: 'Sendable' protocol
}
