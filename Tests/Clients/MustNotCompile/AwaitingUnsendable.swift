import Corinth

final class Draft { var text = "" }

// The sender may still use a value that a task receives.
func awaitingUnsendable(_ signal: Signal<Draft, Never>) async {
    for await draft in signal.values() { draft.text = "" }  // expected: does not conform to the 'Sendable' protocol
}
