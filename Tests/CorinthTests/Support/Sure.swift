extension Optional {
    /// The value of a variable that the test sets to nil later.
    var sure: Wrapped {
        guard let self else { preconditionFailure("the variable is already nil") }
        return self
    }
}
