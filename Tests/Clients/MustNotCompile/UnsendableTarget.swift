import Corinth

final class Document: ReactiveExtensionsProvider { var text = "" }

// Any thread may send, and would change a document that another one uses.
func unsendableTarget(_ document: Document, _ texts: Signal<String, Never>) {
    document.reactive[\.text] <~ texts  // expected: Sendable
}
