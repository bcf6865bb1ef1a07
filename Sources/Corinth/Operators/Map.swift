@usableFromInline
enum Map {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ transform: @escaping (Value) -> Next.Value
    ) -> Sink<Value, Next.Error> {
        Sink(value: { next.receive(transform($0)) }, termination: next.onTermination)
    }
}

extension Signal {
    /// Transforms each value.
    ///
    /// - Parameter transform: Runs once for each value, on the thread that delivers it, whoever observes (law S2).
    /// - Complexity: O(1) and no allocation per value.
    @inlinable @inline(__always)
    @preconcurrency
    public func map<U>(_ transform: sending @escaping (Value) -> U) -> Signal<U, Error> {
        // The signal itself is made where this is used: one that is but a step to the next is not allocated.
        defer { withExtendedLifetime(self) {} }
        return Signal<U, Error>(core.map(transform))
    }

    /// Sends `value` in place of each value.
    ///
    /// - Complexity: O(1) and no allocation per value.
    // Disfavoured: with three overloads on a par, Swift 6.3 finds the `+` in `map { $0 + $1 }` on pairs ambiguous.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> Signal<U, Error> {
        derive { Map.kernel(into: $0) { _ in value } }
    }

    /// Sends what is at `keyPath` in each value.
    ///
    /// - Complexity: That of the property, and no allocation per value.
    // Disfavoured: long chains of closures would take the compiler too long.
    @_disfavoredOverload
    @inlinable
    public func map<U>(_ keyPath: KeyPath<Value, U>) -> Signal<U, Error> {
        derive { Map.kernel(into: $0) { $0[keyPath: keyPath] } }
    }
}

extension SignalCore {
    // Not inlined: each place would have a copy of the kernel's closure, which linkers replace by a jump to one of them.
    @inlinable
    @inline(never)
    func map<U>(_ transform: __owned @escaping (Value) -> U) -> SignalCore<U, Error> {
        derive { Map.kernel(into: $0, transform) }
    }
}

extension SignalProducer {
    /// Transforms each value. See ``Signal/map(_:)-1fhny``.
    @inlinable
    @preconcurrency
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> SignalProducer<U, Error> {
        guard case .value(let value) = origin else { return fuse { Map.kernel(into: $0, transform) } }
        // A start needs no stage for a value that is known: nothing is allocated for it. Starts share the value, as whoever
        // made the producer wants it.
        nonisolated(unsafe) let known = value
        return SignalProducer<U, Error>(
            over: depth,
            recipe: { sink, run in
                sink.onValue(transform(unsafe known))
                sink.onTermination(run.isDisposed ? .interrupted : .completed)
            })
    }

    /// Sends `value` in place of each value. See ``Signal/map(value:)``.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> SignalProducer<U, Error> {
        // Each start sends a copy.
        nonisolated(unsafe) let value = value
        return fuse { Map.kernel(into: $0) { _ in unsafe value } }
    }

    /// Sends what is at `keyPath` in each value. See ``Signal/map(_:)-(KeyPath<Value,U>)``.
    @_disfavoredOverload
    @inlinable
    public func map<U>(_ keyPath: KeyPath<Value, U>) -> SignalProducer<U, Error> {
        // A key path is immutable; what its subscripts capture is shared by the starts, as a value would be.
        nonisolated(unsafe) let keyPath = keyPath
        return fuse { Map.kernel(into: $0) { unsafe $0[keyPath: keyPath] } }
    }
}
