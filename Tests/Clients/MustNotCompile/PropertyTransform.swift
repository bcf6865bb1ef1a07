import Corinth

final class Numbering { var last = 0 }

// The closure runs on any thread that sets the property, and once more for each start of the result.
func propertyTransform(_ name: MutableProperty<String>) -> Property<String> {
    let numbering = Numbering()
    return name.map { name in
        numbering.last += 1  // expected: non-Sendable
        return "\(numbering.last) \(name)"
    }
}
