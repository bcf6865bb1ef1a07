import Corinth
import Dispatch

final class Document { var text = "" }

// If a signal's values must stay on their thread, its input must stay on that thread, too.
func unsendableValue(_ observer: Signal<Document, Never>.Observer) {
    DispatchQueue.global().async { observer.send(value: Document()) }  // expected: non-Sendable
}
