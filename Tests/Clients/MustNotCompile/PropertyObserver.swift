import Corinth

// A property may be set on any thread, and its observers run on that thread. This function reads the variable that they write.
func propertyObserver(_ name: MutableProperty<String>) -> [String] {
    var names: [String] = []
    name.signal.observeValues { names.append($0) }  // expected: sending
    return names
}
