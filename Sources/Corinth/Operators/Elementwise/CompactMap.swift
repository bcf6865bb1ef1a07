@usableFromInline
enum CompactMap {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ transform: @escaping (Value) -> Next.Value?
    ) -> Sink<Value, Next.Error> {
        let values = next.values
        return Sink(
            value: { if let value = transform($0) { values.receive(value) } },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Transforms each value, and sends the results that aren't nil.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable @inline(__always)
    public func compactMap<U>(_ transform: sending @escaping (Value) -> U?) -> Signal<U, Error> {
        // The `Signal` is made in the caller, so the compiler can omit its allocation in a chain of operators.
        defer { withExtendedLifetime(self) {} }
        return Signal<U, Error>(core.compactMap(transform))
    }
}

extension SignalCore {
    // Not inlined, as in `map(_:)`.
    @inlinable
    @inline(never)
    func compactMap<U>(_ transform: __owned @escaping (Value) -> U?) -> SignalCore<U, Error> {
        guard Strand.isShared else { return derive { CompactMap.kernel(into: $0, transform) } }
        let stage = Stage<U, Error>(from: self, Transform(consume transform))
        return attach(stage) { stage in
            { if let value = unsafe stage.operation(Transform<Value, U?>.self).pointee($0) { stage.receive(value) } }
        }
    }
}

extension SignalProducer {
    /// Transforms each value, and sends the results that aren't nil. See ``Signal/compactMap(_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func compactMap<U>(_ transform: @escaping @Sendable (Value) -> U?) -> SignalProducer<U, Error> {
        fuse { CompactMap.kernel(into: $0, transform) }
    }
}
