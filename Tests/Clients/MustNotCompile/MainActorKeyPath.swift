import Corinth

@MainActor
final class Screen: ReactiveExtensionsProvider { var text = "" }

// Any thread may send, but only the main actor may set the text. `[\.text, on: MainActor.self]` does that.
@MainActor
func mainActorKeyPath(_ screen: Screen, _ texts: Signal<String, Never>) {
    screen.reactive[\.text] <~ texts  // expected: does not conform to the 'Sendable' protocol
}
