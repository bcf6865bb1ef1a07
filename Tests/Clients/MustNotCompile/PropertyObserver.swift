import Corinth

// A property may be set on any thread, and then its observer runs there: this reads what it writes.
func propertyObserver(_ name: MutableProperty<String>) -> [String] {
    var names: [String] = []
    name.signal.observeValues { names.append($0) }  // expected: sending
    return names
}
