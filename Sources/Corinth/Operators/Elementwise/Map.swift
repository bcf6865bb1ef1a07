@usableFromInline
enum Map {
    @inlinable @inline(__always)
    static func kernel<Value, Next: Receiver>(
        into next: Next, _ transform: @escaping (Value) -> Next.Value
    ) -> Sink<Value, Next.Error> {
        let values = next.values
        return Sink(value: { values.receive(transform($0)) }, termination: next.onTermination)
    }
}

extension Signal {
    /// Transforms each value.
    ///
    /// - Parameter transform: Transforms a value. Runs once for each value, on the delivering thread, independent of the
    ///   number of observers (law [S2](doc:Contracts#S2-Once-per-event)).
    /// - Complexity: O(1) and no allocation per value.
    @inlinable @inline(__always)
    public func map<U>(_ transform: sending @escaping (Value) -> U) -> Signal<U, Error> {
        // The `Signal` is made in the caller, so the compiler can omit its allocation in a chain of operators.
        defer { withExtendedLifetime(self) {} }
        return Signal<U, Error>(core.map(transform))
    }

    /// What `attemptMap` does. Without this, the compiler would pass a closure that throws to ``map(value:)``, which sends it.
    // Disfavoured: for all other closures.
    @_disfavoredOverload
    @available(*, deprecated, renamed: "attemptMap(_:)", message: "This closure throws: use attemptMap.")
    @inlinable
    public func map<U>(_ transform: sending @escaping (Value) throws -> U) -> Signal<U, any Swift.Error> {
        mapError { $0 }.attemptMap(transform)
    }

    /// Sends `value` instead of each value.
    ///
    /// - Complexity: O(1) and no allocation per value.
    // Disfavoured: with three overloads of equal rank, Swift 6.3 finds the `+` in `map { $0 + $1 }` on pairs ambiguous.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> Signal<U, Error> {
        derive { Map.kernel(into: $0) { _ in value } }
    }

    /// Sends the property at `keyPath` of each value.
    ///
    /// - Complexity: That of the property. No allocation per value.
    // Disfavoured: the compiler would take too long for long chains of closures.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func map<U>(_ keyPath: any KeyPath<Value, U> & Sendable) -> Signal<U, Error> {
        derive { Map.kernel(into: $0) { $0[keyPath: keyPath] } }
    }
}

extension SignalCore {
    // Not inlined: each call site would have its own copy of the kernel's closure. Linkers replace the copies with jumps to
    // one of them.
    @inlinable
    @inline(never)
    func map<U>(_ transform: __owned @escaping (Value) -> U) -> SignalCore<U, Error> {
        guard Strand.isShared else { return derive { Map.kernel(into: $0, transform) } }
        let stage = Stage<U, Error>(from: self, Transform(consume transform))
        return attach(stage) { stage in { unsafe stage.receive(stage.operation(Transform.self).pointee($0)) } }
    }
}

extension SignalProducer {
    /// Transforms each value. See ``Signal/map(_:)-1fhny``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> SignalProducer<U, Error> {
        switch origin {
        // A known value needs no stage and no run, so a start allocates nothing. All starts share the value, as the
        // producer's creator intends.
        case .value(let value):
            nonisolated(unsafe) let known = value
            return SignalProducer<U, Error>(origin: .made { transform(unsafe known) })
        case .made(let make) where depth.count < RecipeDepth.distance:
            return SignalProducer<U, Error>(origin: .made { transform(make()) }, over: RecipeDepth(depth.count &+ 1))
        case .made, .recipe, .prompt, .failure, .empty: return fuse { Map.kernel(into: $0, transform) }
        }
    }

    /// What `attemptMap` does. Without this, the compiler would pass a closure that throws to ``map(value:)``, which sends it.
    @_disfavoredOverload
    @available(*, deprecated, renamed: "attemptMap(_:)", message: "This closure throws: use attemptMap.")
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func map<U>(_ transform: @escaping @Sendable (Value) throws -> U) -> SignalProducer<U, any Swift.Error> {
        mapError { $0 }.attemptMap(transform)
    }

    /// Sends `value` instead of each value. See ``Signal/map(value:)``.
    @_disfavoredOverload
    @inlinable
    public func map<U>(value: U) -> SignalProducer<U, Error> {
        // Each start sends a copy.
        nonisolated(unsafe) let value = value
        return fuse { Map.kernel(into: $0) { _ in unsafe value } }
    }

    /// Sends the property at `keyPath` of each value. See ``Signal/map(_:)-(KeyPath<Value,U>Sendable)``.
    @_disfavoredOverload
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func map<U>(_ keyPath: any KeyPath<Value, U> & Sendable) -> SignalProducer<U, Error> {
        fuse { Map.kernel(into: $0) { $0[keyPath: keyPath] } }
    }
}
