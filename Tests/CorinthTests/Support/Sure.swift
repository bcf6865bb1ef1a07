extension Optional {
    /// What is there, of a variable that the test sets to nil later.
    var sure: Wrapped {
        guard let self else { preconditionFailure("there is nothing") }
        return self
    }
}
