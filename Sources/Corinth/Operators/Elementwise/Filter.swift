@usableFromInline
enum Filter {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(
        into next: Next, _ isIncluded: @escaping (Next.Value) -> Bool
    ) -> Sink<Next.Value, Next.Error> {
        let values = next.values
        return Sink(value: { if isIncluded($0) { values.receive($0) } }, termination: next.onTermination)
    }
}

extension Signal {
    /// Forwards the values for which `isIncluded` returns true.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @inlinable @inline(__always)
    public func filter(_ isIncluded: sending @escaping (Value) -> Bool) -> Signal<Value, Error> {
        // The `Signal` is made in the caller, so the compiler can omit its allocation in a chain of operators.
        defer { withExtendedLifetime(self) {} }
        return Signal<Value, Error>(core.filter(isIncluded))
    }
}

extension SignalCore {
    // Not inlined: each call site would have its own copy of the kernel's closure. Linkers replace the copies with jumps to
    // one of them.
    @inlinable
    @inline(never)
    func filter(_ isIncluded: __owned @escaping (Value) -> Bool) -> SignalCore<Value, Error> {
        guard Strand.isShared else { return derive { Filter.kernel(into: $0, isIncluded) } }
        let stage = Stage<Value, Error>(from: self, Predicate(consume isIncluded))
        return attach(stage) { stage in
            { if unsafe stage.operation(Predicate.self).pointee($0) { stage.receive($0) } }
        }
    }
}

extension SignalProducer {
    /// Forwards the values for which `isIncluded` returns true. See ``Signal/filter(_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        fuse { Filter.kernel(into: $0, isIncluded) }
    }
}
