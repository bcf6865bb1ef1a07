import Corinth
import Dispatch

final class Document { var text = "" }

// Any thread may read a property and bind its target. Then what it holds must be for any thread, too.
func unsendableProperty(
    _ current: MutableProperty<Document>, _ checked: ValidatingProperty<Document, Never>,
    _ target: BindingTarget<Document>
) {
    DispatchQueue.global().async { current.value.text = "a" }  // expected: non-Sendable
    DispatchQueue.global().async { checked.value.text = "a" }  // expected: non-Sendable
    DispatchQueue.global().async { target.action(Document()) }  // expected: non-Sendable
}
