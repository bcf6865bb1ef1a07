extension LazySignal {
    /// Forwards values while `shouldContinue` returns true, then completes without sending the first other value.
    ///
    /// - Parameter shouldContinue: Returns whether to continue. Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func take(while shouldContinue: sending @escaping (Value) -> Bool) -> LazySignal<Stateful<(), Value>> {
        let shouldContinue = shouldContinue
        return stateful(()) { shouldContinue($1) ? ($1, nil) : (nil, .completed) }
    }

    /// Forwards values up to and including the first one for which `shouldContinue` returns false, then completes.
    ///
    /// - Parameter shouldContinue: Returns whether to continue. Not called again after it has returned false.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func take(until shouldContinue: sending @escaping (Value) -> Bool) -> LazySignal<Stateful<(), Value>> {
        let shouldContinue = shouldContinue
        return stateful(()) { ($1, shouldContinue($1) ? nil : .completed) }
    }

    /// Forwards each value for which `action` succeeds, and fails with the first failure.
    ///
    /// - Parameter action: Checks a value. Not called again after it has failed.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func attempt(_ action: sending @escaping (Value) -> Result<(), Error>) -> LazySignal<Stateful<(), Value>> {
        let action = action
        return attemptMap { value in action(value).map { value } }
    }

    /// Transforms each value with an operation that may fail, and fails with the first failure.
    ///
    /// - Parameter transform: Transforms a value. Not called again after it has failed.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func attemptMap<U>(_ transform: sending @escaping (Value) -> Result<U, Error>) -> LazySignal<Stateful<(), U>>
    {
        let transform = transform
        return stateful(()) {
            switch transform($1) {
            case .success(let value): (value, nil)
            case .failure(let error): (nil, .failed(error))
            }
        }
    }
}
