extension Signal where Value == Bool {
    /// Sends the negation of each value.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable
    public func negate() -> Signal<Value, Error> {
        derive { Map.kernel(into: $0) { !$0 } }
    }
}

extension SignalProducer where Value == Bool {
    /// Sends the negation of each value. See ``Signal/negate()``.
    @inlinable
    public func negate() -> SignalProducer<Value, Error> {
        fuse { Map.kernel(into: $0) { !$0 } }
    }
}
