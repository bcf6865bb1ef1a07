import Corinth
import Dispatch

final class Document { var text = "" }

// The input of a signal of values that must stay on their thread must stay there, too.
func unsendableValue(_ observer: Signal<Document, Never>.Observer) {
    DispatchQueue.global().async { observer.send(value: Document()) }  // expected: non-Sendable
}
